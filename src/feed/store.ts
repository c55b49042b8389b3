/**
 * SQL of feeds: the rows of a table in the order in which their changes became visible. The column `changed_in` is the
 * transaction of a row's last write. Transactions get increasing numbers but end in any order, so a page ends before the oldest
 * transaction that is still running. Later writes have higher numbers, so nothing can appear behind a cursor.
 */
import type { Queryable } from '#db/database.ts';
import { afterId, lowestId } from '#db/page-bounds.ts';

/** How many rows one page reads, whatever the filters leave of them. */
const lookedAtMost = 10_000;
/** How far the clocks of two machines may differ, and how old a moment may be when it is written. */
const slack = `interval '5 minutes'`;
/** A feed since an older moment begins at the first row. */
const marksKept = `interval '30 days'`;

/** Where a page ends and the next begins. */
export interface FeedPosition {
  /** Positions of an earlier epoch are not comparable: see `renewEpoch`. */
  readonly epoch: number;
  /** xid8, as text. */
  readonly changedIn: string;
  readonly id: string;
}

export interface FeedPage<Item> extends FeedPosition {
  readonly items: readonly Item[];
}

export interface FeedQuery {
  /** The table has columns `id`, `changed_in` and `updated_at`, and an index of the tenant's column, `changed_in` and `id`. */
  readonly table: string;
  /** A condition on `row` that selects the tenant. Its parameters, and those of `matches`, begin at `$6`. */
  readonly tenant: string;
  /** A further condition on `row`; true without filters. */
  readonly matches: string;
  /** A jsonb expression, and the joins that it needs after a FROM of the table as `row`. */
  readonly item: string;
  readonly joins: string;
}

/** The parameters of `feedText`: business time (inclusive), the position of the page before, and the most items. */
export type FeedValues = readonly [since: Date, FeedPosition | null, limit: number];

/** The statement of one page. */
export function feedText({ table, tenant, matches, item, joins }: FeedQuery): string {
  const looked = `(SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz AND (${matches}) AS matches
      FROM ${table} AS row
     WHERE ${tenant} AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
       AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY row.changed_in, row.id LIMIT ${lookedAtMost}) AS looked`;
  return `WITH start AS MATERIALIZED (
      SELECT number AS epoch,
             coalesce(CASE number WHEN $2::integer THEN $3::text::xid8 END,
               (SELECT "before" FROM feed_mark WHERE at <= $1::timestamptz - ${slack} ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
             coalesce(CASE number WHEN $2::integer THEN $4::uuid END, '${lowestId}') AS id
        FROM feed_epoch),
    page AS MATERIALIZED (
      SELECT id, changed_in FROM ${looked} WHERE matches ORDER BY changed_in, id LIMIT $5::integer),
    position AS (
      SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
       WHERE (SELECT count(*) FROM page) = $5::integer
      UNION ALL
      SELECT id, changed_in FROM (SELECT id, changed_in FROM ${looked} ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
       WHERE (SELECT count(*) FROM page) < $5::integer)
    SELECT start.epoch, coalesce(position.changed_in, start.changed_in)::text AS "changedIn", coalesce(position.id, start.id) AS id,
           (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
              FROM page CROSS JOIN LATERAL (
                SELECT ${item} AS item FROM ${table} AS row ${joins} WHERE row.id = page.id LIMIT 1) AS own) AS items
      FROM start LEFT JOIN position ON true`;
}

/** Runs a statement of `feedText`; `values` are those of its own conditions, from `$6` on. */
export async function readFeed<Item>(
  db: Queryable,
  text: string,
  [since, position, limit]: FeedValues,
  values: readonly unknown[],
): Promise<FeedPage<Item>> {
  const { epoch, changedIn, id } = position ?? { epoch: null, changedIn: null, id: null };
  const [page] = await db.query<FeedPage<Item>>(text, [since, epoch, changedIn, id, limit, ...values]);
  if (page === undefined) throw new Error('feed_epoch has no row');
  return page;
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
    `SELECT e.system_identifier <> s.system_identifier::text AS "isOtherServer",
            e.system_identifier <> s.system_identifier::text OR e.timeline <> c.timeline_id AS "isOver"
       FROM feed_epoch e, pg_control_system() s, pg_control_checkpoint() c`,
  );
  if (row === undefined) throw new Error('feed_epoch has no row');
  return row;
}

/** Begins the next epoch: earlier cursors start over, so that rows that they may have passed are seen. */
export async function renewEpoch(db: Queryable): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM feed_mark)
     UPDATE feed_epoch e SET number = e.number + 1, system_identifier = s.system_identifier::text, timeline = c.timeline_id
       FROM pg_control_system() s, pg_control_checkpoint() c
      WHERE e.system_identifier <> s.system_identifier::text OR e.timeline <> c.timeline_id`,
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
    `WITH gone AS (DELETE FROM feed_mark)
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
