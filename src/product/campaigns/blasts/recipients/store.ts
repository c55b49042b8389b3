/** SQL of a blast's recipients: who belongs to its audience, who is next, and their end. The outcome of a message is written by `campaign_message_changed.sql`. */

import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import { recordset } from '#platform/db/parameters.ts';
import { idsOf, otherIdsOf } from '#product/customers/merged/store.ts';
import { type CustomerSeen, customerKnown } from '#product/customers/seen/store.ts';
import type { CustomersNumber } from '#product/messaging/staff/store.ts';
import type { AudienceConditions } from '../audience.ts';

/** The most customers that one statement reads; it takes less than a second. */
const atOnce = 20_000;

/**
 * One row `id` for each customer in the part who meets all conditions and may be texted. The rows of a merged customer count as
 * one, with the data of all rows.
 */
const matching = `SELECT coalesce(CASE WHEN c.phone IS NOT NULL THEN c.id END, c.id_with_phone) AS id FROM part AS c
   LEFT JOIN LATERAL (
     SELECT max(b.date) AS at FROM booking b
      WHERE b.customer_id = ANY (c.ids) AND b.status <> 'cancelled' AND b.date <= $3::timestamptz) AS visit
     ON num_nonnulls($4::timestamptz, $5::timestamptz, $10::boolean) > 0
  WHERE (c.phone IS NOT NULL OR c.id_with_phone IS NOT NULL) AND c.opted_out_at IS NULL AND c.erased_at IS NULL
    AND ($4::timestamptz IS NULL OR visit.at < $4) AND ($5::timestamptz IS NULL OR visit.at >= $5)
    AND ($10::boolean IS NULL OR (visit.at IS NULL) = $10)
    AND ($6::text[] IS NULL OR EXISTS (
      SELECT FROM booking b WHERE b.customer_id = ANY (c.ids) AND b.status <> 'cancelled' AND b.date <= $3::timestamptz
         AND (b.service_category = ANY($6) OR EXISTS (
           SELECT FROM jsonb_array_elements(b.services) AS item WHERE item->>'category' = ANY($6)))))
    AND (num_nonnulls($7::integer, $8::integer) = 0 OR EXISTS (
      SELECT FROM car WHERE car.customer_id = ANY (c.ids) AND car.workshop_id = c.workshop_id
         AND car.year BETWEEN coalesce($7::integer, 0) AND coalesce($8::integer, 9999)))
    AND ($9::text[] IS NULL OR c.tags && $9)`;

/** A part of the workshop's customers, in id order. */
const partCte = `part AS (
    SELECT k.id, k.workshop_id, k.phone, k.opted_out_at, k.erased_at, k.tags, array_prepend(k.id, merged.ids) AS ids, merged.id_with_phone
      FROM customer k LEFT JOIN (
        SELECT merged_into, array_agg(id) AS ids, (array_agg(id ORDER BY id) FILTER (WHERE phone IS NOT NULL))[1] AS id_with_phone
          FROM customer WHERE workshop_id = $1 AND merged_into IS NOT NULL GROUP BY merged_into) AS merged ON merged.merged_into = k.id
     WHERE k.workshop_id = $1 AND k.merged_into IS NULL AND ${afterId('k.id', '$2')} ORDER BY k.id LIMIT ${atOnce})`;
const lastOf = `(SELECT id FROM part ORDER BY id DESC LIMIT 1)`;

function valuesOf(workshopId: string, after: string | null, now: Date, conditions: AudienceConditions) {
  const { visitedBefore, visitedFrom, serviceCategories, carYearFrom, carYearTo, tags, neverVisited } =
    conditions;
  const years = [carYearFrom, carYearTo];
  return [
    workshopId,
    after,
    now,
    visitedBefore,
    visitedFrom,
    serviceCategories,
    ...years,
    tags,
    neverVisited,
  ];
}

/** Stores the present audience, in the transaction in which sending begins. */
export async function insertRecipients(
  tx: Queryable,
  blastId: string,
  workshopId: string,
  now: Date,
  conditions: AudienceConditions,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const [row]: { last: string | null }[] = await tx.query<{ last: string | null }>(
      `WITH ${partCte}, made AS (INSERT INTO blast_recipient (blast_id, customer_id) SELECT $11, id FROM (${matching}) AS found)
       SELECT ${lastOf} AS last`,
      [...valuesOf(workshopId, after, now, conditions), blastId],
    );
    if (row === undefined || row.last === null) return;
    after = row.last;
  }
}

interface AudiencePart {
  /** The last customer that was read; null: there are no more. */
  readonly last: string | null;
  /** Those of the audience, in id order, with their numbers at the same places. */
  readonly ids: readonly string[];
  readonly phones: readonly string[];
}

