/**
 * SQL of walk-ins: customers without a phone, whom no search by phone finds. A phone that is learned later makes them known, or
 * leads to a known customer.
 */
import type { Queryable } from '#platform/db/database.ts';

/**
 * The unique constraint that `givePhone` violates when a customer with the phone is created concurrently: it must then be tried
 * again.
 */
export const phoneConstraint = 'customer_phone_workshop_id_key';

export interface LearnedPhone {
  readonly workshopId: string;
  readonly customerId: string;
  /** E.164. */
  readonly phone: string;
  readonly now: Date;
}

/**
 * Gives a walk-in their phone, unless another customer has it. An erased customer gets none. A customer apart is one no longer:
 * with a number of their own, what is said with the other holds for them no more.
 */
export async function givePhone(
  tx: Queryable,
  { workshopId, customerId, phone, now }: LearnedPhone,
): Promise<void> {
  await tx.query(
    `WITH given AS (
       UPDATE customer SET phone = $3, name = coalesce(name, $3), updated_at = $4
        WHERE id = $2 AND workshop_id = $1 AND phone IS NULL AND erased_at IS NULL
          AND NOT EXISTS (SELECT FROM customer known WHERE known.phone = $3 AND known.workshop_id = $1)
       RETURNING id)
     DELETE FROM customer_apart USING given WHERE customer_id = given.id`,
    [workshopId, customerId, phone, now],
  );
}

/** The customer and the car of a booking before a written change. */
export interface LeftBehind {
  readonly bookingId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly carId: string;
}

/** Deletes a car without a rego that no booking or quote uses any more: nothing would find it. */
export async function removeLeftCar(tx: Queryable, { workshopId, carId }: LeftBehind): Promise<void> {
  await tx.query(
    `DELETE FROM car WHERE id = $2 AND workshop_id = $1 AND rego IS NULL
        AND NOT EXISTS (SELECT FROM booking WHERE booking.car_id = car.id)
        AND NOT EXISTS (SELECT FROM quote WHERE quote.car_id = car.id)`,
    [workshopId, carId],
  );
}

/**
 * Deletes a walk-in whose last booking moved to another customer, with their cars. They stay if an e-mail was sent to them, or an
 * event not yet relayed may send one, if they have tags, and always if they were merged. Conversations, quotes, calls and reminders
 * need a phone, so a walk-in has none.
 */
export async function removeLeftCustomer(
  tx: Queryable,
  { bookingId, workshopId, customerId }: LeftBehind,
): Promise<void> {
  const walkIn = `id = $2 AND workshop_id = $1 AND phone IS NULL AND erased_at IS NULL AND tags = '{}' AND merged_into IS NULL
    AND NOT EXISTS (SELECT FROM customer merged WHERE merged.merged_into = $2)`;
  // Locked before the check: a concurrent booking that chose them is committed by then, or does not find them.
  const held = await tx.query(`SELECT FROM customer WHERE ${walkIn} FOR UPDATE`, [workshopId, customerId]);
  if (held.length === 0) return;
  await tx.query(
    `WITH left_behind AS (
       SELECT id FROM customer WHERE ${walkIn}
          AND NOT EXISTS (SELECT FROM booking WHERE booking.customer_id = customer.id)
          AND NOT EXISTS (SELECT FROM message WHERE message.customer_id = customer.id)
          AND NOT EXISTS (
            SELECT FROM event WHERE subject_id = $3 AND relayed_at IS NULL
               AND payload->'booking'->>'customerId' = customer.id::text AND payload->'booking'->'customer'->>'email' <> '')),
     cars AS (DELETE FROM car USING left_behind WHERE car.customer_id = left_behind.id AND car.workshop_id = $1)
     DELETE FROM customer USING left_behind WHERE customer.id = left_behind.id`,
    [workshopId, customerId, bookingId],
  );
}
