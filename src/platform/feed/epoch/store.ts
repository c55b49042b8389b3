/** SQL of what makes positions of feeds comparable: the epoch, the starts of the server, and the marks of moments. */
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';

/** A feed since an older moment begins at the first row. */
const marksKept = `interval '30 days'`;
/** How many starts are kept; a cursor of an older start begins again. */
const startsKept = 1_000;

/** Records the present start of the server, once. Its number is committed before any cursor names it. */
export async function recordStart(db: Queryable): Promise<void> {
  await db.query(
    `WITH old AS (
       DELETE FROM feed_start WHERE recorded_in <= (
         SELECT recorded_in FROM feed_start ORDER BY recorded_in DESC OFFSET ${startsKept} LIMIT 1))
     INSERT INTO feed_start (number, started_at, recorded_in)
     SELECT ('x' || right(gen_random_uuid()::text, 12))::bit(48)::bigint, pg_postmaster_start_time(), pg_current_xact_id()
      WHERE NOT EXISTS (SELECT FROM feed_start WHERE started_at = pg_postmaster_start_time())
     ON CONFLICT DO NOTHING`,
  );
}

/**
 * Writes a mark, unless there is one of the last minute, and deletes old ones. Marks never go back, even if the business clock
 * does.
 */
export async function writeMark(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `WITH latest AS (SELECT at FROM feed_mark ORDER BY at DESC, "before" DESC LIMIT 1),
       old AS (DELETE FROM feed_mark WHERE at < $1::timestamptz - ${marksKept})
     INSERT INTO feed_mark (at, "before")
     SELECT greatest($1::timestamptz, (SELECT at FROM latest)), pg_snapshot_xmin(pg_current_snapshot())
      WHERE NOT EXISTS (SELECT FROM latest WHERE at BETWEEN $1::timestamptz - interval '55 seconds' AND $1::timestamptz)
     ON CONFLICT DO NOTHING`,
    [now],
  );
}

export interface Epoch {
  /** The server is not the one that wrote the rows: they were restored into it. */
  readonly isOtherServer: boolean;
  /** The same, or its history has branched: a failover, or a restore to an earlier moment. */
  readonly isOver: boolean;
}

/** Whether the present epoch is still the server's. */
export async function readEpoch(db: Queryable): Promise<Epoch> {
  const [row] = await db.query<Epoch>(
    `SELECT e.system_identifier <> s.system_identifier::text AS is_other_server,
            e.system_identifier <> s.system_identifier::text OR e.timeline <> c.timeline_id AS is_over
       FROM feed_epoch e, pg_control_system() s, pg_control_checkpoint() c`,
  );
  if (row === undefined) throw new Error('feed_epoch has no row');
  return row;
}

/** Begins the next epoch: earlier cursors start over, so that rows that they may have passed are seen. */
export async function renewEpoch(db: Queryable): Promise<void> {
  await db.query(
    `WITH renewed AS (
       UPDATE feed_epoch e SET number = e.number + 1, system_identifier = s.system_identifier::text, timeline = c.timeline_id
         FROM pg_control_system() s, pg_control_checkpoint() c
        WHERE e.system_identifier <> s.system_identifier::text OR e.timeline <> c.timeline_id
       RETURNING e.number),
     gone AS (DELETE FROM feed_mark WHERE EXISTS (SELECT FROM renewed))
     DELETE FROM feed_start WHERE EXISTS (SELECT FROM renewed)`,
  );
}

/** As many epochs of other databases may have begun since the same one. */
const epochsApart = 1_000_000;

/**
 * Begins an epoch in a database into which rows were restored, all of them with the number of this transaction. Its number is a random
 * one above the last: the database that the rows are from may go on, and may be restored again, and the cursors of each are its own.
 */
export async function beginRestoredEpoch(db: Queryable): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM feed_mark), starts AS (DELETE FROM feed_start)
     UPDATE feed_epoch e SET number = e.number + 1 + floor(random() * ${epochsApart})::integer,
            system_identifier = s.system_identifier::text, timeline = c.timeline_id
       FROM pg_control_system() s, pg_control_checkpoint() c`,
  );
}

/** For `keepFeed`: rewrites a batch of a table's rows, which gives each the number of this transaction. */
export function rewriteOf(table: string) {
  const text = `WITH batch AS (SELECT id FROM ${table} WHERE ${afterId('id', '$1')} ORDER BY id LIMIT 1000 FOR NO KEY UPDATE),
       rewritten AS (UPDATE ${table} AS row SET version = row.version FROM batch WHERE row.id = batch.id)
     SELECT max(id::text) AS last FROM batch`;
  return async (db: Queryable, after: string | null): Promise<string | null> => {
    const [row] = await db.query<{ last: string | null }>(text, [after]);
    return row?.last ?? null;
  };
}
