/** The invitation of a booking (RFC 5545, 5546): later versions replace earlier ones in the calendar, by UID and SEQUENCE. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { BookingStatus } from '#bookings/schema.ts';
import type { BookingVariables } from '#bookings/template-variables.ts';
import type { OutboundEmail } from '#gateways/email/gateway.ts';
import type { NoticeFacts } from './notices.ts';

/** Calendars need a duration, and that of the work is not known. */
const lengthMs = 60 * 60 * 1000;

/** A booking that the workshop has not confirmed yet may still change. */
const statuses: Readonly<Record<BookingStatus, ICalEventStatus>> = {
  pending: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** `sentAt` is the machine clock's. All times are written in UTC, so every calendar shows them in its own zone. */
export function invitation(
  facts: NoticeFacts,
  variables: BookingVariables,
  sentAt: Date,
): NonNullable<OutboundEmail['calendar']> {
  const { status } = facts.booking;
  const method = status === 'cancelled' ? 'CANCEL' : 'REQUEST';
  const start = new Date(facts.booking.date);
  const calendar = ical({
    prodId: { company: 'Pitlane', product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod[method],
  });
  calendar.createEvent({
    id: `booking-${facts.booking.id}@pitlane`,
    sequence: facts.version,
    stamp: sentAt,
    start,
    end: new Date(start.getTime() + lengthMs),
    summary: `${variables.car.rego} at ${variables.workshop.name}`,
    description: `Booking ${variables.booking.code}\nPhone ${variables.workshop.phone}`,
    location: variables.workshop.name,
    organizer: { name: variables.workshop.name, email: variables.workshop.email },
    attendees: variables.customer.email === '' ? [] : [attendee(variables)],
    status: statuses[status],
  });
  // RFC 5545, 3.1: every line ends with CRLF, the last one too.
  return { method, content: `${calendar.toString().trimEnd()}\r\n` };
}

function attendee({ customer }: BookingVariables) {
  return { name: customer.name, email: customer.email, rsvp: false, status: ICalAttendeeStatus.ACCEPTED };
}
