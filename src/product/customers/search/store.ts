/** SQL of the search terms of customers: the data they are derived from, and keeping them up to date. */
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { Term } from './terms.ts';

/** A table whose rows belong to a customer and have events. */
export type OfCustomer = 'booking' | 'quote' | 'service_reminder' | 'message';

/**
 * Makes the customers of these rows due. A booking's code may still be a term of its previous customer, who is due too. Messages
 * and reminders do not change customers, so only customers without terms are due.
 */
const noteTexts: Readonly<Record<OfCustomer, string>> = {
  booking: dueText(`SELECT customer_id FROM booking WHERE id = ANY ($1::uuid[])
      UNION SELECT t.customer_id FROM booking b JOIN search_term t
        ON t.workshop_id = b.workshop_id AND t.kind = 'code' AND t.term = lower(b.code)
       WHERE b.id = ANY ($1::uuid[])`),
  quote: dueText(`SELECT customer_id FROM quote WHERE id = ANY ($1::uuid[])`),
  service_reminder: unknownText('service_reminder'),
  message: unknownText('message'),
};

function dueText(customers: string): string {
  return planOnce(`WITH theirs AS (${customers})
    INSERT INTO search_due (customer_id, id) SELECT customer_id, ${newIdSql} FROM theirs WHERE customer_id IS NOT NULL`);
}

function unknownText(table: OfCustomer): string {
  return dueText(`SELECT DISTINCT customer_id FROM ${table} WHERE id = ANY ($1::uuid[])
      AND NOT EXISTS (SELECT FROM search_customer s WHERE s.customer_id = ${table}.customer_id)`);
}

/** Runs in the relay's transaction. */
export async function noteCustomersOf(
  tx: Queryable,
  table: OfCustomer,
  ids: readonly string[],
): Promise<void> {
  await tx.query(noteTexts[table], [ids]);
}

const noteText = `INSERT INTO search_due (customer_id, id) SELECT unnest($1::uuid[]), ${newIdSql}`;

/**
 * Makes the terms of these customers due within a second. Runs in the transaction that changes them, for changes without an event.
 */
export async function noteChanged(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query(noteText, [customerIds]);
}

const keptText = planOnce(`SELECT id AS customer_id FROM customer WHERE id = ANY ($1::uuid[])
    UNION SELECT merged_into FROM customer WHERE id = ANY ($1::uuid[]) AND merged_into IS NOT NULL`);

/** These customers, and the kept ones of those that were merged: a merged customer is found as the kept one. */
export async function withKept(tx: Queryable, customerIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ customerId: string }>(keptText, [customerIds]);
  return [...new Set([...customerIds, ...rows.map(({ customerId }) => customerId)])];
}

/** Up to `limit` customers that are due, and have not failed in this job. */
export async function findDue(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ customerId: string }>(
    planOnce(`SELECT DISTINCT customer_id FROM search_due WHERE ${notFailed(job, 'search_due.customer_id')}
      ORDER BY customer_id LIMIT $1`),
    [limit],
  );
  return rows.map(({ customerId }) => customerId);
}

const holdText = planOnce(`INSERT INTO search_customer (customer_id, workshop_id, recent_at, mark)
    SELECT id, workshop_id, created_at, 0 FROM customer WHERE id = ANY ($1::uuid[]) ORDER BY id
    ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id WHERE false`);

/**
 * Locks the search rows of these customers until the transaction ends, and creates missing ones, in id order. Data that a later
 * statement reads is then at least as new as what any other process wrote into the terms.
 */
export async function holdSearched(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query(holdText, [customerIds]);
}

/** Marks them as not due, while their rows are locked. */
export async function takeDue(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query(planOnce(`DELETE FROM search_due WHERE customer_id = ANY ($1::uuid[])`), [customerIds]);
}

/** The rows of a customer: `k`, and those merged into it. */
const oneOf = (k: string) =>
  `(SELECT ${k}.id UNION ALL SELECT merged.id FROM customer merged WHERE merged.merged_into = ${k}.id) AS one (id)`;

