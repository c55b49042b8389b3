/** SQL of a message's attempts: finishing one, taking over one that was left, starting another. */
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import { statement } from '#db/statement.ts';
import { eventColumns } from '#events/record.ts';
import type { SmsOutcome, SmsReason } from '#gateways/sms/gateway.ts';
import { routeName } from '#workshops/store.ts';
import { messageJson } from '#sending/snapshot.ts';
import { acceptedSegments, noSegments, segmentKeys } from './segments/store.ts';

/**
 * An attempt that is still `sending` after this time was left behind by a process that died: the gateway has 10
 * seconds, and the statement that records the outcome is quick. Machine clock.
 */
export function isStale(attempt: string): string {
  const since = `greatest(${attempt}.started_at, ${attempt}.asked_at)`;
  return `${attempt}.state = 'sending' AND ${since} < clock_timestamp() - interval '15 seconds'`;
}

export interface Finish {
  attemptId: string;
  eventId: string;
  now: Date;
  outcome: SmsOutcome;
}

/** The stored words of an outcome. */
export function recordOf(outcome: SmsOutcome): {
  state: string;
  reason: SmsReason | null;
  detail: string | null;
  gatewayId: string | null;
} {
  switch (outcome.state) {
    case 'accepted':
      return { state: 'accepted', reason: null, detail: null, gatewayId: outcome.gatewayId };
    case 'refused':
      return { state: 'failed', reason: outcome.reason, detail: outcome.detail, gatewayId: null };
    case 'unknown':
      return { state: 'unknown', reason: 'unknownOutcome', detail: outcome.detail, gatewayId: null };
  }
}

/**
 * The event of a message's change of state. `changed` is a CTE with the message's rows after it, `id` and `now` are SQL
 * expressions. Whatever did not arrive is `message.failed`; the snapshot's state says more.
 */
export function changeEvent(changed: string, id: string, now: string): string {
  return `INSERT INTO event (${eventColumns})
    SELECT ${id}, CASE state WHEN 'accepted' THEN 'message.accepted' WHEN 'delivered' THEN 'message.delivered' ELSE 'message.failed' END,
           partner_id, workshop_id, id, version, jsonb_build_object('message', ${messageJson(changed)}), ${now} FROM ${changed}`;
}

/**
 * An SQL expression: what has become of an earlier attempt, by the row `of`, counts for the message although another attempt
 * has followed: it has arrived, and the other one did not, or nobody knows.
 */
export function countsAllTheSame(of: string): string {
  return `${of}.state IN ('accepted', 'delivered') AND message.state IN ('failed', 'unknown')`;
}

const finishParameters = {
  attemptId: 'uuid',
  state: 'text',
  reason: 'text',
  detail: 'text',
  gatewayId: 'text',
  gateway: 'text',
  segments: 'text[]',
  eventId: 'uuid',
  now: 'timestamptz',
} as const;
type $ = (name: keyof typeof finishParameters) => string;

const segmentsOf = ($: $) =>
  acceptedSegments({
    gateway: `coalesce(${$('gateway')}, (SELECT gateway FROM message_attempt WHERE id = ${$('attemptId')}))`,
    keys: $('segments'),
    reference: $('attemptId'),
  });

const finishText = ($: $, verdict: string) => `WITH ${verdict},
    finished AS (
      UPDATE message_attempt AS a SET state = coalesce(verdict.state, ${$('state')}), reason = ${$('reason')},
             detail = coalesce(verdict.detail, ${$('detail')}), gateway_id = ${$('gatewayId')},
             gateway = coalesce(${$('gateway')}, gateway), finished_at = clock_timestamp(), business_finished_at = ${$('now')}
        FROM verdict WHERE a.id = ${$('attemptId')} AND a.state IN ('sending', 'unknown')
      RETURNING a.message_id, a.state, a.reason, a.detail),
    changed AS (
      UPDATE message SET state = finished.state, reason = finished.reason, detail = finished.detail, attempt_id = ${$('attemptId')},
             version = version + 1, updated_at = ${$('now')}
        FROM finished WHERE message.id = finished.message_id AND message.state <> finished.state
         AND (message.attempt_id = ${$('attemptId')} OR ${countsAllTheSame('finished')})
      RETURNING message.*)
    ${changeEvent('changed', $('eventId'), $('now'))}`;

const finishWhole = statement(finishParameters, ($) => finishText($, noSegments));
const finishSegments = statement(finishParameters, ($) => finishText($, segmentsOf($)));

/**
 * Records the outcome on the attempt and, while it is the message's latest or what counts, on the message, with the event.
 * Reports of its segments that came before it count.
 */
export async function finishAttempt(db: Queryable, finish: Finish): Promise<void> {
  const { outcome } = finish;
  const segments = segmentKeys(outcome.state === 'accepted' ? outcome.segmentIds : undefined);
  const values = { ...finish, ...recordOf(outcome), gateway: outcome.gateway ?? null, segments };
  const chosen = segments.length > 0 ? finishSegments : finishWhole;
  await db.query(chosen.text, chosen.values(values));
}

/**
 * Takes a message's latest attempt over when its outcome is unknown, to ask the gateway about it; false when another
 * request was faster.
 */
export async function takeOverAttempt(db: Queryable, messageId: string, attemptId: string): Promise<boolean> {
  const rows = await db.query(
    `WITH held AS (SELECT id FROM message WHERE id = $1 AND attempt_id = $2 FOR UPDATE),
     taken AS (
       UPDATE message_attempt AS a SET state = 'sending', asked_at = clock_timestamp()
         FROM held WHERE a.id = $2 AND (a.state = 'unknown' OR ${isStale('a')}) RETURNING a.message_id)
     UPDATE message SET state = 'sending', reason = NULL, detail = NULL, version = version + 1
       FROM taken WHERE message.id = taken.message_id
     RETURNING true`,
    [messageId, attemptId],
  );
  return rows.length > 0;
}

