/**
 * SQL of holds: what has been queued for a cause waits, or is not sent any more. A hold also binds messages that are tried
 * again, so it is a row of its own and not a mark on entries. What has just been handed over is not called back.
 */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInSteps } from '#platform/db/in-steps.ts';
import { kinds, type QueuedKind } from '../kinds.ts';

/**
 * Makes the entries of causes due now, with new times to wait. A lease is kept; one that has ended is not, so that each row that a
 * claim may be looking at changes, and the claim leaves it.
 */
const makeDue = (waitsMs: string) => `entry AS (
    UPDATE queued_message q SET expires_at = clock_timestamp() + ${waitsMs} * interval '1 millisecond',
           due_at = CASE WHEN q.in_flight THEN greatest(q.due_at, clock_timestamp()) ELSE clock_timestamp() END
      FROM message m WHERE m.cause_id = ANY($1::uuid[]) AND q.message_id = m.id
    RETURNING q.workshop_id, q.channel, q.class)
  INSERT INTO send_wake (workshop_id, channel, class, due_at)
  SELECT workshop_id, channel, class, clock_timestamp() FROM entry WHERE class IS NOT NULL GROUP BY workshop_id, channel, class`;

/**
 * Nothing of this cause is handed over, nor does it expire, until `release`: its entries are not due, and nothing is written meanwhile. An
 * attempt whose outcome is unknown is still asked about. Call it before anything can be queued for the cause again.
 */
export async function pause(tx: Queryable, causeId: string): Promise<void> {
  await tx.query(
    `WITH held AS (
       INSERT INTO send_hold (cause_id, state, created_at) SELECT unnest($1::uuid[]), 'paused', clock_timestamp()
       ON CONFLICT (cause_id) DO UPDATE SET state = excluded.state, created_at = excluded.created_at)
     UPDATE queued_message q SET expires_at = NULL,
            due_at = CASE WHEN q.in_flight OR q.attempt_id IS NOT NULL THEN q.due_at ELSE 'infinity' END
       FROM message m WHERE m.cause_id = ANY($1::uuid[]) AND q.message_id = m.id`,
    [[causeId]],
  );
}

/** Ends a pause; the messages may wait as long as new ones. Call `nudgeSender` after the commit. */
export async function release(tx: Queryable, causeId: string, kind: QueuedKind): Promise<void> {
  await tx.query(
    `WITH gone AS (DELETE FROM send_hold WHERE cause_id = ANY($1::uuid[])), ${makeDue('$2::float8')}`,
    [[causeId], kinds[kind].waitsAtMostMs],
  );
}

/** Nothing of these causes is handed over any more: what is queued ends `failed`, with the reason `cancelled`. */
export async function cancel(tx: Queryable, causeIds: readonly string[]): Promise<void> {
  if (causeIds.length === 0) return;
  await tx.query(
    `WITH held AS (
       INSERT INTO send_hold (cause_id, state, created_at) SELECT unnest($1::uuid[]), 'cancelled', clock_timestamp()
       ON CONFLICT (cause_id) DO UPDATE SET state = excluded.state, created_at = excluded.created_at),
     ${makeDue('$2::float8')}`,
    [causeIds, 24 * 3_600_000],
  );
}

/** Deletes cancellations that no queued message is as old as. */
export async function purgeHolds(db: Queryable): Promise<void> {
  const isOld = `state = 'cancelled' AND created_at < (SELECT clock_timestamp() - interval '3 days')`;
  await deleteInSteps(db, 'send_hold', isOld);
}
