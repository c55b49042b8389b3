/** SQL of what stands beside a booking on its page. */
import type { Queryable } from '#platform/db/database.ts';
import { type AttendanceState, attendanceOf } from '#product/bookings/attendance/store.ts';

/** What was said or sent: by and to the customer, about this booking or none. */
export interface Said {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly channel: 'sms' | 'email';
  readonly kind: string;
  readonly subject: string | null;
  readonly body: string;
  readonly state: string;
  readonly reason: string | null;
  readonly at: Date;
}

export interface Beside {
  /** Of the booking. */
  readonly version: number;
  readonly attendance: AttendanceState;
  readonly optedOut: boolean;
  readonly tags: readonly string[];
  /** How many bookings of the customer nobody came to. */
  readonly notCome: number;
  /** Why it stands there although there was no room; null: there was. */
  readonly anywayReason: string | null;
  /** Of the conversation with the customer; null: there is none. */
  readonly conversationId: string | null;
  /** Newest first; the first 50. */
  readonly said: readonly Said[];
}

const saidAtMost = 50;

/** Of a booking of the workshop; null: there is none. */
export async function readBeside(
  db: Queryable,
  workshopId: string,
  bookingId: string,
): Promise<Beside | null> {
  const [row] = await db.query<Beside>(
    `SELECT b.version, ${attendanceOf('b')} AS attendance, c.opted_out_at IS NOT NULL AS opted_out, c.tags,
            b.anyway_reason,
            (SELECT count(*)::integer FROM booking other JOIN attendance ON attendance.booking_id = other.id
              WHERE other.customer_id = b.customer_id AND attendance.state = 'didNotCome') AS not_come,
            (SELECT id FROM conversation WHERE conversation.customer_id = b.customer_id
                AND conversation.workshop_id = b.workshop_id) AS conversation_id,
            coalesce((SELECT jsonb_agg(said ORDER BY said.id DESC) FROM (
              SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at
                FROM message m
               WHERE m.customer_id = b.customer_id AND m.audience = 'customer'
                 AND (m.booking_id = b.id OR m.booking_id IS NULL)
               ORDER BY m.id DESC LIMIT ${saidAtMost}) AS said), '[]') AS said
       FROM booking b JOIN customer c ON c.id = b.customer_id
      WHERE b.id = $2 AND b.workshop_id = $1`,
    [workshopId, bookingId],
  );
  if (row === undefined) return null;
  return { ...row, said: row.said.map((each) => ({ ...each, at: new Date(each.at) })) };
}

/** Whose conversation it is; null: it is none of the workshop's. */
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
