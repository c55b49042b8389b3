/** Staff correct make, model, year and VIN of a customer's car, and if asked of their upcoming bookings with it. No notices are sent. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type Change, type ChangeContext, change } from '#platform/change/change.ts';
import { type CarRecord, correctCar, lockCarOf } from '#product/customers/cars/store.ts';
import { ofCustomer } from '#product/customers/trail.ts';
import type { CarDetails } from '../schema.ts';
import { updateBooking } from '../update.ts';
import { lockUpcoming, withCar } from './store.ts';
import { type TypedDetails, typedDetails } from './typed.ts';

export interface CorrectCar {
  readonly workshopId: string;
  readonly customerId: string;
  readonly carId: string;
  /** As typed: an absent one stays, an empty text clears. */
  readonly changes: TypedDetails;
  /** Whether the car is as the form showed it. */
  readonly isAsSeen: (car: CarRecord) => boolean;
  /** True: upcoming bookings with the car get the same values. */
  readonly alsoUpcoming: boolean;
  readonly actor: Actor;
}

/**
 * One commit (specification: The front desk 9). Throws InvalidInput that names every bad detail, 404 040001 for a car that is not the
 * customer's, and 412 000010 for one that is not as seen.
 */
export async function correctCustomersCar(context: ChangeContext, request: CorrectCar): Promise<void> {
  const { value: details, errors } = typedDetails(request.changes);
  if (errors.length > 0) throw new InvalidInput(errors);
  await change(context, (made) => correct(made, request, details));
}

const shownOf = ({ make, model, year, vin }: CarRecord) => ({ make, model, year, vin });

async function correct({ tx, now, within }: Change, request: CorrectCar, details: CarDetails) {
  const { workshopId, customerId, carId, actor, alsoUpcoming } = request;
  // Bookings are locked before their customer and car, as an update does.
  const upcoming = alsoUpcoming ? await lockUpcoming(tx, workshopId, { customerId, from: now }) : [];
  const bookings = await withCar(tx, upcoming, carId);
  const before = await lockCarOf(tx, { workshopId, customerId, carId });
  if (before === null) throw new Problem('040001');
  if (!request.isAsSeen(before)) throw new Problem('000010');
  const { carMake, carModel, carYear, carVin } = details;
  const given = Object.entries({ make: carMake, model: carModel, year: carYear, vin: carVin }).filter(
    ([, value]) => value !== undefined,
  );
  const after: CarRecord = { ...before, ...Object.fromEntries(given) };
  const names = given.map(([name]) => name);
  if (JSON.stringify(shownOf(after)) === JSON.stringify(shownOf(before)) && bookings.length === 0) return;
  for (const bookingId of bookings)
    await updateBooking(within, {
      ...{ actor, bookingId, details, body: { skipNotification: true }, phone: null },
    });
  await correctCar(tx, { ...after, names }, now);
  await recordEntry(tx, {
    ...ofCustomer({ customerId, workshopId }, actor, 'carCorrected', now),
    ...{ before: shownOf(before), after: shownOf(after) },
  });
}
