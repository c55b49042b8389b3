/** EACH SUBJECT OF NOTICES. All code that plans, composes or previews notices uses this list. */
import { bookingSubject } from './bookings/subject.ts';
import { carReadySubject } from './car-ready/subject.ts';
import { quoteSubject } from './quotes/subject.ts';
import type { Subject } from './subject.ts';
import { waysOf } from './text.ts';

export const subjects: readonly Subject[] = [bookingSubject, carReadySubject, quoteSubject];

/** The subject with texts for a kind of event: the booking for `booking.created`. */
export function subjectOf(eventKind: string): Subject {
  const found = subjects.find((subject) => waysOf(subject, eventKind).length > 0);
  if (found === undefined) throw new Error(`no notice belongs to ${eventKind}`);
  return found;
}
