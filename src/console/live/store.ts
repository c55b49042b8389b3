/**
 * SQL of changes that were committed since the last query: one statement for all workshops with streams. Every change that a page
 * shows is, in its own commit, an event, an entry of the trail or a row of a message; all three have ids by time, and rows of the
 * last seconds are found by them. Rows that the snapshot of the last query did not see were committed since, in whatever order
 * transactions ended; so nothing is written for it, and what a process of another release commits is found as well. A row's `xmin`
 * is the transaction that wrote it last (no transaction of ours has subtransactions, which snapshots do not list).
 */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import type { Change } from './kinds.ts';

/** One query reads no more; beyond that the further changes are unknown. */
export const changesAtMost = 5_000;
/** A stream begins with the changes of the last seconds, since its page was rendered before it. */
export const joinSeconds = 10;

export interface FoundChange extends Change {
  /** The same key for changes that were sent before: a row is found again after each write, such as the relay's. */
  readonly key: string;
  /** The last query did not see it. */
  readonly isNew: boolean;
}

export interface Look {
  /** The snapshot of the last query; null: this is the first one. */
  readonly snapshot: string | null;
  /** How many seconds of ids are read. */
  readonly seconds: number;
  readonly workshopIds: readonly string[];
  /** The workshops whose changes of the last `joinSeconds` are all returned, new or not. */
  readonly joinedIds: readonly string[];
}

/** The full id of a row's transaction: rows store its last 32 bits. */
const transaction = (row: string) =>
  `((here.next - ((here.next - ${row}.xmin::text::bigint) & 4294967295))::text::xid8)`;

/** The changes of a table `from`, such as `event AS e`. */
const changes = (
  row: string,
  from: string,
  columns: { readonly key: string; readonly what: string; readonly ids: string },
  where: string,
) =>
  `SELECT ${columns.key} AS key, ${row}.workshop_id, ${columns.what} AS what, ${columns.ids},
            NOT pg_visible_in_snapshot(${transaction(row)}, $1::pg_snapshot) AS is_new
       FROM here CROSS JOIN ${from}
      WHERE ${row}.id >= (SELECT since FROM here) AND ${row}.workshop_id = ANY ($3::uuid[]) ${where}
        AND (NOT pg_visible_in_snapshot(${transaction(row)}, $1::pg_snapshot)
          OR ${row}.workshop_id = ANY ($4::uuid[]) AND ${row}.id >= (SELECT joined FROM here))`;

const record = `e.payload -> split_part(e.kind, '.', 1)`;

const text = planOnce(`WITH here AS MATERIALIZED (
      SELECT pg_current_snapshot() AS snapshot, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next,
             first_id(clock_timestamp() - make_interval(secs => $2::float8)) AS since,
             first_id(clock_timestamp() - interval '${joinSeconds} seconds') AS joined),
    change AS (
      ${changes(
        'e',
        'event AS e',
        {
          key: 'e.id::text',
          what: 'e.kind',
          ids: `e.subject_id, ${record} ->> 'customerId' AS customer_id, ${record} ->> 'conversationId' AS conversation_id`,
        },
        '',
      )}
      UNION ALL
      ${changes(
        'a',
        'audit_entry AS a',
        { key: 'a.id::text', what: 'a.action', ids: `a.subject_id, NULL, a.after ->> 'conversationId'` },
        // Copies of events have a version.
        'AND a.version IS NULL',
      )}
      UNION ALL
      ${changes(
        'm',
        'message AS m',
        {
          key: `m.id || ' ' || m.state`,
          what: `'message.' || m.state`,
          ids: 'm.id, m.customer_id::text, m.conversation_id::text',
        },
        `AND m.audience = 'customer'`,
      )}
      LIMIT ${changesAtMost})
    SELECT here.snapshot::text AS snapshot,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('key', key, 'workshopId', workshop_id, 'what', what, 'subjectId', subject_id,
                     'customerId', customer_id, 'conversationId', conversation_id, 'isNew', coalesce(is_new, false))), '[]')
              FROM change) AS changes
      FROM here`);

/** The statement of a look and its values, for tests that read its plan. */
export const lookStatement = ({ snapshot, seconds, workshopIds, joinedIds }: Look) => ({
  text,
  values: [snapshot, seconds, workshopIds, joinedIds],
});

/** Reads the changes since the last look, and the snapshot of this one for the next. */
export async function look(
  db: Queryable,
  at: Look,
): Promise<{ readonly snapshot: string; readonly changes: readonly FoundChange[] }> {
  const { text: statement, values } = lookStatement(at);
  const [row] = await db.query<{ snapshot: string; changes: FoundChange[] }>(statement, values);
  if (row === undefined) throw new Error('a look gave no row');
  return row;
}
