/** Staff say that cars of a customer are one: those whose registrations differ in punctuation alone. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { holdCustomer } from '../hold.ts';
import { ofCustomer } from '../trail.ts';
import { joinCars, lockCarOf, lockCarsLike } from './store.ts';

export interface SameCar {
  readonly workshopId: string;
  readonly customerId: string;
  /** One of them. */
  readonly carId: string;
  /** The version of the customer that the form showed. */
  readonly seen: number;
  readonly actor: Actor;
}

/**
 * From then on staff read them as one car (specification: Regos). Each keeps its registration, so that bookings and their partners read the
 * same as before. Idempotent. Throws 404 040001 for a car that is not the customer's, 412 000010 for another version of the customer, and
 * OperatorError where no other car is like it.
 */
export async function joinSameCar(
  context: ChangeContext,
  { workshopId, customerId, carId, seen, actor }: SameCar,
): Promise<void> {
  await change(context, async ({ tx, now }) => {
    await holdCustomer(tx, workshopId, customerId, seen);
    const car = await lockCarOf(tx, { workshopId, customerId, carId });
    if (car === null) throw new Problem('040001');
    const cars = car.rego === null ? [] : await lockCarsLike(tx, { workshopId, customerId, rego: car.rego });
    const regos = [...new Set(cars.map(({ rego }) => rego))].toSorted();
    if (regos.length < 2)
      throw new OperatorError(
        'the customer has no other car whose registration differs in punctuation alone',
      );
    await joinCars(
      tx,
      workshopId,
      cars.map(({ carId: id }) => id),
    );
    if (!cars.every(({ isJoined }) => isJoined))
      await recordEntry(tx, {
        ...ofCustomer({ customerId, workshopId }, actor, 'sameCar', now),
        after: { regos },
      });
  });
}
