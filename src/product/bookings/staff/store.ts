/** SQL of the workshop's side: its bookings by date, of any partner, and what occupies its bays. */
import type { Queryable } from '#platform/db/database.ts';
import { filterParameters } from '#platform/db/filters.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { bookingRecord, type WorkshopBooking } from '../record.ts';

export interface WorkshopBookings {
  readonly workshopId: string;
  readonly states: readonly string[];
  /** As the staff's filters of the declaration compare them; absent and null: of all. */
  readonly filters: Readonly<Record<string, unknown>> & { readonly from: Date };
  /** The last booking of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

const { json, joins, filters: declared } = bookingRecord.staff;
const item = json('row');

/** A workshop's bookings by date: the index of dates is read until the page is full, and no other workshop's rows. */
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

/** The bookings that occupy some of the time from `from` to `until`, by their date: the first 50. */
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
