/** SQL of the details of bookings that a sheet prints beside those of the day. */
import type { Queryable } from '#platform/db/database.ts';
import type { Job } from '#product/bookings/job.ts';

/** The details of a booking that a sheet prints beside its day. */
export interface PrintedJob extends Job {
  readonly id: string;
  /** E.164; null: not given. */
  readonly phone: string | null;
  /** The customer's notes for the workshop. */
  readonly notes: string | null;
}

/** Reads them for these bookings of the workshop. */
export async function readJobs(
  db: Queryable,
  workshopId: string,
  ids: readonly string[],
): Promise<PrintedJob[]> {
  if (ids.length === 0) return [];
  return db.query<PrintedJob>(
    `SELECT id, contact_phone AS phone, notes, service_category, service_package_type, job_notes, product_notes, tyre_quantities,
            "interval", car_vin AS vin, contact_company AS company, external_id
       FROM booking WHERE id = ANY($2::uuid[]) AND workshop_id = $1`,
    [workshopId, ids],
  );
}
