/** Closing a day or bays of the week, and opening them again. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { hidden, select } from '#platform/pages/components.ts';
import { closeForm, refusedOf, reopenForms } from '../days/closing.ts';
import type { RefusedTool } from '../days/tool-routes.ts';
import { faultOf } from '../frame/form.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { dayName } from './column.ts';
import type { WeekDay } from './read.ts';

/** Null without the permission to change bookings, and if the whole week is past and open. */
export function weekTools(
  visit: WorkshopVisit,
  days: readonly WeekDay[],
  refused: RefusedTool | null,
): SafeHtml | null {
  const ahead = days.filter(({ date, today }) => date >= today);
  const [first] = days;
  if (!visit.may('changeBookings') || first === undefined || ahead.length === 0) return null;
  const blocks = new Map(ahead.flatMap((day) => day.blocks).map((block) => [block.id, block]));
  const place = { path: 'week', shownBy: 'from', shown: first.date } as const;
  const wrong = refusedOf(refused, 'close');
  const day = html`${hidden('from', first.date)}${select({
    ...{ name: 'date', id: 'day', label: 'Day', isUnmarked: true, error: faultOf(wrong, 'day') },
    value: wrong ? visit.form['date'] : undefined,
    options: ahead.map((each) => ({ value: each.date, label: dayName(each) })),
  })}`;
  return html`<section class="card narrow"><h2>Closing</h2>
${reopenForms(visit, [...blocks.values()], place)}
${closeForm(visit, place, { name: 'Close a day or bays', day, whole: html`${hidden('whole', 'yes')}<p class="hint">For the whole of that day. Bookings that are there stay.</p>` }, wrong)}</section>`;
}
