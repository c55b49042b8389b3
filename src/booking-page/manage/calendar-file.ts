/** A booking as a calendar file (RFC 5545) to be downloaded: its time and the workshop, and nothing about its customer. */
import ical, { ICalCalendarMethod } from 'ical-generator';
import { calendarEntry, placeOf } from '#calendar/entry.ts';
import { withBrokenLinks } from '#values/callers-links.ts';
import { oneLine } from '#values/one-line.ts';
import { nationalPhone } from '#values/phone.ts';
import type { ShownBooking } from './booking-page.ts';

export function calendarFile({ booking, shop }: ShownBooking, version: number): string {
  const calendar = ical({
    prodId: { company: 'Pitlane', product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const name = oneLine(shop.name);
  calendar.createEvent({
    ...calendarEntry(booking, version),
    stamp: new Date(booking.updatedAt),
    summary: `${withBrokenLinks(oneLine(booking.car.rego))} at ${name}`,
    description: `Booking ${booking.code}\nPhone ${nationalPhone(shop.phone)}`,
    location: placeOf(shop),
  });
  return `${calendar.toString().trimEnd()}\r\n`;
}
