/**
 * SQL of segments, for gateways that report on each segment. Acceptance and reports come in any order and in any process: the first
 * one creates the row, and the later ones update it.
 */
import type { Database, Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import type { DeliveryReport, FinalReport } from '#platform/gateways/sms/callbacks.ts';

/** The index allows no longer ids, and PostgreSQL stores no NUL. */
const keyOf = (id: string) => id.replaceAll('\0', '').slice(0, 255);

/**
 * The gateway's ids as they are stored, sorted, so that every statement locks the rows in the same order. One id for several
 * segments counts once.
 */
export function segmentKeys(ids: readonly string[] | undefined): string[] {
  return [...new Set(ids?.map(keyOf))].sort();
}

/** The row is so old that a new report may be about another SMS: some gateways reuse ids. */
const givenAnew = `s.created_at < excluded.created_at - interval '2 days'`;

/**
 * Another attempt got the id within a day, for which carriers try, and nothing was reported of it since: a report might be of either.
 * Some carriers give each message the same id (OsmoMSC: `msg_id_not_implemented`). Of an id that is given again after days that is over:
 * else one that was shared once, as when a carrier counts from 1 again, named nobody any more.
 */
const isShared = `(s.shared_at IS NOT NULL AND NOT (${givenAnew}) OR excluded.shared_at IS NOT NULL
  OR s.reference <> excluded.reference AND s.state IS NULL AND s.created_at > excluded.created_at - interval '1 day') IS TRUE`;

/**
 * The CTEs `segment` and `verdict` of a statement that records acceptances. They store the segments of the attempts in the CTE
 * `source`, and return, by `reference`, the state that earlier reports give the attempt (`state` is null when it is not final). The
 * other parameters are SQL expressions over the rows of `source`. An id that the gateway used for another attempt before belongs to
 * this attempt from now on; of earlier reports on a reused id, only a recent one counts. An id that several attempts have at a time
 * belongs to none, and reports by it count for none (specification: Messages 15).
 */
export function acceptedSegments(
  source: string,
  sql: { gateway: string; keys: string; reference: string },
): string {
  const kept = (column: string) =>
    `${column} = CASE WHEN (s.reference IS NULL OR s.reference = excluded.reference OR ${givenAnew}
      AND s.reported_at > excluded.created_at - interval '1 minute') AND NOT ${isShared} THEN s.${column} END`;
  return `segment AS (
      INSERT INTO sms_segment AS s (gateway, segment_id, reference, segments, created_at, shared_at)
      SELECT gateway, key, CASE WHEN attempts = 1 THEN reference END, segments, clock_timestamp(),
             CASE WHEN attempts > 1 THEN clock_timestamp() END
        FROM (SELECT ${sql.gateway} AS gateway, key, (array_agg(${sql.reference}))[1] AS reference,
                max(cardinality(${sql.keys})) AS segments, count(DISTINCT ${sql.reference}) AS attempts
                FROM ${source}, unnest(${sql.keys}) AS key GROUP BY ${sql.gateway}, key) AS given ORDER BY gateway, key
      ON CONFLICT (gateway, segment_id) DO UPDATE SET
        reference = CASE WHEN NOT ${isShared} THEN excluded.reference END, segments = excluded.segments,
        shared_at = CASE WHEN ${isShared} THEN excluded.created_at END,
        created_at = excluded.created_at, ${kept('state')}, ${kept('detail')}, ${kept('reported_at')}
      RETURNING reference, segment_id, segments, state, detail, reported_at),
    verdict AS (
      SELECT reference, coalesce((array_agg(state ORDER BY reported_at, segment_id) FILTER (WHERE state <> 'delivered'))[1],
               CASE WHEN count(*) FILTER (WHERE state = 'delivered') >= max(segments) THEN 'delivered' END) AS state,
             (array_agg(detail ORDER BY reported_at, segment_id) FILTER (WHERE state <> 'delivered'))[1] AS detail
        FROM segment GROUP BY reference)`;
}

/**
 * An SQL query of one row: the sum of this gateway's reports on the segments with this reference (both SQL expressions). `state`
 * and `detail` are those of the first failed segment, else null; `segments`, `delivered` and `reported` are counts.
 */
export function segmentsOf(reference: string, gateway: string): string {
  const failed = (column: string) =>
    `(array_agg(${column} ORDER BY reported_at, segment_id) FILTER (WHERE state <> 'delivered'))[1] AS ${column}`;
  return `SELECT ${failed('state')}, ${failed('detail')}, count(*) FILTER (WHERE state = 'delivered') AS delivered,
      count(state) AS reported, max(segments) AS segments
    FROM sms_segment WHERE reference = ${reference} AND gateway = ${gateway}`;
}

/**
 * An SQL expression: the state that a verdict gives the attempt; null when the verdict is not final. One failed segment fails the
 * whole SMS; a delivered segment proves that the gateway accepted it. `ownCount` is the number of segments by our count, for
 * gateways that do not report it.
 */
export function stateBy(verdict: string, ownCount: string): string {
  return `coalesce(${verdict}.state, CASE WHEN ${verdict}.delivered >= coalesce(${verdict}.segments, ${ownCount}) THEN 'delivered'
    WHEN ${verdict}.reported > 0 THEN 'accepted' END)`;
}

/**
 * An SQL condition: `gateway` has the attempt, or may have it. `of` is the attempt's column: a gateway, or a route while it is
 * unknown which of its gateways took it.
 */
export function tookIt(gateway: string, of: string): string {
  return `${gateway} = ANY(string_to_array(${of}, ','))`;
}

export interface SegmentReport {
  readonly gateway: string;
  /** Our reference; null when the gateway reports its own id only. */
  readonly reference: string | null;
  /** The attempt, when it is known although the gateway reports only its own id. */
  readonly attemptId?: string;
  readonly segment: NonNullable<DeliveryReport['segment']>;
  readonly state: FinalReport;
  readonly detail: string | null;
}

/** The segment was reported long ago, and no reference proves that this is the same one. */
const isOther = `excluded.reference IS NULL AND s.state IS NOT NULL AND ${givenAnew}`;
const firstOf = (column: string) =>
  `${column} = CASE WHEN ${isOther} THEN excluded.${column} ELSE coalesce(s.${column}, excluded.${column}) END`;
const firstReport = (column: string) =>
  `${column} = CASE WHEN s.state IS NULL OR ${isOther} THEN excluded.${column} ELSE s.${column} END`;
interface ReportedSegment {
  readonly gateway: string;
  readonly key: string;
  readonly reference: string | null;
  readonly segments: number | null;
  readonly state: DeliveryReport['state'];
  readonly detail: string | null;
}

const upsertSegment = gather<ReportedSegment, { reference: string | null }>({
  columns: {
    gateway: 'text',
    key: 'text',
    reference: 'uuid',
    segments: 'integer',
    state: 'text',
    detail: 'text',
  },
  build: ({ input }) => `WITH ${input}, kept AS (
      INSERT INTO sms_segment AS s (gateway, segment_id, reference, segments, state, detail, reported_at, created_at)
      SELECT gateway, key, reference, segments, state, detail, clock_timestamp(), clock_timestamp() FROM input ORDER BY gateway, key
      ON CONFLICT (gateway, segment_id) DO UPDATE SET ${firstOf('reference')}, ${firstOf('segments')}, ${firstOf('created_at')},
        ${firstReport('state')}, ${firstReport('detail')}, ${firstReport('reported_at')}
      WHERE s.shared_at IS NULL
      RETURNING gateway, segment_id, reference)
    SELECT input.ordinal, kept.reference FROM input JOIN kept ON kept.gateway = input.gateway AND kept.segment_id = input.key`,
  partnerOf: () => '',
  keyOf: ({ gateway, key }) => `${gateway} ${key}`,
});

/**
 * Stores the state of one segment, unless a state is stored already. One statement with others that come at the same time, with its
 * own commit. Returns the attempt's reference, null while it is unknown: recording the acceptance will find the row; `shared`, and
 * stores nothing, of an id that several attempts have.
 */
export async function reportSegment(
  db: Database,
  report: SegmentReport,
): Promise<{ readonly attemptId: string | null } | 'shared'> {
  const { gateway, reference, attemptId = null, segment, state } = report;
  const key = keyOf(segment.id);
  const row = await upsertSegment(db, {
    gateway,
    // One gateway may serve several carriers that use the same id for segments of different attempts.
    key: reference === null ? key : `${reference.toLowerCase()} ${key}`,
    reference: reference ?? attemptId,
    segments: countOf(segment.of),
    state,
    detail: state === 'delivered' ? null : report.detail,
  });
  return row === null ? 'shared' : { attemptId: row.reference };
}

/** Ids that carriers gave to several messages, the one that was given last first: ten at most. */
export function sharedIds(
  db: Queryable,
): Promise<{ readonly gateway: string; readonly id: string; readonly at: Date }[]> {
  return db.query(
    `SELECT gateway, segment_id AS id, shared_at AS at FROM sms_segment WHERE shared_at IS NOT NULL
      ORDER BY created_at DESC LIMIT 10`,
  );
}

/**
 * Which of these ids belong to segments of attempts, in the given order. When the gateway reports the number of the hand-over, ids
 * of attempts with that number come first.
 */
export async function knownIds(
  db: Queryable,
  gateway: string,
  ids: readonly string[],
  userReference: number | null,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT given.id FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (id, key, number)
       JOIN sms_segment s ON s.gateway = $1 AND s.segment_id = given.key
      WHERE s.reference IS NOT NULL ORDER BY ${endsWith('s.reference', '$4')} IS TRUE DESC, given.number`,
    [gateway, ids, ids.map(keyOf), userReference],
  );
  return rows.map(({ id }) => id);
}

/** An SQL condition: the last 16 bits of an attempt's id are this number. */
const endsWith = (id: string, number: string) =>
  `right(${id}::text, 4) = lpad(to_hex(${number}::int), 4, '0')`;

/**
 * The attempt of the last days that handed an SMS to this phone (E.164) and gateway with this number; null when there is none, or
 * more than one.
 */
export async function attemptWith(
  db: Queryable,
  gateway: string,
  { userReference, to }: NonNullable<DeliveryReport['handedOver']>,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(
    `SELECT a.id FROM customer c JOIN message m ON m.customer_id = c.id JOIN message_attempt a ON a.message_id = m.id
      WHERE c.phone = $1 AND m.recipient = $1 AND m.channel = 'sms' AND ${tookIt('$2', 'a.gateway')} AND ${endsWith('a.id', '$3')}
        AND a.started_at > (SELECT clock_timestamp() - interval '3 days') LIMIT 2`,
    [to, gateway, userReference],
  );
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

/** No SMS has more than 255 segments, so another count is ignored. */
function countOf(segments: number | null): number | null {
  return segments !== null && Number.isInteger(segments) && segments >= 1 && segments <= 255
    ? segments
    : null;
}

/** A function that deletes up to `limit` segments older than `age`, and returns how many. */
const deletion = (which: string, age: string) => async (db: Queryable, limit: number) => {
  // The time is a subquery and rows are chosen by ctid; otherwise PostgreSQL uses no index.
  const rows = await db.query(
    `DELETE FROM sms_segment WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM sms_segment WHERE ${which} AND created_at < (SELECT clock_timestamp() - interval '${age}')
        ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING true`,
    [limit],
  );
  return rows.length;
};

/** Reports without an acceptance are deleted after an hour, other segments after two weeks, when no carrier retries any more. */
export const segmentDeletions = [
  deletion('reference IS NULL AND shared_at IS NULL', '1 hour'),
  deletion('reference IS NOT NULL', '14 days'),
  deletion('shared_at IS NOT NULL', '14 days'),
];
