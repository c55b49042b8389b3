/** The message about a completed change, for the live region. */
import { ownValue } from '#base/values/own-value.ts';
import { type Reason, reasons } from '#base/values/unavailable.ts';
import type { Form } from '#platform/pages/form.ts';
import { conflictOfBooking } from '#product/bookings/staff/conflict.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { anywayOf, doneInWords } from './when.ts';

const texts: Readonly<Record<string, string>> = {
  booked: 'Booked.',
  confirmed: 'Confirmed.',
  moved: 'Moved.',
  changed: 'Saved.',
  cancelled: 'Cancelled.',
  completed: 'Completed.',
  ready: 'Marked as ready.',
  marked: 'Marked.',
  undone: 'Undone.',
  sent: 'On its way.',
  called: 'Marked as called.',
  waiting: 'Waits to be called back again.',
  stopped: 'Stopped: it will not be sent.',
  scheduled: 'It goes at that time.',
  textCancelled: 'It does not go any more.',
  optedOut: 'Opted out of SMS.',
  optedIn: 'Opted in again.',
  erased: 'Erased.',
  priced: 'Sent to the customer.',
  pricedQuietly: 'Priced. The customer was not told.',
  declined: 'Declined.',
  accepted: 'Accepted, and booked.',
  added: 'Added.',
  asked: 'The request is made: price it now.',
  paused: 'Paused: nothing goes until it is resumed.',
  resumed: 'Resumed.',
  merged: 'Merged: they are one customer now.',
  sameCar: 'They are one car now.',
};

export const doneText = (done: string | undefined): string | null => ownValue(texts, done ?? '') ?? null;

/** The address of a booking's page after a change, which says why its time was not free. Of **Book anyway** the page has the reason. */
export const doneAt = (
  path: string,
  done: keyof typeof doneInWords,
  { against, form }: { readonly against: Reason | null; readonly form: Form },
): string =>
  `${path}?${new URLSearchParams({ done, ...(against && anywayOf(form) === null && { against }) })}`;

/** The message on a booking's page: after what concerns its time also what was against that. */
export async function doneOf({ context, query }: WorkshopVisit, bookingId: string): Promise<string | null> {
  const { done } = query;
  const text = doneText(done);
  const against = reasons.find((reason) => reason === query['against']);
  const word = ownValue(doneInWords, done ?? '');
  if (against === undefined || word === undefined) return text;
  const said = await conflictOfBooking(context, bookingId, against);
  return said === null ? text : `${text} ${said}: ${word} all the same.`;
}
