/** SQL of leases: how long a process holds a claimed entry before it must renew the lease. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import { turnsOf } from '#platform/work/turns/store.ts';
import type { KindName } from '../kinds.ts';

/** The queues of messages: one of each workshop, channel and class. */
export const turns = turnsOf({
  lane: { table: 'send_queue', key: ['workshop_id', 'channel', 'class'] },
  entry: { table: 'queued_message', id: 'message_id' },
  // Longer than the hand-over of an SMS: up to 5 seconds before it begins and 10 at the gateway (`gateways/sms/send.ts`).
  leaseSeconds: 20,
});

/**
 * The queue entry of a message that is sent inside a request. No claim takes it; the sweep takes it when its lease has ended.
 * `source` is a CTE with the current rows of the messages.
 */
export function leaseInRequest(source: string, where: string): string {
  return `INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient, created_at)
      SELECT id, workshop_id, channel, NULL, ${turns.leaseFrom('clock_timestamp()')}, attempt_id, true, 1, recipient,
        clock_timestamp()
        FROM ${source} WHERE ${where}
      ON CONFLICT (message_id) DO UPDATE SET due_at = excluded.due_at, attempt_id = excluded.attempt_id, in_flight = true`;
}

export interface Abandoned {
  readonly messageId: string;
  readonly attemptId: string | null;
  /** A request holds the entry; the sender does not claim it. */
  readonly inRequest: boolean;
}

/** The entry of one message, or up to `limit` entries that have not failed in this job. */
export type Which = { readonly messageId: string } | { readonly limit: number; readonly job: string };

const isThe = (message: string, which: Which, order: string) =>
  'messageId' in which ? `${message} = $1` : `${notFailed(which.job, message)} ORDER BY ${order} LIMIT $1`;
const given = (which: Which) => ('messageId' in which ? which.messageId : which.limit);

/**
 * Entries whose lease has ended while the attempt is still `sending`. Entries of requests are included at once; entries of the
 * sender after two more seconds, since a claim takes them first unless their gateway takes no messages.
 */
export async function abandonedEntries(db: Queryable, which: Which): Promise<Abandoned[]> {
  return db.query<Abandoned>(
    planOnce(`SELECT q.message_id, q.attempt_id, q.class IS NULL AS in_request
       FROM queued_message q LEFT JOIN message_attempt a ON a.id = q.attempt_id
      WHERE q.in_flight AND q.due_at <= (SELECT clock_timestamp())
        AND (q.class IS NULL OR a.state = 'sending' AND q.due_at <= (SELECT clock_timestamp() - interval '2 seconds'))
        AND ${isThe('q.message_id', which, 'q.due_at')}`),
    [given(which)],
  );
}

/** An entry that has waited for its gateway for too long. */
export interface Expired {
  readonly messageId: string;
  /** The attempt with an unknown outcome; null: there is none. */
  readonly attemptId: string | null;
  readonly kind: KindName;
}

/** How many seconds after a message's waiting time its attempt may still be reconciled; longer than all tries take. */
const askedForSeconds = 3_600;

/**
 * Claims entries whose waiting time for a gateway is over, both unsent ones and ones to reconcile. With a `messageId`, the entry is
 * claimed even while an earlier claim still has its lease.
 */
export async function claimExpired(db: Queryable, which: Which): Promise<Expired[]> {
  const isFree = 'messageId' in which ? 'true' : '(NOT in_flight OR due_at <= (SELECT clock_timestamp()))';
  return db.query<Expired>(
    planOnce(`UPDATE queued_message q SET in_flight = true, due_at = ${turns.leaseFrom('clock_timestamp()')}
       FROM (SELECT message_id FROM queued_message
              WHERE expires_at <= (SELECT clock_timestamp()) AND ${isFree}
                AND (attempt_id IS NULL OR expires_at <= (SELECT clock_timestamp() - interval '${askedForSeconds} seconds'))
                AND ${isThe('queued_message.message_id', which, 'expires_at')} FOR NO KEY UPDATE SKIP LOCKED) AS old
       JOIN message m ON m.id = old.message_id
      WHERE q.message_id = old.message_id
     RETURNING q.message_id, q.attempt_id, m.kind`),
    [given(which)],
  );
}