/** The present audience with its numbers, in parts in id order. */
export async function* readAudienceParts(
  db: Queryable,
  workshopId: string,
  now: Date,
  conditions: AudienceConditions,
): AsyncGenerator<readonly CustomersNumber[]> {
  for (let after: string | null = null; ; ) {
    const [row]: AudiencePart[] = await db.query<AudiencePart>(
      `WITH ${partCte}, found AS MATERIALIZED (
         SELECT k.id, k.phone FROM (${matching}) AS its JOIN customer k ON k.id = its.id AND k.workshop_id = $1)
       SELECT ${lastOf} AS last, ARRAY(SELECT id::text FROM found ORDER BY id) AS ids,
              ARRAY(SELECT phone FROM found ORDER BY id) AS phones`,
      valuesOf(workshopId, after, now, conditions),
    );
    if (row === undefined || row.last === null) return;
    const { ids, phones } = row;
    yield ids.map((customerId, at) => ({ customerId, phone: phones[at] ?? '' }));
    after = row.last;
  }
}

export interface RecipientDetails {
  readonly customerId: string;
  /** E.164; null: erased since the audience was fixed. */
  readonly phone: string | null;
  /** They were merged with another recipient, who has had a turn. */
  readonly isSecond: boolean;
  readonly customer: Required<CustomerSeen>;
}

const detailColumns = `c.id AS customer_id, c.phone, ${customerKnown('c')} AS customer`;

/** The workshop's customers, with all rows, who may have asked for no more texts: they are skipped when their turn comes. */
export async function findAsked(db: Queryable, workshopId: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `SELECT its.id FROM talk CROSS JOIN LATERAL unnest(${idsOf('talk.customer_id')}) AS its (id)
      WHERE talk.workshop_id = $1 AND talk.asked_id IS NOT NULL`,
    [workshopId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The next `limit` recipients of a blast, after the last one whose turn was recorded. */
export async function nextRecipients(
  tx: Queryable,
  blast: { readonly id: string; readonly workshopId: string; readonly queuedTo: string | null },
  limit: number,
): Promise<RecipientDetails[]> {
  return tx.query<RecipientDetails>(
    `SELECT ${detailColumns}, EXISTS (
              SELECT FROM (${otherIdsOf('c')}) AS other JOIN blast_recipient r ON r.blast_id = $1 AND r.customer_id = other.id
               WHERE other.id < c.id AND r.state NOT IN ('failed', 'skipped')) AS is_second
       FROM (
       SELECT customer_id FROM blast_recipient WHERE blast_id = $1 AND ${afterId('customer_id', '$3')}
        ORDER BY customer_id LIMIT $4) AS next
       CROSS JOIN LATERAL (SELECT * FROM customer WHERE id = next.customer_id AND workshop_id = $2 LIMIT 1) AS c ORDER BY next.customer_id`,
    [blast.id, blast.workshopId, blast.queuedTo, limit],
  );
}

/** The details of these customers of a workshop, for a preview. */
export async function readDetails(
  db: Queryable,
  workshopId: string,
  customerIds: readonly string[],
): Promise<Omit<RecipientDetails, 'isSecond'>[]> {
  return db.query<Omit<RecipientDetails, 'isSecond'>>(
    `SELECT ${detailColumns} FROM customer c WHERE c.workshop_id = $1 AND c.id = ANY($2::uuid[]) ORDER BY c.id`,
    [workshopId, customerIds],
  );
}

/** The result of a recipient's turn. */
export interface Turn {
  readonly customerId: string;
  readonly state: 'queued' | 'failed' | 'skipped';
  readonly reason: string | null;
}

/** Records a batch of turns, ordered by `customerId`, with the position where the next batch begins. */
export async function recordTurns(tx: Queryable, blastId: string, turns: readonly Turn[]): Promise<void> {
  await tx.query(
    `WITH turn AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS turn (customer_id uuid, state text, reason text)),
     taken AS (
       UPDATE blast_recipient r SET state = turn.state, reason = turn.reason FROM turn
        WHERE r.blast_id = $1 AND r.customer_id = turn.customer_id)
     UPDATE blast SET queued_to = $3 WHERE id = $1`,
    [blastId, recordset(turns), turns.at(-1)?.customerId],
  );
}

/** How many of a blast's recipients have a message that waits, is in flight, or will be retried; `limit` at most. */
export async function countQueued(db: Queryable, blastId: string, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT FROM blast_recipient WHERE blast_id = $1 AND state = 'queued' LIMIT $2) AS queued`,
    [blastId, limit],
  );
  return row?.count ?? 0;
}

/** Blasts with fixed counts whose recipients are not all deleted. */
export async function blastsToEmpty(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT DISTINCT c.blast_id AS id FROM blast_count c JOIN blast b ON b.id = c.blast_id WHERE b.counts IS NOT NULL`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes up to `limit` recipients of a blast with fixed counts, and finally its rows of counts. True when more may be left. */
export async function deleteRecipients(db: Queryable, id: string, limit: number): Promise<boolean> {
  const [row] = await db.query<{ more: boolean }>(
    `WITH part AS (SELECT customer_id FROM blast_recipient WHERE blast_id = $1 ORDER BY customer_id LIMIT $2),
     gone AS (
       DELETE FROM blast_recipient r USING part WHERE r.blast_id = $1 AND r.customer_id = part.customer_id),
     -- With the last recipients go the rows that counted them.
     counted AS (
       DELETE FROM blast_count WHERE blast_id = $1 AND (SELECT count(*) FROM part) < $2)
     SELECT count(*) = $2 AS more FROM part`,
    [id, limit],
  );
  return row?.more ?? false;
}