/** The rows of a table that belong to these rows of a customer: each read by its index, whatever the statistics are. */
const ofThem = (k: string, table: string, columns: string) =>
  `${oneOf(k)} CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} WHERE customer_id = one.id OFFSET 0) AS ${table}`;

/** A hash that changes with any change of a customer's rows, cars or number of bookings; exported for `bench/`. */
export const markOf = (customer: string) => `hashtextextended(concat_ws(' ', ${customer}.xmin,
      (SELECT string_agg(concat(merged.id, merged.xmin), ' ' ORDER BY merged.id) FROM customer merged
        WHERE merged.merged_into = ${customer}.id),
      (SELECT string_agg(concat(car.id, car.xmin), ' ' ORDER BY car.id) FROM ${ofThem(customer, 'car', 'id, xmin')}),
      (SELECT count(*) FROM ${ofThem(customer, 'booking', '')})), 0)`;

export interface SearchedRow {
  readonly customerId: string;
  readonly workshopId: string;
  readonly country: string;
  /** Names, phones and e-mails of all merged rows, as stored. */
  readonly names: string[];
  readonly phones: string[];
  readonly emails: string[];
  /** Has no terms: erased, or merged into another, whose terms include those of both. */
  readonly isGone: boolean;
  readonly regos: string[];
  /** Codes of the newest 1,000 bookings. */
  readonly codes: string[];
  readonly aheadAt: Date | null;
  readonly recentAt: Date;
  /** A bigint as text. */
  readonly mark: string;
}

const readText =
  planOnce(`SELECT k.id AS customer_id, k.workshop_id, w.country, all_rows.names, all_rows.phones, all_rows.emails,
      num_nonnulls(k.erased_at, k.merged_into) > 0 AS is_gone,
      ARRAY(SELECT car.rego FROM ${ofThem('k', 'car', 'rego, workshop_id')}
             WHERE car.workshop_id = k.workshop_id AND car.rego IS NOT NULL) AS regos,
      ARRAY(SELECT its.code FROM ${oneOf('k')} CROSS JOIN LATERAL (
              SELECT id, code FROM booking WHERE customer_id = one.id ORDER BY id DESC LIMIT 1000) AS its
             ORDER BY its.id DESC LIMIT 1000) AS codes,
      booked.ahead_at, coalesce(booked.recent_at, k.created_at) AS recent_at,
      ${markOf('k')}::text AS mark
    FROM customer k JOIN workshop w ON w.id = k.workshop_id
    CROSS JOIN LATERAL (
      SELECT array_remove(array_agg(one.name) || array_agg(one.first_name) || array_agg(one.last_name) || array_agg(one.company), NULL)
               AS names,
             array_remove(array_agg(one.phone), NULL) AS phones, array_remove(array_agg(one.email), NULL) AS emails
        FROM customer one WHERE (one.id = k.id OR one.merged_into = k.id)) AS all_rows
    CROSS JOIN LATERAL (
      SELECT max(date) FILTER (WHERE status IN ('pending', 'confirmed')) AS ahead_at,
             max(date) FILTER (WHERE status <> 'cancelled') AS recent_at
        FROM ${ofThem('k', 'booking', 'date, status')}) AS booked
   WHERE k.id = ANY ($1::uuid[])`);

/** The present data of these customers. */
export async function readSearched(tx: Queryable, customerIds: readonly string[]): Promise<SearchedRow[]> {
  return tx.query<SearchedRow>(readText, [customerIds]);
}

export interface TermsOfCustomer
  extends Pick<SearchedRow, 'customerId' | 'workshopId' | 'aheadAt' | 'recentAt' | 'mark'> {
  readonly terms: readonly Term[];
}

