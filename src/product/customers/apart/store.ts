/**
 * SQL of customers apart: whoever may not see phones has booked with a number that the workshop knew, and must not learn whose it is
 * (specification: The workshop's own bookings 8). Such a booking has a customer row of its own, without a phone, which names whose number it is. Staff
 * who see phones read it with theirs; an opt-out of theirs holds for it (`share_opt_out.sql`).
 */
import type { Queryable } from '#platform/db/database.ts';
import { workshopItself } from '../store.ts';

/** An SQL expression: the phone (E.164) of whose number this customer apart was booked with; null for any other customer. */
export const numberOfApart = (customerId: string): string => `(
      SELECT its_number.phone FROM customer_apart its_apart JOIN customer its_number ON its_number.id = its_apart.number_of
       WHERE its_apart.customer_id = ${customerId})`;

/** An SQL expression: the ids of the customers apart with a number of these rows, a uuid[]. */
export const apartIdsOf = (ids: string): string =>
  `ARRAY(SELECT its_apart.customer_id FROM customer_apart its_apart WHERE its_apart.number_of = ANY (${ids}))`;

/** The ids of the customers apart with a number of these rows. */
export async function findApart(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`SELECT unnest(${apartIdsOf('$1::uuid[]')}) AS id`, [ids]);
  return rows.map(({ id }) => id);
}

/** The customer with whose number a customer apart was booked. */
export interface NumberOf {
  /** The kept one, for a merged customer. */
  readonly customerId: string;
  /** E.164; null: they have none any more. */
  readonly phone: string | null;
  readonly optedOut: boolean;
}

/** Null: not a customer apart of this workshop. */
export async function findNumberOf(
  db: Queryable,
  workshopId: string,
  customerId: string,
): Promise<NumberOf | null> {
  const [row] = await db.query<NumberOf>(
    `SELECT coalesce(k.merged_into, k.id) AS customer_id, k.phone, k.opted_out_at IS NOT NULL AS opted_out
       FROM customer_apart a JOIN customer k ON k.id = a.number_of WHERE a.customer_id = $2 AND a.workshop_id = $1`,
    [workshopId, customerId],
  );
  return row ?? null;
}

/** A number that was typed, with the details that its customer was given. */
export interface TypedNumber {
  readonly workshopId: string;
  /** E.164. */
  readonly phone: string;
  readonly newCustomerId: string;
  /** Null: not given. */
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly now: Date;
}

/**
 * Makes a customer apart where the workshop knows the number, and locks whose it is until the transaction ends, so that no opt-out is
 * missed. False: nobody has the number, and nothing is made.
 */
export async function insertApart(tx: Queryable, typed: TypedNumber): Promise<boolean> {
  const { workshopId, phone, newCustomerId, name, firstName, lastName, email, company, now } = typed;
  const rows = await tx.query(
    `WITH known AS (SELECT id, opted_out_at FROM customer WHERE phone = $2 AND workshop_id = $1 FOR NO KEY UPDATE),
     made AS (
       INSERT INTO customer
         (id, workshop_id, name, first_name, last_name, email, company, details_from, opted_out_at, created_at, updated_at)
       SELECT $3, $1, $4, $5, $6, $7, $8, ARRAY['${workshopItself}'::uuid], opted_out_at, $9, $9 FROM known RETURNING id)
     INSERT INTO customer_apart (customer_id, workshop_id, number_of) SELECT made.id, $1, known.id FROM made, known RETURNING true`,
    [workshopId, phone, newCustomerId, name, firstName, lastName, email, company, now],
  );
  return rows.length > 0;
}
