/** Bookings as commands show them. */
import type { WorkshopBooking } from '#bookings/own/store.ts';
import { phoneIn } from '#values/phone.ts';
import { styled } from './colours.ts';
import { details } from './output.ts';
import { at } from './times.ts';

const phoneOf = ({ customer, country }: WorkshopBooking) =>
  customer.phone === null ? null : phoneIn(country, customer.phone);
const servicesOf = ({ services }: WorkshopBooking) =>
  services.map(({ title, catalogCode }) => title ?? catalogCode);

/** The time alone on the day of its start. */
function endOf({ date, endsAt, timezone }: WorkshopBooking): string | null {
  const [start, end] = [at(date, timezone), at(endsAt, timezone)];
  const isSameDay = end !== null && start?.slice(0, 10) === end.slice(0, 10);
  return isSameDay ? end.slice(11, 16) : end;
}

export function shownBooking(booking: WorkshopBooking) {
  const { customer, car } = booking;
  return {
    bookingId: booking.id,
    code: booking.code,
    status: booking.status,
    date: at(booking.date, booking.timezone),
    endsAt: at(booking.endsAt, booking.timezone),
    pickupTime: at(booking.pickupTime, booking.timezone),
    customer: customer.name,
    phone: phoneOf(booking),
    email: customer.email,
    emailBounce: booking.emailBounce,
    car: [car.rego, car.year, car.make, car.model].filter((part) => part !== null).join(' '),
    services: servicesOf(booking),
    notes: booking.notes,
    cancelReason: booking.cancelReason,
    partner: booking.partner ?? "the workshop's own",
    customerId: booking.customerId,
    workshopId: booking.workshopId,
    createdAt: at(booking.createdAt, booking.timezone),
    updatedAt: at(booking.updatedAt, booking.timezone),
  };
}

/** A booking after a change, and what speaks against its time. */
export function changedAnswer(booking: WorkshopBooking, warnings: readonly string[]) {
  const lines = warnings.map((text) => `${styled('yellow', 'warning:')} ${text}`);
  return {
    json: { ...booking, warnings },
    text: [details(shownBooking(booking)), ...lines].join('\n'),
  };
}

export const bookingColumns = {
  CODE: (row: WorkshopBooking) => row.code,
  DATE: (row: WorkshopBooking) => at(row.date, row.timezone),
  END: endOf,
  STATUS: (row: WorkshopBooking) => row.status,
  CAR: (row: WorkshopBooking) => row.car.rego,
  CUSTOMER: (row: WorkshopBooking) => row.customer.name,
  PHONE: phoneOf,
  SERVICES: servicesOf,
  PARTNER: (row: WorkshopBooking) => row.partner,
};
