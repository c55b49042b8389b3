/** SQL of a customer's page: what is held of them, counted; their cars with what each has had; calls; how they opted out. */
import type { Queryable } from '#platform/db/database.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import type { CarRecord } from '#product/customers/cars/store.ts';

export interface OfCustomer {
  readonly workshopId: string;
  readonly customerId: string;
}

export interface Held {
  readonly bookings: number;
  /** To how many of them nobody came. */
  readonly notCome: number;
  readonly quotes: number;
  readonly reminders: number;
  readonly calls: number;
  readonly cars: number;
  /** By and to the customer. */
  readonly messages: number;
}

const counted = (table: string) =>
  `(SELECT count(*)::integer FROM ${table} WHERE customer_id = $2 AND workshop_id = $1)`;

/** A condition on a call `l` of the customer `$2`, whose row is `c`: also one from their phone before they were known. */
const theirCall = `l.workshop_id = $1 AND (l.customer_id = $2 OR l.customer_id IS NULL AND l.caller_phone = c.phone)`;

/** Planned for this customer: some have ten bookings, some ten thousand. */
const countText = planEachTime(
  `SELECT (SELECT count(*)::integer FROM booking WHERE customer_id = $2) AS bookings,
          (SELECT count(*)::integer FROM booking b JOIN attendance a ON a.booking_id = b.id
            WHERE b.customer_id = $2 AND a.state = 'didNotCome') AS not_come,
          ${counted('quote')} AS quotes, ${counted('service_reminder')} AS reminders, ${counted('car')} AS cars,
          (SELECT count(*)::integer FROM call_lead l WHERE ${theirCall}) AS calls,
          (SELECT count(*)::integer FROM message WHERE customer_id = $2) AS messages
     FROM customer c WHERE c.id = $2 AND c.workshop_id = $1`,
);

/** By indexes that begin with the customer. Of one of another workshop there is nothing. */
export async function countHeld(db: Queryable, { workshopId, customerId }: OfCustomer): Promise<Held> {
  const [row] = await db.query<Held>(countText, [workshopId, customerId]);
  return row ?? { bookings: 0, notCome: 0, quotes: 0, reminders: 0, calls: 0, cars: 0, messages: 0 };
}

export interface CarHistory extends CarRecord {
  readonly bookings: number;
  /** Of its last booking that was not cancelled, up to now; null: there is none. */
  readonly lastSeenAt: Date | null;
}

/** A customer's cars, the one that was seen last first. `now` is business time. */
export async function listCarHistory(
  db: Queryable,
  { workshopId, customerId, now, limit }: OfCustomer & { readonly now: Date; readonly limit: number },
): Promise<CarHistory[]> {
  return db.query<CarHistory>(
    `SELECT car.id AS car_id, rego, year, make, model, badge, vin, coalesce(its.bookings, 0) AS bookings, its.last_seen_at
       FROM car LEFT JOIN (
         SELECT car_id, count(*)::integer AS bookings, max(date) FILTER (WHERE status <> 'cancelled' AND date <= $3) AS last_seen_at
           FROM booking WHERE customer_id = $2 GROUP BY car_id) AS its ON its.car_id = car.id
      WHERE car.customer_id = $2 AND car.workshop_id = $1
      ORDER BY its.last_seen_at DESC NULLS LAST, car.created_at, car.id LIMIT $4`,
    [workshopId, customerId, now, limit],
  );
}

export interface Call {
  readonly id: string;
  readonly calledAt: Date;
  readonly outcome: string;
  readonly durationSeconds: number | null;
  readonly partner: string;
}

/** A customer's calls, the latest first. */
export async function listCalls(
  db: Queryable,
  { workshopId, customerId, limit }: OfCustomer & { readonly limit: number },
): Promise<Call[]> {
  return db.query<Call>(
    `SELECT l.id, l.called_at, l.outcome, l.duration_seconds, p.name AS partner
       FROM customer c JOIN call_lead l ON ${theirCall} JOIN partner p ON p.id = l.partner_id
      WHERE c.id = $2 AND c.workshop_id = $1
      ORDER BY l.called_at DESC, l.id DESC LIMIT $3`,
    [workshopId, customerId, limit],
  );
}
