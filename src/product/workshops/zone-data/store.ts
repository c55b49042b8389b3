/** SQL of the comparison: PostgreSQL's data of the zones of workshops. */
import type { Queryable } from '#platform/db/database.ts';

export interface UsedZone {
  readonly timezone: string;
  /** The number of workshops in the zone, and the first of them. */
  readonly workshops: number;
  readonly workshopId: string;
  /** PostgreSQL's offset from UTC at each instant, in seconds. */
  readonly offsets: readonly number[];
}

/** The zones of workshops that PostgreSQL knows, all or these, with its offsets at these instants, which must ascend. */
export async function usedZones(
  db: Queryable,
  instants: readonly Date[],
  these: readonly string[] | null = null,
): Promise<UsedZone[]> {
  return db.query<UsedZone>(
    `SELECT timezone, workshops, workshop_id,
            (SELECT array_agg(extract(epoch FROM (at AT TIME ZONE timezone) - (at AT TIME ZONE 'UTC'))::int ORDER BY at)
               FROM unnest($1::timestamptz[]) AS at) AS offsets
       FROM (SELECT timezone, count(*)::int AS workshops, (array_agg(id ORDER BY id))[1] AS workshop_id
               FROM workshop GROUP BY timezone) AS used
      WHERE lower(timezone) IN (SELECT lower(name) FROM pg_timezone_names) AND ($2::text[] IS NULL OR timezone = ANY($2))
      ORDER BY timezone`,
    [instants, these],
  );
}
