/** SQL of the related data on a booking's page. */
import type { Queryable } from '#platform/db/database.ts';
import { type AttendanceState, attendanceOf } from '#product/bookings/attendance/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { readSaid, type Said, saidJson } from '../said/store.ts';

export interface Beside {
  /** The version of the booking. */
  readonly version: number;
  readonly attendance: AttendanceState;
  readonly optedOut: boolean;
  readonly tags: readonly string[];
  /** The customer's number of no-shows. */
  readonly notCome: number;
  /** The reason why it was booked against the rules; null: it was not. */
  readonly anywayReason: string | null;
  /** The id of the conversation with the customer; null: there is none. */
  readonly conversationId: string | null;
  /** Newest first; the first 50. */
  readonly said: readonly Said[];
}

interface AskedBeside {
  readonly workshopId: string;
  readonly bookingId: string;
  readonly seesPhones: boolean;
}

/** For a booking of the workshop; null: there is none. `seesPhones`: a customer apart is read with whose number it is. */
export async function readBeside(
  db: Queryable,
  { workshopId, bookingId, seesPhones }: AskedBeside,
): Promise<Beside | null> {
  const [row] = await db.query<Beside>(
    `SELECT b.version, ${attendanceOf('b')} AS attendance, c.opted_out_at IS NOT NULL AS opted_out, c.tags,
            b.anyway_reason,
            (SELECT count(*)::integer FROM booking other JOIN attendance ON attendance.booking_id = other.id
              WHERE other.customer_id = ANY (${idsOf('c.id')} || b.customer_id) AND attendance.state = 'didNotCome') AS not_come,
            (SELECT id FROM conversation WHERE conversation.customer_id = b.customer_id
                AND conversation.workshop_id = b.workshop_id) AS conversation_id,
            ${saidJson('b.customer_id', '(m.booking_id = b.id OR m.booking_id IS NULL)')} AS said
       FROM booking b JOIN customer own ON own.id = b.customer_id
       LEFT JOIN customer_apart apart ON apart.customer_id = own.id AND $3
       LEFT JOIN customer number ON number.id = apart.number_of
       JOIN customer c ON c.id = coalesce(own.merged_into, number.merged_into, number.id, own.id)
      WHERE b.id = $2 AND b.workshop_id = $1`,
    [workshopId, bookingId, seesPhones],
  );
  if (row === undefined) return null;
  return { ...row, said: row.said.map(readSaid) };
}

/** The customer of a conversation; null: not a conversation of the workshop. */
export async function customerOf(
  db: Queryable,
  workshopId: string,
  conversationId: string,
): Promise<string | null> {
  const [row] = await db.query<{ customerId: string }>(
    'SELECT customer_id FROM conversation WHERE id = $2 AND workshop_id = $1',
    [workshopId, conversationId],
  );
  return row?.customerId ?? null;
}
