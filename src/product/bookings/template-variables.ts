/**
 * The template variables of a booking: every value is display text, empty when unset. Links in callers' texts are disabled in the
 * way of the message's channel.
 */

import { visible } from '#base/values/bidi.ts';
import { addressShownBy, regoShownBy, shownBy } from '#base/values/callers-links.ts';
import { localDate, localDateTime, localTime } from '#base/values/local-time.ts';
import { oneLine } from '#base/values/one-line.ts';
import { greetedName } from '#base/values/person-name.ts';
import { nameWritten, phoneFor, phoneIn } from '#base/values/phone.ts';
import type { CustomerSeen } from '#product/customers/seen/store.ts';
import type { Channel } from '#product/sending/kinds.ts';
import type { AnyBooking } from './schema.ts';

export interface TemplateWorkshop {
  readonly name: string;
  readonly slug: string;
  readonly phone: string;
  readonly email: string;
  /** Null: unknown. */
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

/** A caller's text on one line. */
export const callersLine = (channel: Channel, value: string | number | null | undefined): string =>
  shownBy[channel](line(value));

/** A caller's text of several lines. */
export const callersText = (channel: Channel, value: string | null): string =>
  shownBy[channel](visible(value ?? ''));

/**
 * The variables for a template about this booking; times are in the workshop's zone. `previousDate`: the old time of a moved
 * booking.
 */
export function bookingVariables(
  booking: AnyBooking,
  workshop: TemplateWorkshop,
  channel: Channel,
  previousDate: string | null = null,
) {
  const at = new Date(booking.date);
  const pickup = booking.pickupTime === null ? null : new Date(booking.pickupTime);
  return {
    customer: customerVariables(booking.customer, workshop, channel),
    workshop: workshopVariables(workshop, booking.customer.phone),
    booking: {
      code: booking.code,
      status: booking.status,
      date: localDate(at, workshop.timezone),
      time: localTime(at, workshop.timezone),
      dateTime: localDateTime(at, workshop.timezone),
      previousDateTime: previousDate === null ? '' : localDateTime(new Date(previousDate), workshop.timezone),
      pickupTime: pickup === null ? '' : localDateTime(pickup, workshop.timezone),
      services: servicesLine(booking.services, channel),
      servicePackageType: callersLine(channel, booking.servicePackageType),
      notes: callersText(channel, booking.notes),
      externalId: callersLine(channel, booking.externalId),
      cancelReason: callersLine(channel, booking.cancelReason),
    },
    car: carVariables(booking.car, channel),
  };
}

export type BookingVariables = ReturnType<typeof bookingVariables>;

/** Services by title, else by code. */
export function servicesLine(services: AnyBooking['services'], channel: Channel): string {
  const titles = services.map((item) => callersLine(channel, item.title ?? item.catalogCode));
  return titles.filter(Boolean).join(', ');
}

/** The variables for a template without a booking. */
export function personVariables(
  customer: CustomerSeen,
  workshop: Omit<TemplateWorkshop, 'timezone'>,
  channel: Channel,
) {
  return {
    customer: customerVariables(customer, workshop, channel),
    workshop: workshopVariables(workshop, customer.phone ?? null),
  };
}

/** The phone, and a name that is one, are shown in the workshop's national notation. */
export function customerVariables(
  customer: CustomerSeen,
  { country }: Pick<TemplateWorkshop, 'country'>,
  channel: Channel,
) {
  return {
    name: callersLine(channel, customer.name && nameWritten(customer.name, country)),
    firstName: callersLine(
      channel,
      customer.firstName && nameWritten(greetedName(customer.firstName), country),
    ),
    lastName: callersLine(channel, customer.lastName),
    email: addressShownBy(channel, line(customer.email)),
    phone: phoneIn(country, line(customer.phone)),
    company: callersLine(channel, customer.company),
  };
}

export function carVariables(car: AnyBooking['car'], channel: Channel) {
  const shown = (value: string | number | null) => callersLine(channel, value);
  const [year, make, model, badge] = [shown(car.year), shown(car.make), shown(car.model), shown(car.badge)];
  const description = [year, make, model, badge].filter(Boolean).join(' ');
  return {
    rego: regoShownBy(channel, line(car.rego)),
    make,
    model,
    year,
    badge,
    vin: shown(car.vin),
    description,
  };
}

/**
 * The workshop's variables, which every template has. Its phone is shown in the notation for the customer with the phone `reader`.
 */
export function workshopVariables(
  workshop: Omit<TemplateWorkshop, 'timezone'>,
  reader: string | null = null,
) {
  return {
    name: line(workshop.name),
    slug: workshop.slug,
    phone: phoneFor(reader, workshop),
    email: line(workshop.email),
    address: line(workshop.address),
  };
}
