/** A workshop's calendar as a file (RFC 5545). The same bookings give the same text. */
import ical, { ICalCalendarMethod } from 'ical-generator';
import { withBrokenLinks } from '#base/values/callers-links.ts';
import { oneLine } from '#base/values/one-line.ts';
import { calendarEntry, summaryOf } from './entry.ts';
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
  for (const { booking, version, minutes } of shown) {
    const { customer, car, services, status, updatedAt } = booking;
    const titles = services.map(({ title, catalogCode }) => title ?? catalogCode).filter(Boolean);
    const wanted = withBrokenLinks(titles.join(', '));
    calendar.createEvent({
      ...calendarEntry(booking, version, minutes),
      stamp: new Date(updatedAt),
      summary: summaryOf(
        `${withBrokenLinks(`${car.rego} ${customer.name}`)}${status === 'cancelled' ? ' (cancelled)' : ''}`,
        wanted,
      ),
      description: [
        `Booking ${booking.code}, ${status}`,
        customer.phone,
        wanted,
        ...[booking.notes, booking.cancelReason].map((text) => withBrokenLinks(text ?? '')),
      ]
        .filter(Boolean)
        .join('\n'),
    });
  }
  return `${calendar.toString().trimEnd()}\r\n`;
}
