/** SQL of the workshop's side: its bookings by date, of any partner, and bookings that occupy its bays. */
import type { Queryable } from '#platform/db/database.ts';
import { filterParameters } from '#platform/db/filters.ts';
import { highestId, lowestId } from '#platform/db/page-bounds.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { hasBounced } from '#product/customers/store.ts';
import { bookingRecord, type WorkshopBooking } from '../record.ts';

export interface WorkshopBookings {
  readonly workshopId: string;
  readonly states: readonly string[];
  /** The values of the staff's filters; absent or null: not filtered. */
  readonly filters: Readonly<Record<string, unknown>> & { readonly from: Date };
  /** The last booking of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

const { json, joins, filters: declared } = bookingRecord.staff;
const item = json('row');

/** A workshop's bookings by date: reads the index of dates until the page is full, and no rows of other workshops. */
export async function listWorkshopBookings(
  db: Queryable,
  { workshopId, states, filters, after, limit }: WorkshopBookings,
): Promise<WorkshopBooking[]> {
  const { conditions, values } = filterParameters(declared, filters, 5);
  const rows = await db.query<{ item: WorkshopBooking }>(
    `SELECT ${item} AS item FROM booking AS row ${joins('row')}
      WHERE row.workshop_id = $1 AND row.status = ANY ($2::text[])
        AND (row.date, row.id) > (coalesce((SELECT date FROM booking WHERE id = $3::uuid), '-infinity'), coalesce($3::uuid, '${lowestId}'))
        ${conditions.map((condition) => `AND ${condition}`).join(' ')}
      ORDER BY row.date, row.id LIMIT $4`,
    [workshopId, states, after, limit, ...values],
  );
  return rows.map((row) => row.item);
}

/** The bookings that occupy some of the time from `from` to `until`, by date: the first 50. */
export async function listOccupying(
  db: Queryable,
  workshopId: string,
  from: Date,
  until: Date,
): Promise<WorkshopBooking[]> {
  const sorts = [
    `occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz - interval '24 hours'`,
    `occupied_until - occupied_from > interval '24 hours'`,
  ].map(
    (sort) =>
      `SELECT id FROM booking WHERE workshop_id = $1 AND ${sort} AND occupied_from < $3 AND occupied_until > $2`,
  );
  const rows = await db.query<{ item: WorkshopBooking }>(
    `SELECT ${item} AS item FROM (${sorts.join(' UNION ALL ')}) AS occupying JOIN booking AS row USING (id) ${joins('row')}
      ORDER BY row.date, row.id LIMIT 50`,
    [workshopId, from, until],
  );
  return rows.map((row) => row.item);
}

const countedAtMost = 1_000;

/** How many bookings occupy some of the time of any of the spans: 1,001 for more than 1,000. */
export async function countOccupying(
  db: Queryable,
  workshopId: string,
  spans: readonly { readonly from: Date; readonly until: Date }[],
): Promise<number> {
  const those =
    'SELECT id FROM booking WHERE workshop_id = $1 AND occupied_from < until AND occupied_until > "from"';
  const [row] = await db.query<{ count: number }>(
    `SELECT count(DISTINCT id)::integer AS count FROM (
       SELECT booking.id FROM unnest($2::timestamptz[], $3::timestamptz[]) AS span ("from", until) CROSS JOIN LATERAL (
         ${those} AND occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= "from" - interval '24 hours'
         UNION ALL ${those} AND occupied_until - occupied_from > interval '24 hours') AS booking
        LIMIT ${countedAtMost + 1}) AS occupying`,
    [workshopId, spans.map(({ from }) => from), spans.map(({ until }) => until)],
  );
  return row?.count ?? 0;
}

export interface BookingsOf {
  readonly customerId: string;
  /** Further customers whose bookings are listed with theirs. */
  readonly alsoOf?: readonly string[];
  /** The last booking of the previous page; absent or null: the first page. */
  readonly before?: string | null;
  readonly limit: number;
}

/** A customer's bookings over all merged rows, latest date first. One page of each row is read through its index. */
export async function listBookingsOf(
  db: Queryable,
  workshopId: string,
  { customerId, alsoOf = [], before = null, limit }: BookingsOf,
): Promise<WorkshopBooking[]> {
  const rows = await db.query<{ item: WorkshopBooking }>(
    `SELECT ${item} AS item FROM (
       SELECT its.* FROM unnest(${idsOf('$2::uuid')} || $5::uuid[]) AS one (id) CROSS JOIN LATERAL (
         SELECT * FROM booking WHERE customer_id = one.id AND workshop_id = $1
            AND (date, id) < (
                coalesce((SELECT date FROM booking WHERE id = $4::uuid
                   AND customer_id = ANY (${idsOf('$2::uuid')} || $5::uuid[])), 'infinity'),
                coalesce($4::uuid, '${highestId}'))
          ORDER BY date DESC, id DESC LIMIT $3) AS its
        ORDER BY its.date DESC, its.id DESC LIMIT $3) AS row ${joins('row')}
      ORDER BY row.date DESC, row.id DESC`,
    [workshopId, customerId, limit, before, alsoOf],
  );
  return rows.map((row) => row.item);
}

/**
 * A customer's bookings from an instant on that may still change, by id. Locked until the transaction ends, in the same order as an
 * update locks.
 */
export async function lockUpcoming(
  tx: Queryable,
  workshopId: string,
  { customerId, from }: { readonly customerId: string; readonly from: Date },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM booking
      WHERE customer_id = ANY (${idsOf('$2::uuid')}) AND workshop_id = $1 AND date >= $3 AND status IN ('pending', 'confirmed')
      ORDER BY id FOR NO KEY UPDATE`,
    [workshopId, customerId, from],
  );
  return rows.map(({ id }) => id);
}

/** Those of the bookings that have the car, in the same order. */
export async function withCar(tx: Queryable, ids: readonly string[], carId: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM booking WHERE id = ANY ($1::uuid[]) AND car_id = $2 ORDER BY id',
    [ids, carId],
  );
  return rows.map(({ id }) => id);
}

/** The facts that decide whether the customer of a booking is notified that the car is ready. */
export interface Telling {
  /** The booking's phone, E.164; empty: it has none. */
  readonly phone: string;
  readonly status: string;
  /** The booking's e-mail; empty: it has none. */
  readonly email: string;
  /** E-mails to it bounce. */
  readonly emailBounced: boolean;
  /** The workshop's; ISO 3166. */
  readonly country: string;
  readonly erased: boolean;
  readonly optedOut: boolean;
  /** The customer was notified that the car is ready, or a notice is queued. */
  readonly told: boolean;
}

/** Null: there is no such booking. */
export async function readTelling(db: Queryable, bookingId: string): Promise<Telling | null> {
  const [row] = await db.query<Telling>(
    `SELECT coalesce(b.contact_phone, '') AS phone, coalesce(b.contact_email, '') AS email,
            ${hasBounced('k', 'b.contact_email')} AS email_bounced, b.status, w.country, k.erased_at IS NOT NULL AS erased,
            k.opted_out_at IS NOT NULL AS opted_out,
            EXISTS (SELECT FROM event WHERE event.subject_id = b.id AND event.kind = 'booking.carReady'
                       AND event.withdrawn_at IS NULL) AS told
       FROM booking b JOIN workshop w ON w.id = b.workshop_id JOIN customer k ON k.id = b.customer_id
      WHERE b.id = $1`,
    [bookingId],
  );
  return row ?? null;
}
