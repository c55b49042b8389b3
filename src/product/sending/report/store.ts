/** SQL that applies delivery reports to attempts and their messages. */

import { actors } from '#base/values/actor.ts';
import { byKey } from '#platform/db/by-key.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { actorIs } from '#platform/events/record.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { changeEvents, counts } from '../change/store.ts';
import { segmentsOf, stateBy, tookIt } from './segments/store.ts';

export interface Reported {
  /** Our reference of the attempt. */
  readonly reference: string;
  /** Which gateway reported. */
  readonly gateway: string;
  /** The state of the whole SMS; null: compute it from the segments. */
  readonly whole: Pick<DeliveryReport, 'state' | 'detail'> | null;
}

const columns = {
  reference: 'uuid',
  gateway: 'text',
  state: 'text null',
  detail: 'text null',
  now: 'timestamptz',
} as const;

const reportText = (input: string) => `WITH ${input},
  -- A report of a part counts by what all parts say together.
  verdict AS MATERIALIZED (
    SELECT input.ordinal, input.reference, input.gateway, input.now, coalesce(input.state, its.state) AS state,
           CASE WHEN input.state IS NULL THEN its.detail WHEN input.state <> 'delivered' THEN input.detail END AS detail,
           its.delivered, CASE WHEN input.state IS NULL THEN its.reported ELSE 1 END AS reported, its.segments
      FROM input LEFT JOIN LATERAL (${segmentsOf('input.reference', 'input.gateway')}) AS its ON input.state IS NULL),
  -- Locked in the order of their ids, as every statement that changes attempts does.
  attempt AS (
    SELECT a.id, v.ordinal, v.gateway, v.now, a.state IN ('sending', 'unknown') AS was_open, ${stateBy('v', 'm.segments')} AS state,
      v.detail
      FROM verdict v JOIN message_attempt a ON a.id = v.reference JOIN message m ON m.id = a.message_id
     ORDER BY a.id FOR NO KEY UPDATE OF a),
  -- A report is also the acceptance where none was recorded; a state that is final stays.
  reported AS (
    UPDATE message_attempt AS a SET state = attempt.state, reason = NULL, detail = attempt.detail,
           gateway = CASE a.state WHEN 'accepted' THEN a.gateway ELSE attempt.gateway END,
           finished_at = coalesce(a.finished_at, clock_timestamp()),
           business_finished_at = coalesce(a.business_finished_at, attempt.now)
      FROM attempt
     WHERE a.id = attempt.id AND attempt.state IS NOT NULL AND ${tookIt('attempt.gateway', 'a.gateway')}
       AND (a.state IN ('sending', 'unknown') OR a.state = 'accepted' AND attempt.state <> 'accepted')
    RETURNING a.id, a.message_id, a.number, a.state, a.detail, attempt.now, attempt.was_open),
  changed AS (
    UPDATE message AS m SET state = reported.state, reason = NULL, detail = reported.detail, attempt_id = reported.id,
           attempts = greatest(m.attempts, reported.number), version = m.version + 1, updated_at = reported.now,
           handed_over_at = coalesce(m.handed_over_at, clock_timestamp())
      FROM reported WHERE m.id = reported.message_id AND m.state <> reported.state AND ${counts('reported', 'm')}
    RETURNING m.*, was_open),
  events AS (${changeEvents('changed', actorIs(actors.gateway))}),
  -- A retry that waits is needless now; one that is under way ends by itself.
  settled AS (
    DELETE FROM queued_message q USING reported
     WHERE q.message_id = reported.message_id AND q.attempt_id = reported.id AND NOT q.in_flight
       AND ${byKey('q.message_id', 'SELECT message_id FROM reported')}),
  -- Locked in the order of their ids before they are written.
  conversation_row AS (
    SELECT v.id FROM conversation v WHERE ${byKey('v.id', 'SELECT conversation_id FROM changed WHERE was_open')}
     ORDER BY v.id FOR NO KEY UPDATE),
  spoken AS (
    UPDATE conversation SET last_sent_at = clock_timestamp() WHERE ${byKey('id', 'SELECT id FROM conversation_row')})
  SELECT ordinal FROM attempt`;

const shared = gather<RowValues<typeof columns>, { ordinal: number }>({
  columns,
  build: ({ input }) => reportText(input),
  partnerOf: () => '',
  keyOf: ({ reference }) => reference.toLowerCase(),
});

/**
 * Records a report on the attempt and, when the attempt decides its message's state, on the message, with the event; in one
 * statement with others that come at the same time. A report may come before the acceptance is recorded. It changes neither a
 * final state, nor an attempt that was refused or that another gateway took. It settles an attempt that waits to be reconciled.
 * False when no attempt has this reference. `now` is business time.
 */
export async function reportAttempt(
  db: Database,
  { reference, gateway, whole }: Reported,
  now: Date,
): Promise<boolean> {
  const { state = null, detail = null } = whole ?? {};
  return (await shared(db, { reference, gateway, state, detail, now })) !== null;
}

/**
 * The attempt that the gateway has, when it reports the attempt with this reference as a duplicate: of the message's earlier
 * attempts that it accepted or may have accepted, the one with the most certain state. Null when there is none, or when the
 * reference is unknown.
 */
export async function originalOf(db: Queryable, reference: string, gateway: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT e.id FROM message_attempt a JOIN message_attempt e ON e.message_id = a.message_id AND e.number < a.number
      WHERE a.id = $1 AND ${tookIt('$2', 'a.gateway')} AND ${tookIt('$2', 'e.gateway')}
        AND e.state IN ('sending', 'unknown', 'accepted', 'delivered')
      ORDER BY array_position(ARRAY['delivered', 'accepted'], e.state), e.number DESC LIMIT 1`,
    [reference, gateway],
  );
  return row?.id ?? null;
}

/**
 * Makes the attempt `original` decide the state of the message from now on, instead of the attempt with `reference`: the message
 * gets its recorded state, and an event. `now` is business time.
 */
export async function followOriginal(
  db: Queryable,
  { reference, original, now }: { readonly reference: string; readonly original: string; readonly now: Date },
): Promise<void> {
  await db.query(
    `WITH original AS MATERIALIZED (SELECT * FROM message_attempt WHERE id = $2 FOR NO KEY UPDATE),
       followed AS (
         UPDATE message m SET attempt_id = o.id, state = o.state, detail = o.detail,
                version = m.version + CASE o.state WHEN m.state THEN 0 ELSE 1 END,
                updated_at = CASE o.state WHEN m.state THEN m.updated_at ELSE $3 END
           FROM original o WHERE m.id = o.message_id AND m.attempt_id = $1 AND m.state = 'accepted'
         RETURNING m.*),
       changed AS (SELECT * FROM followed WHERE state <> 'accepted')
     ${changeEvents('changed', actorIs(actors.gateway))}`,
    [reference, original, now],
  );
}
