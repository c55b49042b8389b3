/** The invitation of a booking (RFC 5545, 5546): later versions replace earlier ones in the calendar, by UID and SEQUENCE. */
import ical, { ICalAttendeeStatus, ICalCalendarMethod } from 'ical-generator';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import type { BookingEventPayload } from '#product/bookings/events.ts';
import type { BookingVariables } from '#product/bookings/template-variables.ts';
import { calendarEntry, placeOf, summaryOf } from '#product/calendar/entry.ts';
import type { HandedOver } from '../event.ts';
import type { PresentBooking } from './store.ts';

/** `sentAt` is the machine clock's. All times are written in UTC, so every calendar shows them in its own zone. */
export function invitation(
  { payload, version, present }: HandedOver<BookingEventPayload, PresentBooking>,
  variables: BookingVariables,
  sentAt: Date,
): NonNullable<OutboundEmail['calendar']> {
  const { services } = variables.booking;
  const method = payload.booking.status === 'cancelled' ? 'CANCEL' : 'REQUEST';
  const calendar = ical({
    prodId: { company: 'Pitlane', product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod[method],
  });
  calendar.createEvent({
    ...calendarEntry(payload.booking, version, present.minutes),
    stamp: sentAt,
    summary: summaryOf(
      `${variables.car.rego || 'Your car'} at ${variables.workshop.name}`,
      services,
      payload.booking.status,
    ),
    description: [`Booking ${variables.booking.code}`, services, `Phone ${variables.workshop.phone}`]
      .filter(Boolean)
      .join('\n'),
    location: placeOf(variables.workshop),
    organizer: { name: variables.workshop.name, email: variables.workshop.email },
    attendees: variables.customer.email === '' ? [] : [attendee(variables)],
  });
  // RFC 5545, 3.1: every line ends with CRLF, the last one too.
  return { method, content: `${calendar.toString().trimEnd()}\r\n` };
}

function attendee({ customer }: BookingVariables) {
  return { name: customer.name, email: customer.email, rsvp: false, status: ICalAttendeeStatus.ACCEPTED };
}
