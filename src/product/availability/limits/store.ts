/** SQL of the usage of daily limits. */
import type { LocalDay } from '#base/values/local-day.ts';
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';

/** Bookings of one day that count in the same way. */
export interface CountedGroup {
  /** The number of the day, from 1. */
  readonly nth: number;
  /** The services of its items; both lists have the same length. */
  readonly services: readonly (string | null)[];
  readonly categories: readonly string[];
  readonly bookings: number;
}

/** For consecutive days: a booking counts on the day on which its place begins. */
export async function readCounted(
  db: Queryable,
  workshopId: string,
  days: readonly LocalDay[],
): Promise<CountedGroup[]> {
  const starts = days.map(({ start }) => new Date(start));
  const counted = (those: string) =>
    `SELECT width_bucket(occupied_from, $4::timestamptz[]) AS nth, counted_services, counted_categories FROM booking
        WHERE workshop_id = $1 AND ${those} AND occupied_from >= $2 AND occupied_from < $3`;
  return db.query<CountedGroup>(
    planOnce(`SELECT nth, counted_services AS services, counted_categories AS categories, count(*)::integer AS bookings FROM (
       ${counted(`occupied_until - occupied_from <= interval '24 hours'`)}
        UNION ALL
       ${counted(`occupied_until - occupied_from > interval '24 hours' AND occupied_until > $2`)}
     ) AS placed GROUP BY 1, 2, 3`),
    [workshopId, starts[0] ?? null, new Date(days.at(-1)?.end ?? 0), starts],
  );
}
