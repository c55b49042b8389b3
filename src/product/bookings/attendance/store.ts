/**
 * SQL of attendance: whether the customer of a booking has come, and the state of the car. It belongs to the workshop: no partner
 * can read it.
 */
import type { Queryable } from '#platform/db/database.ts';
import { endHoldsCte } from '#platform/events/held/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';

export const attendanceStates = ['expected', 'here', 'ready', 'collected', 'didNotCome'] as const;
export type AttendanceState = (typeof attendanceStates)[number];

/** An SQL expression over a booking row: its attendance; without a row it is `expected`. */
export const attendanceOf = (booking: string): string =>
  `coalesce((SELECT state FROM attendance WHERE attendance.booking_id = ${booking}.id), 'expected')`;

/**
 * Locks the attendance of a workshop's booking until the transaction ends, and returns it, so that each change sees the previous
 * one; null: the workshop has no such booking. The booking itself is neither changed nor locked.
 */
export async function lockAttendance(
  tx: Queryable,
  { workshopId, bookingId, actor, at }: Omit<AttendanceRow, 'state'> & { readonly workshopId: string },
): Promise<AttendanceState | null> {
  const [row] = await tx.query<{ state: AttendanceState }>(
    `INSERT INTO attendance (booking_id, state, actor, at)
     SELECT id, 'expected', $3, $4 FROM booking WHERE id = $1 AND workshop_id = $2
     ON CONFLICT (booking_id) DO UPDATE SET state = attendance.state RETURNING state`,
    [bookingId, workshopId, actor, at],
  );
  return row?.state ?? null;
}

export interface AttendanceRow {
  readonly bookingId: string;
  readonly state: AttendanceState;
  /** As `storedActor` returns it. */
  readonly actor: string;
  /** Business time. */
  readonly at: Date;
}

/**
 * Writes the attendance of a booking, which the caller has locked. Like every change it first releases a held event of the booking.
 */
export async function writeAttendance(tx: Queryable, row: AttendanceRow): Promise<void> {
  await tx.query(
    `WITH ${endHoldsCte('$1')}
     UPDATE attendance SET state = $2, actor = $3, at = $4 WHERE booking_id = $1`,
    [row.bookingId, row.state, row.actor, row.at],
  );
}

/** The number of a customer's bookings with attendance `didNotCome`. */
export async function countNotCome(db: Queryable, workshopId: string, customerId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM booking JOIN attendance ON attendance.booking_id = booking.id
      WHERE booking.customer_id = ANY (${idsOf('$2::uuid')}) AND booking.workshop_id = $1 AND attendance.state = 'didNotCome'`,
    [workshopId, customerId],
  );
  return row?.count ?? 0;
}
