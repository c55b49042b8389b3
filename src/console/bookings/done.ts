/** The message about a completed change, for the live region. */
import { ownValue } from '#base/values/own-value.ts';

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
  merged: 'Merged: they are one customer now.',
};

export const doneText = (done: string | undefined): string | null => ownValue(texts, done ?? '') ?? null;
