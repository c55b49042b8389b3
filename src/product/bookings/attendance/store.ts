/** SQL of attendance: whether the customer of a booking has come, and how far the car is. It is the workshop's own: no partner reads it. */
import type { Queryable } from '#platform/db/database.ts';
import { endHoldsCte } from '#platform/events/held/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';

export const attendanceStates = ['expected', 'here', 'ready', 'collected', 'didNotCome'] as const;
export type AttendanceState = (typeof attendanceStates)[number];

/** An SQL expression over a booking row: its state; a booking without a row is expected. */
export const attendanceOf = (booking: string): string =>
  `coalesce((SELECT state FROM attendance WHERE attendance.booking_id = ${booking}.id), 'expected')`;

/**
 * The state of a workshop's booking, held until the transaction ends, so that each change knows the one before it; null: the workshop has no such booking.
 * The booking itself is neither changed nor held from those who change it.
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
  /** As `storedActor` has it. */
  readonly actor: string;
  /** Business time. */
  readonly at: Date;
}

/** Writes the state of a booking whose attendance is held. It is a change like any: what is held of the booking before it goes first. */
export async function writeAttendance(tx: Queryable, row: AttendanceRow): Promise<void> {
  await tx.query(
    `WITH ${endHoldsCte('$1')}
     UPDATE attendance SET state = $2, actor = $3, at = $4 WHERE booking_id = $1`,
    [row.bookingId, row.state, row.actor, row.at],
  );
}

/** How many bookings of a customer nobody came to. */
export async function countNotCome(db: Queryable, workshopId: string, customerId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM booking JOIN attendance ON attendance.booking_id = booking.id
      WHERE booking.customer_id = ANY (${idsOf('$2::uuid')}) AND booking.workshop_id = $1 AND attendance.state = 'didNotCome'`,
    [workshopId, customerId],
  );
  return row?.count ?? 0;
}
