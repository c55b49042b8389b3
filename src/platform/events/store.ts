/** SQL of the relay. Ids are not in commit order, so waiting events are found by `relayed_at`, never by `id > last` alone. */
import { copyWaiting } from '#platform/audit/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { fullLook, type Look, lookFrom } from '#platform/db/looks.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { setAside } from '#platform/work/dead-letters/set-aside.ts';
import type { WaitingEvent } from './reaction.ts';

const claimedColumns = `
  event.id, event.kind, event.partner_id, event.workshop_id,
  event.subject_id, event.version`;

/**
 * Conditions on `event`, written so that PostgreSQL uses the index by subject whatever its statistics say: they may be of a
 * moment when no event waited, and then the index of all waiting events looks cheaper.
 */
const waits = (event: string) => `coalesce(${event}.relayed_at, 'infinity') = 'infinity'`;
const isNext = (taken: string) => `NOT EXISTS (
         SELECT FROM event earlier WHERE earlier.subject_id = event.subject_id
            AND ${waits('earlier')} AND earlier.id <> ALL (${taken})
            AND (earlier.version, earlier.id) < (event.version, event.id) OFFSET 0)`;

const beginning = lookFrom(
  { isFull: '$2', oldest: '$3::uuid' },
  { first: `'${lowestId}'::uuid`, at: (time) => `first_id(${time})` },
);

const claimText = `WITH oldest AS MATERIALIZED (
       SELECT id, subject_id FROM event WHERE relayed_at IS NULL AND id >= ${beginning} ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
     ), beside AS MATERIALIZED (
       SELECT own.id FROM (SELECT DISTINCT subject_id FROM oldest) AS its CROSS JOIN LATERAL (
         SELECT id FROM event WHERE subject_id = its.subject_id AND ${waits('event')}
          ORDER BY version, id LIMIT 10 FOR UPDATE SKIP LOCKED) AS own
     ), held AS MATERIALIZED (
       SELECT ARRAY(SELECT id FROM oldest UNION SELECT id FROM beside) AS ids
     )
     UPDATE event SET relayed_at = clock_timestamp()
      WHERE id = ANY((SELECT ids FROM held)::uuid[]) AND ${isNext('(SELECT ids FROM held)::uuid[]')}
     RETURNING ${claimedColumns}`;

/** The statement of a claim and its values, for tests that read its plan. */
export const claimStatement = (limit: number, { isFull, oldest }: Look) => ({
  text: claimText,
  values: [limit, isFull, oldest],
});

/**
 * Claims up to `limit` waiting events that no other relay has locked, with earlier events of the same subjects, and marks them
 * relayed; a rollback undoes both. The events of one subject are relayed in the order of its versions, also with several
 * relays: one is claimed only when each before it is relayed, or claimed with it.
 */
export async function claimEvents(tx: Queryable, limit: number, look = fullLook): Promise<WaitingEvent[]> {
  const { text, values } = claimStatement(limit, look);
  return tx.query<WaitingEvent>(text, values);
}

/** Claims one event; empty when it is relayed already, locked by another relay, or not the first waiting one of its subject. */
export async function claimEvent(tx: Queryable, id: string): Promise<WaitingEvent[]> {
  return tx.query<WaitingEvent>(
    `WITH free AS MATERIALIZED (
       SELECT id FROM event WHERE id = $1 AND relayed_at IS NULL AND ${isNext('ARRAY[]::uuid[]')} FOR UPDATE SKIP LOCKED
     )
     UPDATE event SET relayed_at = clock_timestamp() FROM free WHERE event.id = free.id
     RETURNING ${claimedColumns}`,
    [id],
  );
}

/**
 * Nobody claims it any more: it has failed, and is relayed by `claimFailed`. False when it was relayed already, by a transaction whose
 * commit was lost with its connection, say.
 */
export async function markRelayed(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    'UPDATE event SET relayed_at = clock_timestamp() WHERE id = $1 AND relayed_at IS NULL RETURNING true',
    [id],
  );
  return rows.length > 0;
}

/**
 * Claims an event that has failed, which is then no failure any more, until a rollback. Empty when it is none, so that it is not relayed
 * twice, and when it is not stored any more.
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
 * Waiting events, and those that have failed, are not relayed any more, until a person has their dead letters tried again. Returns how
 * many.
 */
export async function setAsideEvents(tx: Queryable, now: Date): Promise<number> {
  await copyWaiting(tx);
  const rows = await tx.query(
    `WITH waiting AS (UPDATE event SET relayed_at = clock_timestamp() WHERE relayed_at IS NULL RETURNING id),
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
