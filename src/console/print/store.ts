/** SQL of the details of bookings that a sheet prints beside those of the day. */
import type { Queryable } from '#platform/db/database.ts';

export interface Job {
  readonly id: string;
  /** E.164; null: not given. */
  readonly phone: string | null;
  /** The customer's notes for the workshop. */
  readonly notes: string | null;
}

/** Reads them for these bookings of the workshop. */
export async function readJobs(db: Queryable, workshopId: string, ids: readonly string[]): Promise<Job[]> {
  if (ids.length === 0) return [];
  return db.query<Job>(
    'SELECT id, contact_phone AS phone, notes FROM booking WHERE id = ANY($2::uuid[]) AND workshop_id = $1',
    [workshopId, ids],
  );
}
