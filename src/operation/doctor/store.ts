/** SQL of the doctor: stored places, with the bookings and set-ups from which they follow. */

import type { Queryable } from '#platform/db/database.ts';
import { afterId, lowestId } from '#platform/db/page-bounds.ts';
import type { Place, PlaceColumns } from '#product/availability/places/place.ts';
import type { BookingStatus } from '#product/bookings/schema.ts';
import type { ServiceColumns } from '#product/bookings/services.ts';
import { hasPlainPage } from '#product/workshops/store.ts';

/** The workshops after an id, by id. */
export async function workshopsAfter(db: Queryable, after: string | null, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM workshop WHERE ${afterId('id', '$1')} ORDER BY id LIMIT $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/** How many workshops have a plain page, and how many could and have none: of these the first ten by slug. */
export interface PlainPages {
  readonly on: number;
  readonly off: number;
  readonly without: readonly string[];
}

export async function countPlainPages(db: Queryable): Promise<PlainPages> {
  const [row] = await db.query<PlainPages>(
    `SELECT (SELECT count(*)::int FROM workshop w WHERE ${hasPlainPage('w')}) AS "on",
            (SELECT count(*)::int FROM workshop w WHERE ${lacksPlainPage}) AS off,
            ARRAY(SELECT slug FROM workshop w WHERE ${lacksPlainPage} ORDER BY slug LIMIT 10) AS without`,
  );
  return row ?? { on: 0, off: 0, without: [] };
}

const lacksPlainPage = `w.booking_page AND NOT ${hasPlainPage('w')}`;

export interface PlacedBooking
  extends PlaceColumns,
    Pick<ServiceColumns, 'services' | 'serviceMinutes' | 'serviceCategory'> {
  readonly id: string;
  readonly code: string;
  readonly status: BookingStatus;
  readonly date: Date;
  readonly createdAt: Date;
}

const columns = `id, code, status, date, created_at, services, service_minutes,
  service_category, occupied_from, occupied_until,
  counted_services, counted_categories, place_version, held_to`;

export interface Page {
  readonly workshopId: string;
  readonly since: Date;
  /** The last booking of the previous page; null: the first page. */
  readonly after: Pick<PlacedBooking, 'id' | 'date'> | null;
  readonly limit: number;
}

/** A workshop's bookings from a date on, by date. */
export async function bookingsSince(
  db: Queryable,
  { workshopId, since, after, limit }: Page,
): Promise<PlacedBooking[]> {
  return db.query<PlacedBooking>(
    `SELECT ${columns} FROM booking WHERE workshop_id = $1 AND date >= $2 AND (date, id) > ($3::timestamptz, $4::uuid)
      ORDER BY date, id LIMIT $5`,
    [workshopId, since, after?.date ?? '-infinity', after?.id ?? lowestId, limit],
  );
}

/** Its bookings of earlier dates whose place begins from it on: at most 1,000. */
export async function misplacedSince(
  db: Queryable,
  workshopId: string,
  since: Date,
): Promise<PlacedBooking[]> {
  const sorts = [
    `occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2`,
    `occupied_until - occupied_from > interval '24 hours' AND occupied_until > $2 AND occupied_from >= $2`,
  ].map((sort) => `SELECT ${columns} FROM booking WHERE workshop_id = $1 AND ${sort} AND date < $2`);
  return db.query<PlacedBooking>(`${sorts.join(' UNION ALL ')} LIMIT 1000`, [workshopId, since]);
}

/** The booking, locked until the transaction ends; null when there is none. */
export async function lockPlaced(tx: Queryable, id: string): Promise<PlacedBooking | null> {
  const [row] = await tx.query<PlacedBooking>(
    `SELECT ${columns} FROM booking WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return row ?? null;
}

/** Stores another place for a booking, without checking the rules and without a new version or event. */
export async function storePlace(tx: Queryable, id: string, place: PlaceColumns): Promise<void> {
  await tx.query(
    `UPDATE booking SET occupied_from = $2, occupied_until = $3, counted_services = $4::uuid[], counted_categories = $5::text[],
            place_version = $6, held_to = NULL WHERE id = $1`,
    [
      ...[id, place.occupiedFrom, place.occupiedUntil, place.countedServices, place.countedCategories],
      place.placeVersion,
    ],
  );
}

/** The places in a span of time that staff booked against the rules. */
export function wantedAnyway(
  db: Queryable,
  { workshopId, from, until }: { readonly workshopId: string; readonly from: Date; readonly until: Date },
): Promise<Place[]> {
  return db.query<Place>(
    `SELECT occupied_from, occupied_until, counted_services, counted_categories FROM booking
      WHERE workshop_id = $1 AND occupied_until > $2 AND occupied_from < $3 AND anyway_reason IS NOT NULL AND occupied_until IS NOT NULL`,
    [workshopId, from, until],
  );
}

/** When the last place of a workshop ends; null when it has none. */
export async function lastPlace(db: Queryable, workshopId: string): Promise<Date | null> {
  const [row] = await db.query<{ until: Date | null }>(
    `SELECT greatest(
       (SELECT max(occupied_from) + interval '24 hours' FROM booking WHERE workshop_id = $1
         AND occupied_until - occupied_from <= interval '24 hours'),
       (SELECT max(occupied_until) FROM booking WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours')) AS until`,
    [workshopId],
  );
  return row?.until ?? null;
}

export interface StoredDay {
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly bays: number;
  readonly slotMinutes: number;
  readonly slots: readonly Date[];
}

/** The stored days of a workshop that end after an instant and name this version of the set-up. */
export async function storedDays(
  db: Queryable,
  of: { readonly workshopId: string; readonly version: number; readonly after: Date },
): Promise<StoredDay[]> {
  return db.query<StoredDay>(
    `SELECT starts_at, ends_at, bays, slot_minutes, slots
       FROM workshop_day WHERE workshop_id = $1 AND setup_version = $2 AND ends_at > $3 ORDER BY starts_at`,
    [of.workshopId, of.version, of.after],
  );
}

/** Deletes a stored day: the next booking of the day creates it again. */
export async function deleteDay(db: Queryable, workshopId: string, startsAt: Date): Promise<void> {
  await db.query('DELETE FROM workshop_day WHERE workshop_id = $1 AND starts_at = $2', [
    workshopId,
    startsAt,
  ]);
}
