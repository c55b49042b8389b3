/** The customer and the car of a reminder, as its partner knows them: values of the request, else of its own last booking. */

import { splitName } from '#base/values/person-name.ts';
import type { Booking } from '#product/bookings/schema.ts';
import type { CustomerSeen } from '#product/customers/seen/store.ts';
import type { ServiceReminder } from './schema.ts';

/** Without the ids, which the inserting statement adds. */
export type KnownCustomer = Omit<ServiceReminder['customer'], 'id' | 'workshopId'>;
export type KnownCar = Omit<NonNullable<ServiceReminder['car']>, 'id' | 'customerId'>;

/** `name` is the sent one; without any name the phone serves as name. */
export function knownCustomer(
  name: string | null,
  phone: string,
  customer: CustomerSeen | null,
): KnownCustomer {
  const seen = customer ?? {};
  const named = name === null ? seen : { ...seen, name, ...splitName(name) };
  return {
    name: named.name ?? phone,
    firstName: named.firstName ?? null,
    lastName: named.lastName ?? null,
    email: seen.email ?? null,
    phone,
    company: seen.company ?? null,
    ...{ address: null, postcode: null, suburb: null },
  };
}

/** Null when there is no car. `rego` is the sent one. */
export function knownCar(rego: string | null, last: Booking | null): KnownCar | null {
  if (last !== null && (rego === null || rego === last.car.rego)) return carOf(last);
  return rego === null ? null : { rego, year: null, make: null, model: null, badge: null, vin: null };
}

export function carOf({ car }: Booking): KnownCar {
  const { id: _id, customerId: _customerId, ...known } = car;
  return known;
}

/** The contact details of a booking. */
export function customerOf({ customer }: Booking): KnownCustomer {
  const { id: _id, workshopId: _workshopId, ...known } = customer;
  return known;
}

/** The first service of the booking that is in the workshop's catalogue; null without one. */
export function catalogueServiceOf(last: Booking | null): string | null {
  const ids = (last?.services ?? []).map(
    (item: { readonly title: string | null; readonly catalogId?: string | null }) => item.catalogId,
  );
  return ids.find((id) => typeof id === 'string') ?? null;
}
