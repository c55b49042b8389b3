/** SQL of workshops' calendars: their secret addresses, and the bookings that they show. */

import type { Queryable } from '#platform/db/database.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import { bookingJson, minutesOf } from '#product/bookings/snapshot.ts';

const daysBack = 60;
const daysAhead = 365;
/** The latest bookings before now and the next ones after; rendering 2,000 entries takes a tenth of a second. */
const pastAtMost = 500;
const nextAtMost = 1_500;

/** Gives the workshop's calendar another address; the previous one becomes invalid. */
export async function replaceCalendar(
  db: Queryable,
  workshopId: string,
  secretSha256: Buffer,
  now: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO workshop_calendar (workshop_id, secret_sha256, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (workshop_id) DO UPDATE SET secret_sha256 = excluded.secret_sha256, created_at = excluded.created_at`,
    [workshopId, secretSha256, now],
  );
}

/** False when it had none. */
export async function deleteCalendar(db: Queryable, workshopId: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM workshop_calendar WHERE workshop_id = $1 RETURNING workshop_id', [
    workshopId,
  ]);
  return rows.length > 0;
}

export interface Calendar {
  readonly workshopId: string;
  readonly workshopName: string;
}

/** The calendar at the address; null when there is none. */
export async function findCalendar(db: Queryable, secretSha256: Buffer): Promise<Calendar | null> {
  const [row] = await db.query<Calendar>(
    `SELECT w.id AS workshop_id, w.name AS workshop_name FROM workshop_calendar k JOIN workshop w ON w.id = k.workshop_id
      WHERE k.secret_sha256 = $1`,
    [secretSha256],
  );
  return row ?? null;
}

export interface ShownBooking {
  readonly booking: AnyBooking;
  readonly version: number;
  /** The duration of all services together; 0: unknown. */
  readonly minutes: number;
}

/** The workshop's bookings around `now`, of all partners and its own, by date. */
export async function listShownBookings(
  db: Queryable,
  workshopId: string,
  now: Date,
): Promise<ShownBooking[]> {
  return db.query<ShownBooking>(
    `SELECT ${bookingJson('b', 'c')} AS booking, b.version, ${minutesOf('b')} AS minutes
       FROM (
         (SELECT * FROM booking WHERE workshop_id = $1 AND date < $2 AND date >= $2::timestamptz - interval '${daysBack} days'
           ORDER BY date DESC, id DESC LIMIT ${pastAtMost})
         UNION ALL
         (SELECT * FROM booking WHERE workshop_id = $1 AND date >= $2 AND date < $2::timestamptz + interval '${daysAhead} days'
           ORDER BY date, id LIMIT ${nextAtMost})) AS b
       JOIN car c ON c.id = b.car_id
      ORDER BY b.date, b.id`,
    [workshopId, now],
  );
}