const writeText = planOnce(`WITH wanted AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset($2::jsonb) AS w (customer_id uuid, workshop_id uuid, kind text, term text)),
    gone AS (
      DELETE FROM search_term t WHERE t.customer_id = ANY ($1::uuid[]) AND NOT EXISTS (
        SELECT FROM wanted w WHERE w.customer_id = t.customer_id AND w.workshop_id = t.workshop_id
           AND w.kind = t.kind AND w.term COLLATE "C" = t.term)),
    added AS (
      INSERT INTO search_term (workshop_id, kind, term, customer_id)
      SELECT workshop_id, kind, term, customer_id FROM wanted ON CONFLICT DO NOTHING)
    UPDATE search_customer s
       SET workshop_id = n.workshop_id, ahead_at = n.ahead_at, recent_at = n.recent_at, mark = n.mark
      FROM jsonb_to_recordset($3::jsonb)
        AS n (customer_id uuid, workshop_id uuid, ahead_at timestamptz, recent_at timestamptz, mark bigint)
     WHERE s.customer_id = n.customer_id
       AND (s.workshop_id, s.ahead_at, s.recent_at, s.mark) IS DISTINCT FROM (n.workshop_id, n.ahead_at, n.recent_at, n.mark)`);

/** Replaces the terms of these customers, and writes only differences, while their rows are locked. */
export async function writeTerms(tx: Queryable, customers: readonly TermsOfCustomer[]): Promise<void> {
  const terms = customers.flatMap(({ customerId, workshopId, terms: its }) =>
    its.map(({ kind, term }) => ({ customerId, workshopId, kind, term })),
  );
  const rows = customers.map(({ terms: _, ...row }) => row);
  const ids = customers.map(({ customerId }) => customerId);
  await tx.query(writeText, [ids, recordset(terms), recordset(rows)]);
}

/** Deletes the terms of these customers, while their rows are locked. */
export async function deleteSearched(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query(`DELETE FROM search_term WHERE customer_id = ANY ($1::uuid[])`, [customerIds]);
  await tx.query(`DELETE FROM search_customer WHERE customer_id = ANY ($1::uuid[])`, [customerIds]);
}

export interface Sweep {
  /** The last customer that was read; null: from the beginning. */
  readonly after: string | null;
}

/** Locks the position of the sweep until the transaction ends; null when another process has locked it. */
export async function holdSweep(tx: Queryable): Promise<Sweep | null> {
  const [row] = await tx.query<Sweep>(planOnce(`SELECT after FROM search_sweep FOR UPDATE SKIP LOCKED`));
  return row ?? null;
}

const differingText = planOnce(`SELECT k.id AS customer_id,
      (num_nonnulls(k.erased_at, k.merged_into) = 0 OR s.customer_id IS NOT NULL) AND s.mark IS DISTINCT FROM ${markOf('k')} AS differs
    FROM (SELECT id, erased_at, merged_into, xmin FROM customer WHERE id > coalesce($1::uuid, '${lowestId}') ORDER BY id LIMIT $2) AS k
    LEFT JOIN LATERAL (SELECT customer_id, mark FROM search_customer WHERE customer_id = k.id OFFSET 0) AS s ON true
   ORDER BY k.id`);

/** The next customers by id, and whether they have changed since their terms were read. */
export async function lookAfter(
  tx: Queryable,
  after: string | null,
  limit: number,
): Promise<{ readonly customerId: string; readonly differs: boolean }[]> {
  return tx.query(differingText, [after, limit]);
}

/** `after`: null at the end, to start over. A lap of few customers writes nothing. */
export async function moveSweep(tx: Queryable, after: string | null): Promise<void> {
  await tx.query(
    planOnce(`UPDATE search_sweep SET after = $1::uuid, is_filled = is_filled OR $1::uuid IS NULL
      WHERE after IS DISTINCT FROM $1::uuid OR NOT is_filled`),
    [after],
  );
}

export interface SearchState {
  /** False while the sweep after an upgrade is not finished: some customers are not found yet. */
  readonly isFilled: boolean;
}

const stateText = planOnce(`SELECT is_filled FROM search_sweep`);

export async function readSearchState(db: Queryable): Promise<SearchState> {
  const [row] = await db.query<SearchState>(stateText);
  return row ?? { isFilled: false };
}
