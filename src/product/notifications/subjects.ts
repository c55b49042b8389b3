/** EACH SUBJECT OF NOTICES. Everything that plans, composes or previews a notice goes by this list. */
import { bookingSubject } from './bookings/subject.ts';
import { carReadySubject } from './car-ready/subject.ts';
import { quoteSubject } from './quotes/subject.ts';
import type { Subject } from './subject.ts';
import { waysOf } from './text.ts';

export const subjects: readonly Subject[] = [bookingSubject, carReadySubject, quoteSubject];

/** The subject that has texts for a kind of event: of `booking.created` the booking. */
export function subjectOf(eventKind: string): Subject {
  const found = subjects.find((subject) => waysOf(subject, eventKind).length > 0);
  if (found === undefined) throw new Error(`no notice tells of ${eventKind}`);
  return found;
}
