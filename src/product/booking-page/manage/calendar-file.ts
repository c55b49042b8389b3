/** A booking as a calendar file (RFC 5545) for download: its time and the workshop, and nothing about its customer. */
import ical, { ICalCalendarMethod } from 'ical-generator';
import { withBrokenLinks } from '#base/values/callers-links.ts';
import { nationalPhone } from '#base/values/phone.ts';
import { calendarEntry, placeOf, summaryOf } from '#product/calendar/entry.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import type { OpenedBooking } from './open.ts';

export function calendarFile({ booking, shop, version, minutes }: OpenedBooking): string {
  const calendar = ical({
    prodId: { company: 'Pitlane', product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const wanted = withBrokenLinks(titlesOf(booking.services).join(', '));
  calendar.createEvent({
    ...calendarEntry(booking, version, minutes),
    stamp: new Date(booking.updatedAt),
    summary: summaryOf(
      `${withBrokenLinks(booking.car.rego ?? 'Your car')} at ${shop.name}`,
      wanted,
      booking.status,
    ),
    description: [`Booking ${booking.code}`, wanted, `Phone ${nationalPhone(shop.phone)}`]
      .filter(Boolean)
      .join('\n'),
    location: placeOf(shop),
  });
  return `${calendar.toString().trimEnd()}\r\n`;
}
