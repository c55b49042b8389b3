/**
 * SQL of the relay. Ids are not in commit order, so waiting events are found by `relayed_at`, never by `id > last` alone. Held ones
 * (`held/store.ts`) are found by their time, so that they fill no batch before it.
 */
import { copyWaiting } from '#platform/audit/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { fullScan, type Scan, scanFrom } from '#platform/db/scan-window.ts';
import { setAside } from '#platform/work/dead-letters/set-aside.ts';
import { waits } from './held/store.ts';
import type { WaitingEvent } from './reaction.ts';

const claimedColumns = `
  event.id, event.kind, event.partner_id, event.workshop_id,
  event.subject_id, event.version`;

/**
 * A condition on `event`: no earlier one of its subject waits. Like `waits` it is written so that PostgreSQL uses the index by subject
 * whatever its statistics say: they may be of a moment when no event waited, and then the index of all waiting events looks cheaper.
 */
const isNext = (taken: string) => `NOT EXISTS (
         SELECT FROM event earlier WHERE earlier.subject_id = event.subject_id
            AND ${waits('earlier')} AND earlier.id <> ALL (${taken})
            AND (earlier.version, earlier.id) < (event.version, event.id) OFFSET 0)`;

const beginning = scanFrom(
  { isFull: '$2', oldest: '$3::uuid' },
  { first: `'${lowestId}'::uuid`, at: (time) => `first_id(${time})` },
);

/** A relay that knows no held events takes one with another of its subject, and leaves its row behind: that is deleted in its time. */
const claimText = planOnce(`WITH due AS MATERIALIZED (
       SELECT event_id FROM held_event WHERE held_until <= (SELECT clock_timestamp()) ORDER BY held_until LIMIT $1 FOR UPDATE SKIP LOCKED
     ), released AS MATERIALIZED (
       SELECT id, subject_id FROM event WHERE id = ANY (ARRAY(SELECT event_id FROM due)) AND ${waits('event')} FOR UPDATE SKIP LOCKED
     ), oldest AS MATERIALIZED (
       SELECT id, subject_id FROM event WHERE relayed_at IS NULL AND id >= ${beginning} ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
     ), beside AS MATERIALIZED (
       SELECT own.id FROM (SELECT subject_id FROM oldest UNION SELECT subject_id FROM released) AS its CROSS JOIN LATERAL (
         SELECT id FROM event WHERE subject_id = its.subject_id AND ${waits('event')}
            AND (relayed_at IS NULL OR id = ANY (ARRAY(SELECT event_id FROM due)))
          ORDER BY version, id LIMIT 10 FOR UPDATE SKIP LOCKED) AS own
     ), locked AS MATERIALIZED (
       SELECT ARRAY(SELECT id FROM oldest UNION SELECT id FROM released UNION SELECT id FROM beside) AS ids
     ), claimed AS (
       UPDATE event SET relayed_at = clock_timestamp()
        WHERE id = ANY((SELECT ids FROM locked)::uuid[]) AND ${isNext('(SELECT ids FROM locked)::uuid[]')}
       RETURNING ${claimedColumns}
     ), unheld AS (
       DELETE FROM held_event WHERE event_id = ANY (ARRAY(
         SELECT id FROM claimed
          UNION ALL SELECT event_id FROM due
           WHERE NOT EXISTS (SELECT FROM event WHERE event.id = due.event_id AND ${waits('event')} OFFSET 0))))
     SELECT * FROM claimed`);

/** The statement of a claim and its values, for tests that read its plan. */
export const claimStatement = (limit: number, { isFull, oldest }: Scan) => ({
  text: claimText,
  values: [limit, isFull, oldest],
});

/**
 * Claims up to `limit` waiting events that no other relay has locked, as many held ones whose time is over, and earlier events of the
 * same subjects, and marks them relayed; a rollback undoes it all. The events of one subject are relayed in the order of its versions,
 * also with several relays: one is claimed only when each before it is relayed, or claimed with it.
 */
export async function claimEvents(tx: Queryable, limit: number, look = fullScan): Promise<WaitingEvent[]> {
  const { text, values } = claimStatement(limit, look);
  return tx.query<WaitingEvent>(text, values);
}

/** Claims one event, also a held one; empty when it is relayed already, locked by another relay, or not the first waiting one of its subject. */
export async function claimEvent(tx: Queryable, id: string): Promise<WaitingEvent[]> {
  return tx.query<WaitingEvent>(
    `WITH free AS MATERIALIZED (
       SELECT id FROM event WHERE id = $1 AND ${waits('event')} AND ${isNext('ARRAY[]::uuid[]')} FOR UPDATE SKIP LOCKED
     ), unheld AS (DELETE FROM held_event USING free WHERE event_id = free.id)
     UPDATE event SET relayed_at = clock_timestamp() FROM free WHERE event.id = free.id
     RETURNING ${claimedColumns}`,
    [id],
  );
}

/**
 * Marks an event as failed: only `claimFailed` claims it from now on. False when it was relayed already, by a transaction whose
 * commit was lost with its connection, say.
 */
export async function markRelayed(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    `WITH unheld AS (DELETE FROM held_event WHERE event_id = $1)
     UPDATE event SET relayed_at = clock_timestamp() WHERE id = $1 AND ${waits('event')} RETURNING true`,
    [id],
  );
  return rows.length > 0;
}

/**
 * Claims an event that has failed, which is then no failure any more, until a rollback. Empty when the event has not failed, so
 * that it is not relayed twice, and when it is not stored any more.
 */
export async function claimFailed(tx: Queryable, job: string, id: string): Promise<WaitingEvent[]> {
  return tx.query<WaitingEvent>(
    `WITH failed AS (DELETE FROM failed_work WHERE job = $1 AND subject_id = $2 RETURNING subject_id)
     UPDATE event SET relayed_at = clock_timestamp() FROM failed WHERE id = failed.subject_id RETURNING ${claimedColumns}`,
    [job, id],
  );
}

/** Lets an event be relayed again. */
export async function releaseEvent(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE event SET relayed_at = NULL WHERE id = $1', [id]);
}

/**
 * Waiting events, held ones too, and those that have failed, are not relayed any more, until a person has their dead letters tried
 * again. Returns how many.
 */
export async function setAsideEvents(tx: Queryable, now: Date): Promise<number> {
  await copyWaiting(tx);
  const rows = await tx.query(
    `WITH unheld AS (DELETE FROM held_event),
     waiting AS (UPDATE event SET relayed_at = clock_timestamp() WHERE relayed_at IS NULL OR relayed_at = 'infinity' RETURNING id),
     failed AS (DELETE FROM failed_work WHERE job = 'relay' RETURNING subject_id),
     aside AS (SELECT id FROM waiting UNION SELECT id FROM event WHERE id = ANY (ARRAY(SELECT subject_id FROM failed)))
     INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
     SELECT ${newIdSql}, 'relay', jsonb_build_object('eventId', id), $1, $2, 0, $3 FROM aside ORDER BY id
     ON CONFLICT (job, payload) DO NOTHING RETURNING true`,
    [setAside.reason, setAside.detail, now],
  );
  return rows.length;
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
