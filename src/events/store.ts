/** SQL of the relay. Ids are not in commit order, so what waits is found by its mark, never by `id > last`. */
import type { Queryable } from '#db/database.ts';
import type { WaitingEvent } from './reaction.ts';

const claimedColumns = `
  event.id, event.kind, event.partner_id AS "partnerId", event.workshop_id AS "workshopId",
  event.subject_id AS "subjectId", event.version`;

/** Takes up to `limit` waiting events that no other relay holds and marks them relayed, both until the commit. */
export async function claimEvents(tx: Queryable, limit: number): Promise<WaitingEvent[]> {
  return tx.query<WaitingEvent>(
    `WITH free AS MATERIALIZED (
       SELECT id FROM event WHERE relayed_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE event SET relayed_at = clock_timestamp() FROM free WHERE event.id = free.id
     RETURNING ${claimedColumns}`,
    [limit],
  );
}

/** The same for one event; empty when it is relayed already or held by another. */
export async function claimEvent(tx: Queryable, id: string): Promise<WaitingEvent[]> {
  return tx.query<WaitingEvent>(
    `WITH free AS MATERIALIZED (
       SELECT id FROM event WHERE id = $1 AND relayed_at IS NULL FOR UPDATE SKIP LOCKED
     )
     UPDATE event SET relayed_at = clock_timestamp() FROM free WHERE event.id = free.id
     RETURNING ${claimedColumns}`,
    [id],
  );
}

/** Lets an event be relayed again. */
export async function releaseEvent(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE event SET relayed_at = NULL WHERE id = $1', [id]);
}

/** Deletes up to `limit` events that were relayed at least `olderThanDays` days ago, and returns how many. */
export async function deleteRelayedEvents(
  db: Queryable,
  olderThanDays: number,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `DELETE FROM event WHERE id IN (
       SELECT id FROM event
       WHERE relayed_at < (SELECT clock_timestamp() - make_interval(days => $1))
       ORDER BY relayed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [olderThanDays, limit],
  );
  return rows.length;
}
