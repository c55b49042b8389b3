/** What staff do about a day: its note, full today, bays that are closed, and opening them again. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { field, hidden, textArea } from '#platform/pages/components.ts';
import type { DayNote } from '#product/workshops/day-notes/store.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { Day } from './day.ts';

/** What was refused, by the form that it was sent with. */
export interface RefusedTool {
  readonly tool: 'note' | 'close' | 'full' | 'reopen';
  readonly refused: Refused;
}

/** The note is for everybody to read; the forms are for those who may change bookings. */
export function dayTools(
  visit: WorkshopVisit,
  day: Day,
  note: DayNote | null,
  refused: RefusedTool | null,
): SafeHtml {
  if (!visit.may('changeBookings'))
    return html`${note === null || note.text === '' ? null : html`<section class="card"><h2>Note of the day</h2><p class="message">${textShown(note.text, visit.workshop)}</p></section>`}`;
  return html`${noteForm(visit, day, note, refused)}${closing(visit, day, refused)}`;
}

const of = (refused: RefusedTool | null, tool: RefusedTool['tool']) =>
  refused?.tool === tool ? refused.refused : null;

function noteForm(
  { base, form }: WorkshopVisit,
  { date }: Day,
  note: DayNote | null,
  refused: RefusedTool | null,
) {
  const wrong = of(refused, 'note');
  return html`<section class="card">${changeForm({
    ...{ action: `${base}/today/note`, version: note?.version ?? 0 },
    body: html`${hidden('date', date)}${textArea({ name: 'text', label: 'Note of the day', value: wrong ? form['text'] : note?.text, isUnmarked: true, error: faultOf(wrong, 'text') })}<p class="buttons"><button class="button quiet">Save note</button></p>`,
  })}</section>`;
}

function closing(
  { base, form, workshop }: WorkshopVisit,
  { date, today, blocks }: Day,
  refused: RefusedTool | null,
) {
  if (date < today) return null;
  const wrong = of(refused, 'close');
  const isToday = date === today;
  const at = (instant: Date) => localDateTime(instant, workshop.timezone);
  return html`<section class="card"><h2>Closing</h2>
${blocks.map(({ id, bays, reason, from, until }) => html`<div class="closed"><p><strong>${bays === null ? 'All bays' : bays === 1 ? 'A bay' : `${bays} bays`}</strong> ${reason}<br><span class="quiet">${at(from)} – ${at(until)}</span></p>${changeForm({ action: `${base}/today/reopen`, body: html`${hidden('block', id)}${hidden('date', date)}<button class="button quiet">Open again</button>` })}</div>`)}
${isToday ? changeForm({ action: `${base}/today/full`, body: html`${hidden('date', date)}<p class="buttons"><button class="button quiet">Full today</button></p><p class="hint">Nothing more is offered until you close; bookings that are there stay.</p>` }) : null}
<details${wrong ? html` open` : null}><summary>Close a bay</summary>${changeForm({
    action: `${base}/today/close`,
    body: html`${hidden('date', date)}${field({ name: 'bays', label: 'How many bays', value: wrong ? form['bays'] : '1', hint: 'A number, or all', isUnmarked: true, error: faultOf(wrong, 'bays') })}
${field({ name: 'reason', label: 'Reason', value: wrong ? form['reason'] : '', required: true, error: faultOf(wrong, 'reason') })}
${isToday ? html`<div class="check"><input type="checkbox" id="whole" name="whole" value="yes"><label for="whole">The whole day, not from now on</label></div>` : null}
<p class="buttons"><button class="button quiet">Close</button></p>`,
  })}</details></section>`;
}
