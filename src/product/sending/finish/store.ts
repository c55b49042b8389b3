/**
 * SQL that records any number of outcomes at once: attempt, message, event, next step, conversation and dead letter. Rows are
 * locked in id order; outcomes are written by HOT updates.
 */

import { byKey } from '#platform/db/by-key.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { retryWhileUnavailable } from '#platform/db/retry-while-unavailable.ts';
import { actorColumns, actorIn } from '#platform/events/record.ts';
import { handedOverStates } from '../accepted.ts';
import { changeEvents, counts } from '../change/store.ts';
import { acceptedSegments } from '../report/segments/store.ts';
import type { Finish } from './outcome.ts';

const columns: Readonly<Record<keyof Finish, string>> = {
  messageId: 'uuid',
  attemptId: 'uuid',
  state: 'text',
  reason: 'text',
  detail: 'text',
  gatewayId: 'text',
  gateway: 'text',
  segments: 'text[]',
  next: 'text',
  inMs: 'float8',
  withdrawn: 'boolean',
  unspent: 'boolean',
  repeatsUnknown: 'boolean',
  givenUp: 'boolean',
  now: 'timestamptz',
  ...actorColumns,
};

const finishText = (input: string) => `WITH ${input},
  -- Locked in the order of their ids, as every statement that changes attempts does.
  attempt AS (
    SELECT a.id, a.message_id, a.number, a.state AS was, input.*, coalesce(input.gateway, a.gateway) AS its_gateway
      FROM input JOIN message_attempt a ON a.id = input.attempt_id
     ORDER BY a.id FOR NO KEY UPDATE OF a),
  ${acceptedSegments('attempt', { gateway: 'its_gateway', keys: 'segments', reference: 'id' })},
  -- Reports of segments may have come before the acceptance that names them: then they decide.
  judged AS MATERIALIZED (
    SELECT attempt.*, (SELECT verdict.state FROM verdict WHERE verdict.reference = attempt.id) AS said,
           (SELECT verdict.detail FROM verdict WHERE verdict.reference = attempt.id) AS said_why
      FROM attempt),
  -- No gateway was asked: the attempt never was.
  withdrawn AS (
    DELETE FROM message_attempt a USING attempt WHERE a.id = attempt.id AND attempt.withdrawn AND attempt.was = 'sending'),
  -- An outcome counts once: not over a later report, and an unknown one not over any other.
  finished AS (
    UPDATE message_attempt a
       SET state = coalesce(said, attempt.state, 'unknown'), gateway_id = attempt.gateway_id, gateway = its_gateway,
           reason = CASE WHEN attempt.state IS NULL THEN 'unknownOutcome' ELSE attempt.reason END,
           detail = coalesce(said_why, attempt.detail), finished_at = clock_timestamp(), business_finished_at = attempt.now
      FROM judged AS attempt
     WHERE a.id = attempt.id AND NOT attempt.withdrawn
       AND (a.state = 'sending' OR a.state = 'unknown' AND coalesce(said, attempt.state, 'unknown') <> 'unknown'
         OR a.state = 'accepted' AND a.gateway_id IS NULL AND attempt.state = 'accepted')
    RETURNING attempt.ordinal, a.id, a.number, a.state, a.reason, a.detail, attempt.state IS NULL AND said IS NULL AS is_quiet),
  -- The outcome of the messages: by their attempt, or, where none was made, by the outcome itself.
  change AS (
    SELECT finished.id, input.message_id, finished.number, coalesce(finished.state, input.state) AS state,
           CASE WHEN finished.id IS NULL THEN input.reason ELSE finished.reason END AS reason,
           CASE WHEN finished.id IS NULL THEN input.detail ELSE finished.detail END AS detail, input.now, input.actor, input.request_id
      FROM input LEFT JOIN finished ON finished.ordinal = input.ordinal
     WHERE NOT finished.is_quiet OR input.attempt_id IS NULL AND input.state IS NOT NULL
     ORDER BY input.message_id),
  changed AS (
    UPDATE message AS m
       SET state = change.state, reason = change.reason, detail = change.detail, attempt_id = coalesce(change.id, m.attempt_id),
           attempts = greatest(m.attempts, change.number), version = m.version + 1, updated_at = change.now,
           handed_over_at = CASE WHEN change.state IN (${handedOverStates}) OR change.state = 'expired' AND change.id IS NOT NULL
             THEN clock_timestamp() ELSE m.handed_over_at END
      FROM change
     WHERE m.id = change.message_id AND m.state IN ('sending', 'failed', 'unknown')
       AND (change.id IS NULL OR ${counts('change', 'm')})
       AND (m.state <> change.state OR m.attempt_id IS DISTINCT FROM change.id)
    RETURNING m.*, change.actor, change.request_id),
  -- Nothing more is tried, and nothing is known: the state stays, and what follows from the message is told.
  given_up AS (
    UPDATE message AS m SET detail = input.detail, version = m.version + 1, updated_at = input.now
      FROM input
     WHERE m.id = input.message_id AND m.attempt_id = input.attempt_id AND m.state = 'unknown'
       AND input.state = 'unknown' AND input.next = 'done'
       AND NOT EXISTS (SELECT FROM change WHERE change.message_id = input.message_id)
       -- OFFSET 0: looked up for each message, also by a plan from when the queue was empty.
       AND EXISTS (
         SELECT FROM queued_message q WHERE q.message_id = input.message_id AND q.attempt_id = input.attempt_id OFFSET 0)
    RETURNING m.*, input.actor, input.request_id),
  told AS (SELECT * FROM changed UNION ALL SELECT * FROM given_up),
  events AS (${changeEvents('told', actorIn('told'))}),
  -- The messages themselves, and those behind them in their series.
  touched AS MATERIALIZED (
    SELECT message_id FROM input
    UNION
    SELECT next.message_id
      FROM input CROSS JOIN LATERAL (
        SELECT series_id, series_number FROM queued_message WHERE message_id = input.message_id AND series_id IS NOT NULL LIMIT 1) AS own
     CROSS JOIN LATERAL (
        SELECT message_id FROM queued_message WHERE series_id = own.series_id AND series_number > own.series_number) AS next
     WHERE input.next = 'done'
     ORDER BY message_id),
  -- All entries that are changed below, locked in one order, before any is.
  entry AS (
    SELECT q.* FROM touched CROSS JOIN LATERAL (
      SELECT * FROM queued_message own WHERE own.message_id = touched.message_id FOR UPDATE) AS q),
  -- Nothing more is done for these.
  settled AS (
    SELECT q.message_id, q.series_id, q.series_number, q.channel, q.recipient, q.tries, input.reason, input.detail, input.now,
      input.given_up
      FROM input JOIN entry q ON q.message_id = input.message_id
     WHERE input.next = 'done' AND (q.attempt_id IS NULL OR q.attempt_id = input.attempt_id)),
  deleted AS (
    DELETE FROM queued_message q WHERE ${byKey('q.message_id', 'SELECT message_id FROM settled')}),
  rescheduled AS (
    UPDATE queued_message q
       SET attempt_id = CASE input.next WHEN 'reconcile' THEN q.attempt_id END, in_flight = false,
           due_at = clock_timestamp() + input.in_ms * interval '1 millisecond', repeats_unknown = input.repeats_unknown,
           tries = q.tries - CASE WHEN input.unspent THEN 1 ELSE 0 END,
           first_tried_at = CASE WHEN input.withdrawn AND q.tries <= 1 THEN NULL ELSE q.first_tried_at END
      FROM input JOIN entry ON entry.message_id = input.message_id
     WHERE q.message_id = input.message_id AND input.next <> 'done' AND q.attempt_id = input.attempt_id
       AND ${byKey('q.message_id', `SELECT message_id FROM input WHERE next <> 'done'`)}
    RETURNING q.workshop_id, q.channel, q.class, q.due_at),
  -- Later messages of the series, of the same audience: they waited for one that is settled.
  unblocked AS MATERIALIZED (
    SELECT next.id
      FROM settled s JOIN message ended ON ended.id = s.message_id
      JOIN message next ON next.series_id = s.series_id AND next.series_number > s.series_number AND next.channel = s.channel
       AND next.recipient = s.recipient AND next.audience = ended.audience
     WHERE s.series_id IS NOT NULL),
  released AS (
    UPDATE queued_message q SET due_at = clock_timestamp()
     WHERE ${byKey('q.message_id', 'SELECT id FROM unblocked')} AND q.attempt_id IS NULL
    RETURNING q.workshop_id, q.channel, q.class, q.due_at),
  woken AS (
    INSERT INTO send_wake (workshop_id, channel, class, due_at)
    SELECT workshop_id, channel, class, min(due_at) FROM (SELECT * FROM rescheduled UNION ALL SELECT * FROM released) AS due
     WHERE class IS NOT NULL GROUP BY workshop_id, channel, class),
  -- Locked in the order of their ids before they are written.
  conversation_row AS (
    SELECT v.id FROM conversation v
     WHERE ${byKey('v.id', `SELECT conversation_id FROM changed WHERE channel = 'sms' AND state IN (${handedOverStates})`)}
     ORDER BY v.id FOR NO KEY UPDATE),
  spoken AS (
    UPDATE conversation SET last_sent_at = clock_timestamp() WHERE ${byKey('id', 'SELECT id FROM conversation_row')})
  INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
  SELECT ${newIdSql}, 'send', jsonb_build_object('messageId', s.message_id), coalesce(s.reason, 'unknownOutcome'), s.detail, s.tries, s.now
    FROM settled s
   WHERE s.given_up AND (SELECT m.state FROM message m WHERE m.id = s.message_id) IN ('sending', 'failed', 'unknown')
  ON CONFLICT (job, payload) DO UPDATE
    SET reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts, created_at = excluded.created_at`;

const shared = gather<Finish, Record<string, never>>({
  columns,
  build: ({ input }) => finishText(input),
  // An outcome is matched by the attempt's id only, not by the claim: it counts whichever process holds the message now.
  partnerOf: () => '',
  keyOf: ({ messageId }) => messageId,
});

/**
 * Records an outcome, in one statement with others that come at the same time. An attempt that is already settled is not changed,
 * and a claim for another attempt is kept. The call is idempotent, so it is retried for 10 seconds while PostgreSQL is unavailable:
 * without the record, the next process would not know that the gateway has the message, and might send it again. Rejects when the
 * outcome could not be recorded; the entry is then reconciled after its lease ends.
 */
export async function recordFinish(db: Database, finish: Finish): Promise<void> {
  await retryWhileUnavailable(() => shared(db, finish));
}

/** The message of an attempt; null when the attempt does not exist. */
export async function messageOfAttempt(db: Queryable, attemptId: string): Promise<string | null> {
  const [row] = await db.query<{ messageId: string }>(
    'SELECT message_id FROM message_attempt WHERE id = $1',
    [attemptId],
  );
  return row?.messageId ?? null;
}
