/** SQL of the details beside a quote on its page. */
import type { Queryable } from '#platform/db/database.ts';
import { readSaid, type Said, saidAtMost } from '../said/store.ts';

export interface Beside {
  /** The version of the quote. */
  readonly version: number;
  /** The customer was erased: the quote can no longer be accepted. */
  readonly erased: boolean;
  readonly optedOut: boolean;
  /** The present time of the booking that the acceptance made; null: there is none. */
  readonly bookedFor: Date | null;
  /** Its notices to the customer, newest first, as long as their events are kept. */
  readonly said: readonly Said[];
}

/** Null: the workshop has no such quote. */
export async function readBeside(db: Queryable, workshopId: string, quoteId: string): Promise<Beside | null> {
  const [row] = await db.query<Beside>(
    `SELECT q.version, q.contact_phone = '' AS erased, c.opted_out_at IS NOT NULL AS opted_out, b.date AS booked_for,
            coalesce((SELECT jsonb_agg(said ORDER BY said.id DESC) FROM (
              SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at
                FROM event e JOIN message m ON m.cause_id = e.id
               WHERE e.subject_id = q.id AND m.audience = 'customer' ORDER BY m.id DESC LIMIT ${saidAtMost}) AS said), '[]') AS said
       FROM quote q JOIN customer own ON own.id = q.customer_id JOIN customer c ON c.id = coalesce(own.merged_into, own.id)
       LEFT JOIN booking b ON b.id = q.booking_id
      WHERE q.id = $2 AND q.workshop_id = $1`,
    [workshopId, quoteId],
  );
  return row === undefined ? null : { ...row, said: row.said.map(readSaid) };
}
