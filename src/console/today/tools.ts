/** The forms of a day: its note, Full today, closing bays and opening them again. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { hidden, textArea } from '#platform/pages/components.ts';
import { closeForm, refusedOf, reopenForms } from '../days/closing.ts';
import type { Day } from '../days/day.ts';
import type { RefusedTool } from '../days/tool-routes.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import { versionShown } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/**
 * Everybody sees the note; the forms need the permission to change bookings. A note with a phone or an e-mail in it has no form for people
 * who may not see these: a masked text would overwrite the stored one.
 */
export function dayTools(visit: WorkshopVisit, day: Day, refused: RefusedTool | null): SafeHtml {
  const text = day.note?.text ?? '';
  const shown = textShown(text, visit.workshop);
  const note =
    shown === ''
      ? null
      : html`<section class="card"><h2>Note of the day</h2><p class="message">${shown}</p></section>`;
  if (!visit.may('changeBookings')) return html`${note}`;
  // The form shows the values that were just typed.
  const mayWrite = shown === text || refused?.tool === 'note';
  return html`${mayWrite ? noteForm(visit, day, refused) : note}${closing(visit, day, refused)}`;
}

function noteForm({ base, form }: WorkshopVisit, { date, note }: Day, refused: RefusedTool | null) {
  const wrong = refusedOf(refused, 'note');
  return html`<section class="card">${changeForm({
    ...{ action: `${base}/today/note`, version: versionShown(form, wrong, note?.version ?? 0) },
    body: html`${hidden('date', date)}${textArea({ name: 'text', label: 'Note of the day', value: wrong ? form['text'] : note?.text, isUnmarked: true, error: faultOf(wrong, 'text') })}<p class="buttons"><button class="button quiet">Save note</button></p>`,
  })}</section>`;
}

function closing(visit: WorkshopVisit, { date, today, blocks }: Day, refused: RefusedTool | null) {
  if (date < today) return null;
  const isToday = date === today;
  const place = { path: 'today', shownBy: 'date', shown: date } as const;
  const day = hidden('date', date);
  const whole = isToday
    ? html`<div class="check"><input type="checkbox" id="whole" name="whole" value="yes"><label for="whole">The whole day, not from now on</label></div>`
    : null;
  return html`<section class="card"><h2>Closing</h2>
${reopenForms(visit, blocks, place)}
${isToday ? changeForm({ action: `${visit.base}/today/full`, body: html`${day}<p class="buttons"><button class="button quiet">Full today</button></p><p class="hint">Nothing more is offered until you close; bookings that are there stay.</p>` }) : null}
${closeForm(visit, place, { name: 'Close a bay', when: day, below: whole }, refusedOf(refused, 'close'))}
<p><a href="${visit.base}/week?${String(new URLSearchParams({ from: date, first: date }))}#close">Close more days, or each week</a></p></section>`;
}
