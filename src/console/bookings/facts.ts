/** The facts of a booking, as terms and values. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { dateAt } from '#base/values/local-day.ts';
import { localDateTime, localTime } from '#base/values/local-time.ts';
import { facts } from '#platform/pages/components.ts';
import { jobFacts, jobOf } from '#product/bookings/job.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { notGiven } from '../frame/marks.ts';
import { emailShown, nameShown, nameText, phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/** `Tue 3 Mar 2026, 9:30 am – 11:00 am`. */
export function whenOf({ date, endsAt, timezone }: WorkshopBooking): string {
  const start = localDateTime(new Date(date), timezone);
  return endsAt === null ? start : `${start} – ${localTime(new Date(endsAt), timezone)}`;
}

const carOf = ({ car }: WorkshopBooking, workshop: WorkshopVisit['workshop']): string =>
  [car.year, ...[car.make, car.model, car.badge].map((text) => textShown(text ?? '', workshop))]
    .filter(Boolean)
    .join(' ');

/** The name of a booking for people: the rego, or the customer. */
export const nameOf = (
  { car, customer }: WorkshopBooking,
  workshop: Parameters<typeof nameText>[1],
): string => car.rego ?? nameText(customer.name ?? 'Booking', workshop);

export function bookingFacts(
  booking: WorkshopBooking,
  { workshop, base, ...visit }: WorkshopVisit,
): SafeHtml {
  const { customer, timezone, pickupTime, notes } = booking;
  const customerName = nameShown(customer.name, workshop);
  const mayOpen = visit.may('seeCustomers');
  const lines = (text: string | null) =>
    text ? html`<span class="message">${textShown(text, workshop)}</span>` : null;
  return facts([
    [
      'When',
      html`<a href="${base}/today?date=${dateAt(Date.parse(booking.date), timezone)}">${whenOf(booking)}</a>`,
    ],
    ['Pick-up', pickupTime === null ? null : localDateTime(new Date(pickupTime), timezone)],
    ['Work', textShown(titlesOf(booking.services).join(', '), workshop) || null],
    ['Car', html`<strong>${booking.car.rego ?? notGiven}</strong> ${carOf(booking, workshop)}`],
    [
      'Customer',
      mayOpen ? html`<a href="${base}/customers/${booking.customerId}">${customerName}</a>` : customerName,
    ],
    ['Phone', phoneLink(customer.phone, workshop)],
    ['E-mail', emailShown(customer.email, workshop)],
    ['Notes', lines(notes)],
    ...jobFacts(jobOf(booking)).map(([label, text]) => [label, lines(text)] as const),
    ['Came from', booking.partner ?? 'the workshop itself'],
    ['Code', html`<span class="code">${booking.code}</span>`],
  ]);
}
