/** The invitation of a booking (RFC 5545, 5546): later versions replace earlier ones in the calendar, by UID and SEQUENCE. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod } from 'ical-generator';
import type { BookingScope } from '#bookings/scope.ts';
import { calendarEntry } from '#calendar/entry.ts';
import type { OutboundEmail } from '#gateways/email/gateway.ts';
import type { NoticeFacts } from './notices.ts';

/** `sentAt` is the machine clock's. All times are written in UTC, so every calendar shows them in its own zone. */
export function invitation(
  facts: NoticeFacts,
  scope: BookingScope,
  sentAt: Date,
): NonNullable<OutboundEmail['calendar']> {
  const method = facts.booking.status === 'cancelled' ? 'CANCEL' : 'REQUEST';
  const calendar = ical({
    prodId: { company: 'Pitlane', product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod[method],
  });
  calendar.createEvent({
    ...calendarEntry(facts.booking, facts.version),
    stamp: sentAt,
    summary: `${scope.car.rego} at ${scope.workshop.name}`,
    description: `Booking ${scope.booking.code}\nPhone ${scope.workshop.phone}`,
    location: scope.workshop.name,
    organizer: { name: scope.workshop.name, email: scope.workshop.email },
    attendees: scope.customer.email === '' ? [] : [attendee(scope)],
  });
  // RFC 5545, 3.1: every line ends so, the last one too.
  return { method, content: `${calendar.toString().trimEnd()}\r\n` };
}

function attendee({ customer }: BookingScope) {
  return { name: customer.name, email: customer.email, rsvp: false, status: ICalAttendeeStatus.ACCEPTED };
}
