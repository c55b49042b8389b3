/** The box **Here** of a new booking: its customer stands at the desk (specification: The workshop's own bookings 12). */
import { html, type SafeHtml } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import { localTime } from '#base/values/local-time.ts';
import { parseTypedTime } from '#base/values/typed-time.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Form } from '#platform/pages/form.ts';
import { changeAttendance, recordAttended } from '#product/bookings/staff/attendance.ts';
import { todayAt } from '../days/read.ts';
import { faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { typedWhen, whenAt } from './when.ts';

const quarterMs = 15 * 60_000;

const nextQuarter = ({ context }: WorkshopVisit): Date =>
  new Date(Math.ceil(context.clock.now().getTime() / quarterMs) * quarterMs);

const isHere = (form: Form): boolean => form['here'] === 'yes';
const hasTime = (form: Form): boolean => Boolean(form['at'] || form['time']);

/** The form with its time: of somebody who is here, unless another was chosen, the next quarter of an hour. */
export const withTimeHere = (visit: WorkshopVisit, form: Form): Form =>
  isHere(form) && !hasTime(form) ? { ...form, at: nextQuarter(visit).toISOString() } : form;

/** The typed time for the verb; empty: none was. Throws InvalidInput when somebody is here for another day. */
export function timeOf(visit: WorkshopVisit, form: Form): string {
  const typed = hasTime(form) ? typedWhen(form) : '';
  const { context, workshop } = visit;
  const at = parseTypedTime(typed, workshop.timezone, context.clock.now());
  if (isHere(form) && at !== null && whenAt(at, workshop.timezone).date !== todayAt(context, workshop))
    throw new InvalidInput([
      { field: 'here', message: 'is for a time of today: clear it, or choose another time' },
    ]);
  return typed;
}

export function hereField(visit: WorkshopVisit, form: Form, refused: Refused | null): SafeHtml {
  const error = faultOf(refused, 'here');
  return html`<div class="check"><input type="checkbox" id="here" name="here" value="yes" aria-describedby="here-hint"${isHere(form) ? html` checked` : null}><label for="here">Here</label> <span class="hint" id="here-hint">Without a time it begins at ${localTime(nextQuarter(visit), visit.workshop.timezone)}.</span></div>${error ? html`<p class="error" id="here-error">${error}</p>` : null}`;
}

/** Marks that the customer has come, in the commit that makes the booking; nothing unless the box is checked. */
export async function markHere(visit: WorkshopVisit, tx: Queryable, bookingId: string): Promise<void> {
  if (!isHere(visit.form)) return;
  const at = visit.context.clock.now();
  const change = { workshopId: visit.workshop.workshopId, bookingId, actor: visit.actor };
  await recordAttended(tx, change, await changeAttendance(tx, { ...change, state: 'here' }, at), at);
}
