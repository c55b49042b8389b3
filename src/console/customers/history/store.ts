/** SQL of a customer's page, over all their rows: counts, cars with their bookings, and calls. */
import type { Queryable } from '#platform/db/database.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import { type CarRecord, carName, plainRegoOf } from '#product/customers/cars/store.ts';
import type { CustomerRows } from '#product/customers/merged/store.ts';

export interface Held {
  readonly bookings: number;
  /** How many of them were no-shows. */
  readonly notCome: number;
  readonly quotes: number;
  readonly reminders: number;
  readonly calls: number;
  readonly cars: number;
  /** By and to the customer. */
  readonly messages: number;
}

const ofRows = 'customer_id = ANY ($2::uuid[]) AND workshop_id = $1';
const counted = (table: string) => `(SELECT count(*)::integer FROM ${table} WHERE ${ofRows})`;

/** A condition on a call `l` of the customer whose rows are `$2`, with the phones `$3`: also one from a phone of theirs before they were known. */
const theirCall = `l.workshop_id = $1
      AND (l.customer_id = ANY ($2::uuid[]) OR l.customer_id IS NULL AND l.caller_phone = ANY ($3::text[]))`;

/** Planned for this customer: some have ten bookings, some ten thousand. Cars are counted as they are listed. */
const countText = planEachTime(
  `SELECT (SELECT count(*)::integer FROM booking WHERE customer_id = ANY ($2::uuid[])) AS bookings,
          (SELECT count(*)::integer FROM booking b JOIN attendance a ON a.booking_id = b.id
            WHERE b.customer_id = ANY ($2::uuid[]) AND a.state = 'didNotCome') AS not_come,
          ${counted('quote')} AS quotes, ${counted('service_reminder')} AS reminders,
          (SELECT count(DISTINCT ${carName})::integer FROM car WHERE ${ofRows}) AS cars,
          (SELECT count(*)::integer FROM call_lead l WHERE ${theirCall}) AS calls,
          (SELECT count(*)::integer FROM message WHERE customer_id = ANY ($2::uuid[])) AS messages
    WHERE EXISTS (SELECT FROM customer WHERE id = ANY ($2::uuid[]) AND workshop_id = $1)`,
);

/** By indexes that begin with the customer. A customer of another workshop has no rows here. */
export async function countHeld(db: Queryable, { workshopId, ids, phones }: CustomerRows): Promise<Held> {
  const [row] = await db.query<Held>(countText, [workshopId, ids, phones]);
  return row ?? { bookings: 0, notCome: 0, quotes: 0, reminders: 0, calls: 0, cars: 0, messages: 0 };
}

export interface CarHistory extends CarRecord {
  /** The letters and digits of its rego, by which those that differ in punctuation alone are told; null: it has none. */
  readonly plain: string | null;
  /** The regos of all its rows, some perhaps twice; null: no row has one. */
  readonly regos: readonly string[] | null;
  readonly bookings: number;
  /** The date of its last past booking that was not cancelled; null: there is none. */
  readonly lastSeenAt: Date | null;
}

const details = ['year', 'make', 'model', 'badge', 'vin'] as const;
/** The value of a column from the newest row of a car that has one. */
const latest = (name: string) => `(array_agg(${name}) FILTER (WHERE ${name} IS NOT NULL) OVER newest)[1]`;

const carsText = planEachTime(`WITH its AS (
       SELECT car.*, ${carName} AS name, coalesce(had.bookings, 0) AS had_bookings, had.last_seen_at AS was_seen_at
         FROM car LEFT JOIN (
           SELECT car_id, count(*) AS bookings, max(date) FILTER (WHERE status <> 'cancelled' AND date <= $3) AS last_seen_at
             FROM booking WHERE customer_id = ANY ($2::uuid[]) GROUP BY car_id) AS had ON had.car_id = car.id
        WHERE ${ofRows})
     SELECT car_id, rego, year, make, model, badge, vin, plain, regos, bookings, last_seen_at FROM (
       SELECT DISTINCT ON (name) id AS car_id, rego, created_at, ${details.map((name) => `${latest(name)} AS ${name}`).join(', ')},
              ${plainRegoOf('rego')} AS plain,
              array_agg(rego) FILTER (WHERE rego IS NOT NULL) OVER alike AS regos,
              (sum(had_bookings) OVER alike)::integer AS bookings, max(was_seen_at) OVER alike AS last_seen_at
         FROM its WINDOW alike AS (PARTITION BY name), newest AS (PARTITION BY name ORDER BY updated_at DESC, id
              ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
        ORDER BY name, updated_at DESC, id) AS shown
      ORDER BY last_seen_at DESC NULLS LAST, created_at, car_id LIMIT $4`);

export interface CarsOf {
  readonly rows: CustomerRows;
  /** Business time. */
  readonly now: Date;
  readonly limit: number;
}

/** A customer's cars, the one that was seen last first; of two with one rego, after a merge, or that staff made one, the one that came last, with what both have had. */
export async function listCarHistory(
  db: Queryable,
  { rows: { workshopId, ids }, now, limit }: CarsOf,
): Promise<CarHistory[]> {
  return db.query<CarHistory>(carsText, [workshopId, ids, now, limit]);
}

export interface Call {
  readonly id: string;
  readonly calledAt: Date;
  readonly outcome: string;
  readonly durationSeconds: number | null;
  readonly partner: string;
}

const callsText = planEachTime(`SELECT l.id, l.called_at, l.outcome, l.duration_seconds, p.name AS partner
     FROM call_lead l JOIN partner p ON p.id = l.partner_id
    WHERE ${theirCall}
    ORDER BY l.called_at DESC, l.id DESC LIMIT $4`);

/** A customer's calls, the latest first. */
export async function listCalls(
  db: Queryable,
  { workshopId, ids, phones }: CustomerRows,
  limit: number,
): Promise<Call[]> {
  return db.query<Call>(callsText, [workshopId, ids, phones, limit]);
}
