/**
 * SQL of holds: queued messages of a cause wait (paused), or are not sent any more (cancelled). A hold also applies to retries, so
 * it is a row of its own and not a mark on queue entries. Messages already handed over are not affected.
 */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { kinds, type QueuedKind } from '../kinds.ts';

/**
 * Makes the entries of causes due now, with new waiting times. A valid lease is kept; an expired lease is cleared. So every row
 * that a concurrent claim may have read changes, and that claim skips it.
 */
const makeDue = (waitsMs: string) => `entry AS (
    UPDATE queued_message q SET expires_at = clock_timestamp() + ${waitsMs} * interval '1 millisecond',
           due_at = CASE WHEN q.in_flight THEN greatest(q.due_at, clock_timestamp()) ELSE clock_timestamp() END
      FROM message m WHERE m.cause_id = ANY($1::uuid[]) AND q.message_id = m.id
    RETURNING q.workshop_id, q.channel, q.class)
  INSERT INTO send_wake (workshop_id, channel, class, due_at)
  SELECT workshop_id, channel, class, clock_timestamp() FROM entry WHERE class IS NOT NULL GROUP BY workshop_id, channel, class`;

/**
 * Pauses a cause until `release`: its messages are neither handed over nor expire, their entries are not due, and no row is written
 * meanwhile. Attempts with an unknown outcome are still reconciled. Call it before another message can be queued for the cause.
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

/** Ends a pause; the messages get the full waiting time of their kind again. */
export async function release(tx: Queryable, causeId: string, kind: QueuedKind): Promise<void> {
  await tx.query(
    `WITH gone AS (DELETE FROM send_hold WHERE cause_id = ANY($1::uuid[])), ${makeDue('$2::float8')}`,
    [[causeId], kinds[kind].waitsAtMostMs],
  );
}

/** Cancels causes: queued messages end as `failed` with the reason `cancelled`, and nothing more is handed over. */
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

/** Deletes cancellations that are older than every queued message. */
export async function purgeHolds(db: Queryable): Promise<void> {
  const isOld = `state = 'cancelled' AND created_at < (SELECT clock_timestamp() - interval '3 days')`;
  await deleteInBatches(db, 'send_hold', isOld);
}
