/** The template variables of a booking: every value is a text as people read it, empty when unset. */
import { localDate, localDateTime, localTime } from '#values/local-time.ts';
import { oneLine } from '#values/one-line.ts';
import type { Booking } from './schema.ts';

export interface TemplateWorkshop {
  readonly name: string;
  readonly slug: string;
  readonly phone: string;
  readonly email: string;
  /** IANA name. */
  readonly timezone: string;
}

/** Puts a value on one line: line breaks and other control characters must not reach a subject line or a calendar. */
export function line(value: string | number | null): string {
  return oneLine(String(value ?? ''));
}

function filled(values: readonly (string | number | null)[]): string {
  return values.map(line).filter(Boolean).join(' ');
}

/** The variables for a template about this booking; times are in the workshop's zone. */
export function bookingVariables(booking: Booking, workshop: TemplateWorkshop) {
  const at = new Date(booking.date);
  const pickup = booking.pickupTime === null ? null : new Date(booking.pickupTime);
  return {
    customer: customerVariables(booking.customer),
    workshop: workshopVariables(workshop),
    booking: {
      code: booking.code,
      status: booking.status,
      date: localDate(at, workshop.timezone),
      time: localTime(at, workshop.timezone),
      dateTime: localDateTime(at, workshop.timezone),
      pickupTime: pickup === null ? '' : localDateTime(pickup, workshop.timezone),
      services: servicesLine(booking.services),
      servicePackageType: line(booking.servicePackageType),
      notes: booking.notes ?? '',
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

export function customerVariables(customer: Booking['customer']) {
  return {
    name: line(customer.name),
    firstName: line(customer.firstName),
    lastName: line(customer.lastName),
    email: line(customer.email),
    phone: line(customer.phone),
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

/** The workshop's variables, which every template has. */
export function workshopVariables(workshop: TemplateWorkshop) {
  return {
    name: line(workshop.name),
    slug: workshop.slug,
    phone: line(workshop.phone),
    email: line(workshop.email),
  };
}
