/** A workshop's calendar as a file (RFC 5545). The same bookings give the same text. */
import ical, { ICalCalendarMethod } from 'ical-generator';
import { withBrokenLinks } from '#values/callers-links.ts';
import { oneLine } from '#values/one-line.ts';
import { calendarEntry } from './entry.ts';
import type { ShownBooking } from './store.ts';

/** How often a calendar program should refresh; many do it less often. */
const refreshSeconds = 15 * 60;

export function renderCalendar(workshopName: string, shown: readonly ShownBooking[]): string {
  const calendar = ical({
    name: oneLine(workshopName),
    prodId: { company: 'Pitlane', product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  for (const { booking, version } of shown) {
    const { customer, car, services, status, updatedAt } = booking;
    const wanted = services.map(({ title, catalogCode }) => title ?? catalogCode).filter(Boolean);
    calendar.createEvent({
      ...calendarEntry(booking, version),
      stamp: new Date(updatedAt),
      summary: oneLine(
        `${withBrokenLinks(`${car.rego} ${customer.name}`)}${status === 'cancelled' ? ' (cancelled)' : ''}`,
      ),
      description: [
        `Booking ${booking.code}, ${status}`,
        customer.phone,
        ...[wanted.join(', '), booking.notes, booking.cancelReason].map((text) =>
          withBrokenLinks(text ?? ''),
        ),
      ]
        .filter(Boolean)
        .join('\n'),
    });
  }
  return `${calendar.toString().trimEnd()}\r\n`;
}
