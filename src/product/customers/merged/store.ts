/**
 * SQL of merged customers. Each row stays, with its phone, bookings and conversation; a merged row refers to the older, kept one
 * (`merged_into`), so one step leads from any row to all. Staff read all rows of a customer as one.
 */
import type { Queryable } from '#platform/db/database.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';

/**
 * An SQL expression: the ids of all rows of the customer with this id, a uuid[]; empty when there is no such customer. Its table
 * aliases are unique, so that the id may be a column of any table.
 */
export const idsOf = (id: string): string => `ARRAY(
      SELECT its_row.merged_into FROM customer its_row WHERE its_row.id = ${id} AND its_row.merged_into IS NOT NULL
      UNION SELECT its_row.id FROM customer its_row WHERE its_row.id = ${id}
      UNION SELECT its_other.id FROM customer its_row
        JOIN customer its_other ON its_other.merged_into = coalesce(its_row.merged_into, its_row.id) WHERE its_row.id = ${id})`;

/** An SQL query: the ids of the other rows of the customer whose row is `k`. */
export const otherIdsOf = (
  k: string,
): string => `SELECT ${k}.merged_into AS id WHERE ${k}.merged_into IS NOT NULL
      UNION ALL SELECT its_other.id FROM customer its_other
        WHERE its_other.merged_into = coalesce(${k}.merged_into, ${k}.id) AND its_other.id <> ${k}.id`;

/** An SQL expression: the conversations of the customer of this conversation, a uuid[]. */
export const conversationsOf = (conversation: string): string => `ARRAY(
      SELECT its_talk.id FROM conversation given_talk JOIN customer its_row ON its_row.id = given_talk.customer_id CROSS JOIN LATERAL (
        SELECT its_row.id UNION ALL ${otherIdsOf('its_row')}) AS its_one (id)
        JOIN conversation its_talk ON its_talk.customer_id = its_one.id AND its_talk.workshop_id = given_talk.workshop_id
       WHERE given_talk.id = ${conversation})`;

/** The ids of all rows of a customer at present. */
export async function findIds(db: Queryable, id: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`SELECT unnest(${idsOf('$1::uuid')}) AS id`, [id]);
  return rows.map((row) => row.id);
}

/** Locks in order of phones, as a batch of bookings locks customers. */
const heldInOrder = (which: string) =>
  planByIndex(
    `SELECT id FROM customer WHERE id = ANY (ARRAY(${which})) ORDER BY phone, id FOR NO KEY UPDATE`,
  );
const byIdsText = heldInOrder(`SELECT unnest(${idsOf('given.id')}) FROM unnest($1::uuid[]) AS given (id)`);
const byPhoneText = heldInOrder(
  `SELECT unnest(${idsOf('known.id')}) FROM customer known WHERE known.phone = $1`,
);

/**
 * Locks all rows of these customers until the transaction ends, and returns their ids; rows merged by a concurrent transaction are
 * locked too.
 */
export async function lockCustomers(tx: Queryable, ids: readonly string[]): Promise<readonly string[]> {
  return untilAllAreHeld(() => tx.query<{ id: string }>(byIdsText, [ids]));
}

/** The same for the customers with this phone at all workshops: before it is known which one an SMS is for. */
export async function lockCustomersWith(tx: Queryable, phone: string): Promise<void> {
  await untilAllAreHeld(() => tx.query<{ id: string }>(byPhoneText, [phone]));
}

async function untilAllAreHeld(hold: () => Promise<{ readonly id: string }[]>): Promise<readonly string[]> {
  // Rows are merged and never separated, so the set only grows.
  for (let before = 0; ; ) {
    const held = await hold();
    if (held.length === before) return held.map(({ id }) => id);
    before = held.length;
  }
}

/** All rows of a customer of the workshop. */
export interface CustomerRows {
  readonly workshopId: string;
  /** The requested one first; empty when there is no such customer. */
  readonly ids: readonly string[];
  /** E.164, in the order of the rows. */
  readonly phones: readonly string[];
}

export async function findRows(db: Queryable, workshopId: string, id: string): Promise<CustomerRows> {
  const rows = await db.query<{ id: string; phone: string | null }>(
    `SELECT id, phone FROM customer WHERE id = ANY (${idsOf('$2::uuid')}) AND workshop_id = $1 ORDER BY id <> $2, id`,
    [workshopId, id],
  );
  return { workshopId, ids: rows.map((row) => row.id), phones: rows.flatMap(({ phone }) => phone ?? []) };
}

/** The phones (E.164) of the other rows of a customer of the workshop, the oldest row first. */
export async function findOtherPhones(db: Queryable, workshopId: string, id: string): Promise<string[]> {
  const rows = await db.query<{ phone: string }>(
    `SELECT phone FROM customer WHERE id = ANY (${idsOf('$2::uuid')}) AND id <> $2 AND workshop_id = $1 AND phone IS NOT NULL
      ORDER BY id`,
    [workshopId, id],
  );
  return rows.map(({ phone }) => phone);
}

/** The kept customer of this row of the workshop; null: it was not merged, or does not exist. */
export async function keptInstead(db: Queryable, workshopId: string, id: string): Promise<string | null> {
  const [row] = await db.query<{ mergedInto: string | null }>(
    'SELECT merged_into FROM customer WHERE id = $2 AND workshop_id = $1',
    [workshopId, id],
  );
  return row?.mergedInto ?? null;
}