/** What a message says. */
export interface Content {
  body: string;
  encoding: string;
  segments: number;
  templateId: string | null;
  bookingId: string | null;
}

export interface NextAttempt {
  messageId: string;
  /** The latest attempt that was seen; null when there was none. */
  seen: string | null;
  attemptId: string;
  /** The installation's. */
  gateway: string;
  repeatsUnknown: boolean;
  /** Takes the place of what the message said; null: it stays. */
  content: Content | null;
  now: Date;
}

/**
 * Starts a further attempt of a message that failed or was taken over, unless its customer has opted out since, which is
 * its failure then, with the event. Null when another request has started one, or a report has come, in the meantime.
 */
export async function startAttempt(db: Queryable, next: NextAttempt): Promise<'started' | 'optedOut' | null> {
  const { messageId, seen, attemptId, gateway, repeatsUnknown, now, content } = next;
  const [row] = await db.query<{ outcome: 'started' | 'optedOut' }>(
    `WITH due AS (
       SELECT m.id, c.opted_out_at IS NOT NULL AND NOT m.despite_opt_out AS stopped FROM message m JOIN customer c ON c.id = m.customer_id
        WHERE m.id = $1 AND m.attempt_id IS NOT DISTINCT FROM $2::uuid AND m.state IN ('failed', 'sending')
          FOR UPDATE OF m),
     changed AS (
       UPDATE message SET state = CASE WHEN stopped THEN 'failed' ELSE 'sending' END,
              reason = CASE WHEN stopped THEN 'optedOut' END, detail = NULL,
              attempt_id = CASE WHEN stopped THEN attempt_id ELSE $3 END,
              attempts = attempts + CASE WHEN stopped THEN 0 ELSE 1 END, version = version + 1, updated_at = $6,
              body = coalesce($7, body), encoding = coalesce($8, encoding), segments = coalesce($9, segments),
              template_id = CASE WHEN $7::text IS NULL THEN template_id ELSE $10::uuid END,
              booking_id = CASE WHEN $7::text IS NULL THEN booking_id ELSE $11::uuid END
         FROM due WHERE message.id = due.id RETURNING message.*, stopped),
     ended AS (SELECT * FROM changed WHERE stopped),
     recorded AS (${changeEvent('ended', newIdSql, '$6')}),
     left_behind AS (
       UPDATE message_attempt SET state = 'unknown', reason = 'unknownOutcome', finished_at = coalesce(finished_at, clock_timestamp()),
              business_finished_at = coalesce(business_finished_at, $6)
        WHERE id = $2 AND state = 'sending' AND EXISTS (SELECT FROM changed)),
     started AS (
       INSERT INTO message_attempt (id, message_id, number, gateway, state, repeats_unknown, started_at, business_started_at)
       SELECT $3, changed.id, attempts, ${routeName('w', '$4')}, 'sending',
              $5 OR EXISTS (SELECT FROM message_attempt WHERE id = $2 AND repeats_unknown), clock_timestamp(), $6
         FROM changed JOIN workshop w ON w.id = workshop_id WHERE NOT stopped)
     SELECT CASE WHEN stopped THEN 'optedOut' ELSE 'started' END AS outcome FROM changed`,
    [
      ...[messageId, seen, attemptId, gateway, repeatsUnknown, now],
      ...[content?.body, content?.encoding, content?.segments, content?.templateId, content?.bookingId],
    ],
  );
  return row?.outcome ?? null;
}

/**
 * Takes an attempt back of which no gateway was asked: the message is as it was after the attempt before, `seen`, or waits
 * for its first. False when another has begun since.
 */
export async function withdrawAttempt(
  db: Queryable,
  { attemptId, seen, now }: Pick<NextAttempt, 'attemptId' | 'seen' | 'now'>,
): Promise<boolean> {
  const rows = await db.query(
    `WITH its AS (SELECT id FROM message WHERE attempt_id = $1 FOR UPDATE),
     gone AS (
       DELETE FROM message_attempt AS a USING its
        WHERE a.id = $1 AND a.message_id = its.id AND a.state = 'sending' RETURNING its.id)
     UPDATE message SET state = coalesce(before.state, 'sending'), reason = before.reason, detail = before.detail, attempt_id = $2,
            attempts = attempts - 1, version = version + 1, updated_at = $3
       FROM gone LEFT JOIN message_attempt AS before ON before.id = $2 WHERE message.id = gone.id
     RETURNING message.id`,
    [attemptId, seen, now],
  );
  return rows.length > 0;
}

/** Turns attempts that a dead process left into `unknown`, each with its event. `now` is business time. */
export async function sweepStaleAttempts(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `WITH swept AS (
       UPDATE message_attempt AS a SET state = 'unknown', reason = 'unknownOutcome', finished_at = clock_timestamp(),
              business_finished_at = $1, detail = 'The service stopped before the gateway answered.'
        WHERE ${isStale('a')} RETURNING id, message_id, detail),
     changed AS (
       UPDATE message SET state = 'unknown', reason = 'unknownOutcome', detail = swept.detail, version = version + 1, updated_at = $1
         FROM swept WHERE message.id = swept.message_id AND message.attempt_id = swept.id RETURNING message.*)
     ${changeEvent('changed', newIdSql, '$1')}`,
    [now],
  );
}
