/**
 * SQL of feeds: the rows of a table in the order in which their changes became visible. The column `changed_in` is the
 * transaction of a row's last write. Transactions get increasing numbers but end in any order, so a page ends before the oldest
 * transaction that is still running. Later writes have higher numbers, so nothing can appear behind a cursor.
 */

import type { Queryable } from '#platform/db/database.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planInOrder } from '#platform/db/plan-modes.ts';
import { recordStart } from './epoch/store.ts';

/** How many rows one page reads, whatever the filters leave of them. */
const lookedAtMost = 10_000;
/** How far the clocks of two machines may differ, and how old a moment may be when it is written. */
const slack = `interval '5 minutes'`;

/** The row of a feed up to which its reader has come. */
export interface FeedPoint {
  /** The start of the server that gave the cursor out (`feed_start`); null in cursors of earlier releases. */
  readonly start: number | null;
  /** xid8, as text. */
  readonly changedIn: string;
  readonly id: string;
}

/** Where a page ends and the next begins. */
export interface FeedPosition extends FeedPoint {
  /** Positions of an earlier epoch are not comparable: see `renewEpoch`. */
  readonly epoch: number;
  /** Where its reader had come in an earlier start of the server: what goes on when this start turns out to be unknown. */
  readonly entered: FeedPoint | null;
}

export interface FeedPage<Item> {
  readonly items: readonly Item[];
  readonly end: FeedPosition;
  /** Processes of the previous release may run, which read plain cursors alone. */
  readonly plain: boolean;
}

export interface FeedQuery {
  /** The table has columns `id`, `changed_in` and `updated_at`, and an index of the tenant's column, `changed_in` and `id`. */
  readonly table: string;
  /** A condition on `row` that selects the tenant. Its parameters, and those of `matches`, begin at `$4`. */
  readonly tenant: string;
  /** A further condition on `row`; true without filters. */
  readonly matches: string;
  /** A jsonb expression, and the joins that it needs after a FROM of the table as `row`. */
  readonly item: string;
  readonly joins: string;
}

/** Business time (inclusive), the position of the previous page, and the most items. */
export type FeedValues = readonly [since: Date, FeedPosition | null, limit: number];

/** The first three parameters of `feedText`; its own conditions have theirs from `$4` on. */
export function feedParameters([since, position, limit]: FeedValues): unknown[] {
  return [since, recordset(pointsOf(position)), limit];
}

/** Where a reader may go on, the best first. */
function pointsOf(position: FeedPosition | null): FeedPoint[] {
  if (position === null) return [];
  const { epoch, entered, ...place } = position;
  return [place, ...(entered === null ? [] : [entered])].map((each) => ({ epoch, ...each }));
}

/** True while the history of the position continues: its start is known, and no later start began before it. */
const isOfThisHistory = `(place.start IS NULL OR EXISTS (
        SELECT FROM feed_start own WHERE own.number = place.start AND NOT EXISTS (
          SELECT FROM feed_start later WHERE later.recorded_in > own.recorded_in AND later.recorded_in <= place.changed_in)))`;

/** The statement of one page. */
export function feedText({ table, tenant, matches, item, joins }: FeedQuery): string {
  const looked = `(SELECT row.id, row.changed_in, row.updated_at >= $1::timestamptz AND (${matches}) AS matches
      FROM ${table} AS row
     WHERE ${tenant} AND (row.changed_in, row.id) > ((SELECT changed_in FROM start), (SELECT id FROM start))
       AND row.changed_in < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY row.changed_in, row.id LIMIT ${lookedAtMost}) AS looked`;
  return planInOrder(`WITH server AS MATERIALIZED (
      SELECT e.number AS epoch, s.number AS start, coalesce(e.plain_cursors_until > clock_timestamp(), false) AS plain
        FROM feed_epoch e LEFT JOIN feed_start s ON s.started_at = pg_postmaster_start_time()),
    reached AS MATERIALIZED (
      SELECT place.ordinal, place.changed_in, place.id
        FROM server JOIN ROWS FROM (jsonb_to_recordset($2::jsonb) AS (epoch integer, start bigint, changed_in xid8, id uuid))
          WITH ORDINALITY AS place (epoch, start, changed_in, id, ordinal) ON place.epoch = server.epoch AND ${isOfThisHistory}
       ORDER BY place.ordinal LIMIT 1),
    start AS MATERIALIZED (
      SELECT reached.ordinal,
             coalesce(reached.changed_in,
               (SELECT "before" FROM feed_mark
                 WHERE at <= $1::timestamptz - ${slack} ORDER BY at DESC, "before" DESC LIMIT 1), '0') AS changed_in,
             coalesce(reached.id, '${lowestId}') AS id
        FROM server LEFT JOIN reached ON true),
    page AS MATERIALIZED (
      SELECT id, changed_in FROM ${looked} WHERE matches ORDER BY changed_in, id LIMIT $3::integer),
    position AS (
      SELECT id, changed_in FROM (SELECT id, changed_in FROM page ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
       WHERE (SELECT count(*) FROM page) = $3::integer
      UNION ALL
      SELECT id, changed_in FROM (SELECT id, changed_in FROM ${looked} ORDER BY changed_in DESC, id DESC LIMIT 1) AS last
       WHERE (SELECT count(*) FROM page) < $3::integer)
    SELECT server.epoch, server.start::float8 AS start, server.plain, start.ordinal::integer AS reached,
           coalesce(position.changed_in, start.changed_in)::text AS changed_in, coalesce(position.id, start.id) AS id,
           (SELECT coalesce(jsonb_agg(own.item ORDER BY page.changed_in, page.id), '[]')
              FROM page CROSS JOIN LATERAL (
                SELECT ${item} AS item FROM ${table} AS row ${joins} WHERE row.id = page.id LIMIT 1) AS own) AS items
      FROM server CROSS JOIN start LEFT JOIN position ON true`);
}

interface PageRow<Item> extends Omit<FeedPosition, 'entered'> {
  readonly plain: boolean;
  /** Which of the positions it began at, from 1; null when it began at the beginning. */
  readonly reached: number | null;
  readonly items: readonly Item[];
}

/** Runs a statement of `feedText`; `own` are the values of its own conditions, from `$4` on. */
export async function readFeed<Item>(
  db: Queryable,
  text: string,
  values: FeedValues,
  own: readonly unknown[],
): Promise<FeedPage<Item>> {
  const read = async () => {
    const [row] = await db.query<PageRow<Item>>(text, [...feedParameters(values), ...own]);
    if (row === undefined) throw new Error('feed_epoch has no row');
    return row;
  };
  let row = await read();
  if (row.start === null) {
    await recordStart(db);
    row = await read();
  }
  const { items, plain, reached, ...place } = row;
  if (place.start === null) throw new Error('the start of the server is not recorded');
  const [, position] = values;
  const from = reached === null ? null : (pointsOf(position)[reached - 1] ?? null);
  return { items, plain, end: { ...place, entered: enteredAt(from, position, place.start) } };
}

/** Where the reader had come before this start of the server; null when no cursor of its own tells. */
function enteredAt(from: FeedPoint | null, position: FeedPosition | null, start: number): FeedPoint | null {
  if (from === null || from.start === null) return null;
  if (from.start === start) return position?.entered ?? null;
  return { start: from.start, changedIn: from.changedIn, id: from.id };
}
