/** A workshop's calendar as a file (RFC 5545). The same bookings produce the same text. */
import ical, { ICalCalendarMethod } from 'ical-generator';
import { withBrokenLinks } from '#base/values/callers-links.ts';
import { notGiven } from '#base/values/not-given.ts';
import { oneLine } from '#base/values/one-line.ts';
import { nameWritten } from '#base/values/phone.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { orNotGiven } from '#product/customers/records.ts';
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
    const { customer, services, status, updatedAt } = booking;
    const wanted = withBrokenLinks(titlesOf(services).join(', '));
    calendar.createEvent({
      ...calendarEntry(booking, version, minutes),
      stamp: new Date(updatedAt),
      summary: summaryOf(withBrokenLinks(whose(booking)), wanted, status),
      description: [
        `Booking ${booking.code}, ${status}`,
        customer.phone ?? (orNotGiven(null, customer) && `Phone ${notGiven}`),
        wanted,
        ...[booking.notes, booking.cancelReason].map((text) => withBrokenLinks(text ?? '')),
      ]
        .filter(Boolean)
        .join('\n'),
    });
  }
  return `${calendar.toString().trimEnd()}\r\n`;
}

/** `1AB2CD Sam Taylor`; `Sam Taylor, rego not given` */
function whose({ car, customer }: ShownBooking['booking']): string {
  const name = customer.name && nameWritten(customer.name);
  if (car.rego === null) return `${name ?? ''}, rego ${notGiven}`;
  return name === null ? `${car.rego}, name ${notGiven}` : `${car.rego} ${name}`;
}
