/** SQL of leases: how long a claimed entry belongs to its holder without a renewal. */
import type { Queryable } from '#db/database.ts';
import type { ClaimedEntry } from '../claim/store.ts';

/** Longer than the hand-over of an SMS may take: 5 seconds to begin and 10 at the gateway (`gateways/sms/send.ts`). */
export const leaseSeconds = 20;

/** Extends these leases, as far as the holder still has them. */
export async function renewLeases(db: Queryable, entries: readonly ClaimedEntry[]): Promise<void> {
  await db.query(
    `UPDATE queued_message q SET due_at = clock_timestamp() + interval '${leaseSeconds} seconds'
       FROM unnest($1::uuid[], $2::uuid[]) AS mine (message_id, attempt_id)
      WHERE q.message_id = mine.message_id AND q.attempt_id IS NOT DISTINCT FROM mine.attempt_id AND q.in_flight`,
    [entries.map(({ id }) => id), entries.map(({ attemptId }) => attemptId)],
  );
}

/**
 * The entry of a message that is sent inside a request: no claim takes it, and the sweep finds it when its lease is over.
 * `source` is a CTE with the current rows of the messages.
 */
export function leaseInRequest(source: string, where: string): string {
  return `INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient, created_at)
      SELECT id, workshop_id, channel, NULL, clock_timestamp() + interval '${leaseSeconds} seconds', attempt_id, true, 1, recipient, clock_timestamp()
        FROM ${source} WHERE ${where}
      ON CONFLICT (message_id) DO UPDATE SET due_at = excluded.due_at, attempt_id = excluded.attempt_id, in_flight = true`;
}

export interface Abandoned {
  readonly messageId: string;
  readonly attemptId: string | null;
  /** A request holds it; the sender claims no such entry. */
  readonly inRequest: boolean;
}

/**
 * Up to `limit` entries whose lease is over while their attempt is still `sending`: entries of requests at once, the sender's
 * after two seconds, in which a claim may take them. No claim takes them while their gateway takes no messages.
 */
export async function abandonedEntries(db: Queryable, limit: number): Promise<Abandoned[]> {
  return db.query<Abandoned>(
    `SELECT q.message_id AS "messageId", q.attempt_id AS "attemptId", q.class IS NULL AS "inRequest"
       FROM queued_message q LEFT JOIN message_attempt a ON a.id = q.attempt_id
      WHERE q.in_flight AND q.due_at <= (SELECT clock_timestamp())
        AND (q.class IS NULL OR a.state = 'sending' AND q.due_at <= (SELECT clock_timestamp() - interval '2 seconds'))
      ORDER BY q.due_at LIMIT $1`,
    [limit],
  );
}

/** Claims up to `limit` entries that have waited for a gateway for too long, and returns their messages. */
export async function claimExpired(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ messageId: string }>(
    `UPDATE queued_message q SET in_flight = true, due_at = clock_timestamp() + interval '${leaseSeconds} seconds'
       FROM (SELECT message_id FROM queued_message
              WHERE expires_at <= (SELECT clock_timestamp()) AND attempt_id IS NULL AND (NOT in_flight OR due_at <= clock_timestamp())
              ORDER BY expires_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) AS old
      WHERE q.message_id = old.message_id
     RETURNING q.message_id AS "messageId"`,
    [limit],
  );
  return rows.map(({ messageId }) => messageId);
}
