/** SQL of opt-ins that are reported to providers (table `provider_opt_in`): made with the opt-in, and read for its page. */
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { idsOf } from '#product/customers/merged/store.ts';

/** One for each of these rows of a customer that has a number. `agreedOn` is `YYYY-MM-DD`; null: unknown. `now` is business time. */
export async function insertProviderOptIns(
  tx: Queryable,
  customerIds: readonly string[],
  agreedOn: string | null,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO provider_opt_in (id, workshop_id, customer_id, agreed_on, state, due_at, created_at)
     SELECT ${newIdSql}, workshop_id, id, $2::date, 'waiting', clock_timestamp(), $3
       FROM customer WHERE id = ANY ($1::uuid[]) AND phone LIKE '+%' AND erased_at IS NULL ORDER BY id`,
    [customerIds, agreedOn, now],
  );
}

/** Deletes those of customers who are erased. */
export async function deleteProviderOptIns(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM provider_opt_in WHERE customer_id = ANY ($1::uuid[])', [customerIds]);
}

/** `noCall`: no provider has one. `overtaken`: the customer opted out again before it was told. */
export type ToldState = 'waiting' | 'told' | 'refused' | 'noCall' | 'overtaken';

export interface ToldOptIn {
  readonly state: ToldState;
  /** Why it was refused, for people. */
  readonly detail: string | null;
}

/** The state of the newest opt-in of a customer; null: none is stored. */
export async function findToldOptIn(
  db: Queryable,
  workshopId: string,
  customerId: string,
): Promise<ToldOptIn | null> {
  const [row] = await db.query<ToldOptIn>(
    `SELECT state, detail FROM provider_opt_in WHERE customer_id = ANY (${idsOf('$2::uuid')}) AND workshop_id = $1
      ORDER BY id DESC LIMIT 1`,
    [workshopId, customerId],
  );
  return row ?? null;
}
