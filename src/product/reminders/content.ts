/** The fields of a new reminder, from the request and from what its partner knows. */

import { splitName } from '#base/values/person-name.ts';
import { catalogueServiceOf, knownCar, knownCustomer } from './known.ts';
import type { CreateReminderBody } from './schema.ts';
import type { RemindContext, RemindedPerson } from './store.ts';

/** In the form of its statements. */
export function contentOf(person: RemindedPerson, known: RemindContext, body: CreateReminderBody) {
  const { lastBooking } = known;
  const phone = known.phone ?? person.phone ?? '';
  const name = body.customerName ?? null;
  const { firstName, lastName } = name === null ? { firstName: null, lastName: null } : splitName(name);
  const car = knownCar(person.carRego, lastBooking);
  return {
    customer: knownCustomer(name, phone, known.customer),
    car,
    // Given when the car is new in this workshop: its row is created with the reminder.
    carRego: car?.rego ?? null,
    lastBookingId: lastBooking?.id ?? null,
    lastServiceId: catalogueServiceOf(lastBooking),
    externalId: body.externalId ?? null,
    ...{ customerName: name, customerFirstName: firstName, customerLastName: lastName },
  };
}
export type ReminderContent = ReturnType<typeof contentOf>;
