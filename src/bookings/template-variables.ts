/** The template variables of a booking: every value is a text as people read it, empty when unset. */
import { visible } from '#values/bidi.ts';
import { localDate, localDateTime, localTime } from '#values/local-time.ts';
import { oneLine } from '#values/one-line.ts';
import { countryOf, phoneIn } from '#values/phone.ts';
import type { Booking } from './schema.ts';

export interface TemplateWorkshop {
  readonly name: string;
  readonly slug: string;
  readonly phone: string;
  readonly email: string;
  /** Null: not known. */
  readonly address: string | null;
  /** ISO 3166 */
  readonly country: string;
  /** IANA name. */
  readonly timezone: string;
}

/** Puts a value on one line: line breaks, other controls and invisible characters must not reach a subject line or a calendar. */
export function line(value: string | number | null | undefined): string {
  return oneLine(visible(String(value ?? '')));
}

function filled(values: readonly (string | number | null)[]): string {
  return values.map(line).filter(Boolean).join(' ');
}

/** The variables for a template about this booking; times are in the workshop's zone. `previousDate`: when it was before it moved. */
export function bookingVariables(
  booking: Booking,
  workshop: TemplateWorkshop,
  previousDate: string | null = null,
) {
  const at = new Date(booking.date);
  const pickup = booking.pickupTime === null ? null : new Date(booking.pickupTime);
  return {
    customer: customerVariables(booking.customer, workshop),
    workshop: workshopVariables(workshop, booking.customer.phone),
    booking: {
      code: booking.code,
      status: booking.status,
      date: localDate(at, workshop.timezone),
      time: localTime(at, workshop.timezone),
      dateTime: localDateTime(at, workshop.timezone),
      previousDateTime: previousDate === null ? '' : localDateTime(new Date(previousDate), workshop.timezone),
      pickupTime: pickup === null ? '' : localDateTime(pickup, workshop.timezone),
      services: servicesLine(booking.services),
      servicePackageType: line(booking.servicePackageType),
      notes: visible(booking.notes ?? ''),
      externalId: line(booking.externalId),
      cancelReason: line(booking.cancelReason),
    },
    car: carVariables(booking.car),
  };
}

export type BookingVariables = ReturnType<typeof bookingVariables>;

/** Services by title, else by code. */
export function servicesLine(services: Booking['services']): string {
  const titles = services.map((item) => line(item.title ?? item.catalogCode));
  return titles.filter(Boolean).join(', ');
}

/** A customer as far as they are known. */
export type KnownCustomer = Readonly<
  Partial<Record<'name' | 'firstName' | 'lastName' | 'email' | 'phone' | 'company', string | null>>
>;

/** The variables for a template that is about no booking. */
export function personVariables(customer: KnownCustomer, workshop: Omit<TemplateWorkshop, 'timezone'>) {
  return {
    customer: customerVariables(customer, workshop),
    workshop: workshopVariables(workshop, customer.phone ?? null),
  };
}

/** The phone is shown as the workshop dials it. */
export function customerVariables(customer: KnownCustomer, { country }: Pick<TemplateWorkshop, 'country'>) {
  return {
    name: line(customer.name),
    firstName: line(customer.firstName),
    lastName: line(customer.lastName),
    email: line(customer.email),
    phone: phoneIn(country, line(customer.phone)),
    company: line(customer.company),
  };
}

export function carVariables(car: Booking['car']) {
  return {
    rego: line(car.rego),
    make: line(car.make),
    model: line(car.model),
    year: line(car.year),
    badge: line(car.badge),
    vin: line(car.vin),
    description: filled([car.year, car.make, car.model, car.badge]),
  };
}

/** The workshop's variables, which every template has. Its phone is shown as the customer, who has the phone `reader`, dials it. */
export function workshopVariables(
  workshop: Omit<TemplateWorkshop, 'timezone'>,
  reader: string | null = null,
) {
  const country = (reader && countryOf(reader)) || workshop.country;
  return {
    name: line(workshop.name),
    slug: workshop.slug,
    phone: phoneIn(country, workshop.phone),
    email: line(workshop.email),
    address: line(workshop.address),
  };
}
