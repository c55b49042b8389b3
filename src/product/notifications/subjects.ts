/** EACH SUBJECT OF NOTICES. Everything that plans, composes or previews a notice goes by this list. */
import { bookingSubject } from './bookings/subject.ts';
import { quoteSubject } from './quotes/subject.ts';
import type { Subject } from './subject.ts';

export const subjects: readonly Subject[] = [bookingSubject, quoteSubject];

/** The subject of a kind of event: of `booking.created` the booking. */
export function subjectOf(eventKind: string): Subject {
  const found = subjects.find(({ name }) => eventKind.startsWith(`${name}.`));
  if (found === undefined) throw new Error(`no notice tells of ${eventKind}`);
  return found;
}
