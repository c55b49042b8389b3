/** Long because it goes as a whole, in a later release, with the tables of the previous release: SQL of what its processes write while
 * they are replaced, jobs of its queue and rows of its two tables of notices.
 */
import type { Queryable } from '#db/database.ts';
import { handedOverStates } from '#sending/accepted.ts';
import type { Audience, Channel } from '#sending/kinds.ts';
import { notFailed, notFailedText } from '#work/failed/store.ts';

/** False on an installation that never had that queue. */
export async function hasOldQueue(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS found`,
  );
  return row?.found ?? false;
}

export interface OldJob {
  readonly job: string;
  /** The id in its payload. */
  readonly subjectId: string;
  readonly attempts: number;
  /** The job has used up its attempts without a dead letter: its process died each time. */
  readonly isSpent: boolean;
  /** Machine clock. */
  readonly dueAt: Date;
  /** Since when the work has waited; machine clock. */
  readonly waitsSince: Date;
}

const subjectOf = `(SELECT value FROM json_each_text(j.payload) LIMIT 1)`;
/** No process runs it, or its process has been silent for 30 seconds. */
const isFree = `(j.locked_at IS NULL OR j.locked_at < clock_timestamp() - interval '30 seconds' AND NOT EXISTS (
          SELECT FROM worker WHERE worker.id = j.locked_by AND worker.seen_at > clock_timestamp() - interval '30 seconds'))`;

/** The subjects of up to `limit` jobs that no process runs and that have not failed in this job of ours. */
export async function findOldJobs(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT ${subjectOf} AS id FROM graphile_worker._private_jobs j
      WHERE ${isFree} AND ${notFailedText(job, subjectOf)} ORDER BY j.id LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Takes the jobs of these subjects that no process runs; the commit deletes them. */
export async function takeOldJobs(tx: Queryable, subjectIds: readonly string[]): Promise<OldJob[]> {
  return tx.query<OldJob>(
    `WITH free AS MATERIALIZED (
       SELECT j.id FROM graphile_worker._private_jobs j
        WHERE ${subjectOf} = ANY ($1::text[]) AND ${isFree} ORDER BY j.id FOR UPDATE SKIP LOCKED)
     DELETE FROM graphile_worker._private_jobs j USING free, graphile_worker._private_tasks t
      WHERE j.id = free.id AND t.id = j.task_id
     RETURNING t.identifier AS job, ${subjectOf} AS "subjectId", j.attempts::int AS attempts,
       j.attempts >= j.max_attempts AS "isSpent", j.run_at AS "dueAt",
       CASE WHEN j.key LIKE 'since:%' THEN to_timestamp(split_part(j.key, ':', 2)::float8) ELSE j.created_at END AS "waitsSince"`,
    [subjectIds],
  );
}

export interface OldNotice {
  readonly id: string;
  readonly kind: 'bookingNotice' | 'inboxDigest';
  readonly workshopId: string;
  readonly audience: Audience;
  readonly channel: Channel;
  readonly recipient: string;
  /** The event or the inbox digest that it reports. */
  readonly causeId: string;
  readonly bookingId: string | null;
  /** For a notice to a customer: whose booking it is. */
  readonly customerId: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly gateway: string | null;
  readonly gatewayId: string | null;
  readonly attemptId: string | null;
  readonly attempts: number;
  readonly repeatsUnknown: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const common = `n.id, n.workshop_id AS "workshopId", n.channel, n.state, n.reason, n.detail, n.gateway, n.gateway_id AS "gatewayId",
  n.attempt_id AS "attemptId", n.attempts, n.repeats_unknown AS "repeatsUnknown", n.created_at AS "createdAt", n.updated_at AS "updatedAt"`;

/** Moves these notices out of the old tables. */
export async function takeOldNotices(tx: Queryable, ids: readonly string[]): Promise<OldNotice[]> {
  return [...(await takeNotifications(tx, ids)), ...(await takeAnswerNotices(tx, ids))];
}

function takeNotifications(tx: Queryable, ids: readonly string[]): Promise<OldNotice[]> {
  return tx.query<OldNotice>(
    `WITH n AS (DELETE FROM notification WHERE id = ANY($1::uuid[]) RETURNING *)
     SELECT ${common}, 'bookingNotice' AS kind, n.audience, n.event_id AS "causeId", n.booking_id AS "bookingId",
       CASE WHEN c.erased_at IS NULL AND n.recipient <> 'erased' THEN n.recipient ELSE '' END AS recipient, c.id AS "customerId"
     FROM n JOIN booking b ON b.id = n.booking_id LEFT JOIN event e ON e.id = n.event_id
     LEFT JOIN customer c ON n.audience = 'customer' AND c.workshop_id = n.workshop_id
       AND c.id = coalesce((e.payload->'booking'->>'customerId')::uuid, b.customer_id)`,
    [ids],
  );
}

function takeAnswerNotices(tx: Queryable, ids: readonly string[]): Promise<OldNotice[]> {
  return tx.query<OldNotice>(
    `WITH n AS (DELETE FROM answer_notice WHERE id = ANY($1::uuid[]) RETURNING *)
     SELECT ${common}, 'inboxDigest' AS kind, 'workshop' AS audience, n.round AS "causeId", NULL::uuid AS "bookingId", n.recipient,
       NULL::uuid AS "customerId"
     FROM n`,
    [ids],
  );
}

/** Up to `limit` notices that have neither a job nor a dead letter: they are settled, and only kept. Without those that have failed. */
export async function findSettledNotices(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT n.id FROM (
       SELECT id, 'notificationId' AS name, state FROM notification UNION ALL SELECT id, 'answerNoticeId', state FROM answer_notice) AS n
     WHERE n.state NOT IN ('pending', 'sending') AND ${notFailed(job, 'n.id')}
       AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs j WHERE j.payload->>n.name = n.id::text)
       AND NOT EXISTS (SELECT FROM dead_letter d WHERE d.payload->>n.name = n.id::text)
     LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

export interface OldLetter {
  readonly job: string;
  readonly subjectId: string;
}

const newPayload = `jsonb_build_object('messageId', (SELECT value FROM jsonb_each_text(d.payload) LIMIT 1))`;

const isOldLetter = `job IN ('deliverNotification', 'deliverAnswerNotice', 'sendQueued')`;

/** The ids of up to `limit` dead letters of the old jobs; without those that have failed in this job of ours. */
export async function findOldLetters(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM dead_letter WHERE ${isOldLetter} AND ${notFailed(job, 'dead_letter.id')} ORDER BY id LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Renames these dead letters of the old jobs, and returns their old form. */
export async function renameOldLetters(tx: Queryable, ids: readonly string[]): Promise<OldLetter[]> {
  return tx.query<OldLetter>(
    `WITH old AS MATERIALIZED (
       SELECT id, job, (SELECT value FROM jsonb_each_text(payload) LIMIT 1) AS subject_id FROM dead_letter
        WHERE id = ANY ($1::uuid[]) AND ${isOldLetter} ORDER BY id FOR UPDATE SKIP LOCKED)
     UPDATE dead_letter d SET job = 'send', payload = ${newPayload} FROM old WHERE d.id = old.id
     RETURNING old.job, old.subject_id AS "subjectId"`,
    [ids],
  );
}

/** What is known of the attempts at an adopted message, beyond what queueing has stored. */
export interface AdoptedState
  extends Omit<
    OldNotice,
    'kind' | 'workshopId' | 'audience' | 'channel' | 'recipient' | 'causeId' | 'bookingId' | 'customerId'
  > {
  /** False: it is settled, or has a dead letter. */
  readonly waits: boolean;
  readonly tries: number;
  readonly dueAt: Date;
  readonly waitsSince: Date;
}

const adopted = `id uuid, state text, reason text, detail text, gateway text, "gatewayId" text, "attemptId" uuid, attempts integer,
  "repeatsUnknown" boolean, "createdAt" timestamptz, "updatedAt" timestamptz, waits boolean, tries smallint, "dueAt" timestamptz,
  "waitsSince" timestamptz`;

/** Gives messages that were just queued the state of their notices: an unknown outcome is reconciled before another attempt. */
export async function restoreStates(tx: Queryable, states: readonly AdoptedState[]): Promise<void> {
  await tx.query(
    `WITH old AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS given (${adopted})),
     changed AS (
       UPDATE message m SET created_at = old."createdAt", updated_at = old."updatedAt", attempts = old.attempts, attempt_id = old."attemptId",
              state = CASE old.state WHEN 'pending' THEN m.state WHEN 'sending' THEN 'unknown' ELSE old.state END,
              reason = CASE old.state WHEN 'pending' THEN m.reason WHEN 'sending' THEN 'unknownOutcome' ELSE old.reason END,
              detail = old.detail,
              handed_over_at = CASE WHEN old.state NOT IN ('pending', 'failed') THEN made_at(old."attemptId") END
         FROM old WHERE m.id = old.id RETURNING m.id, m.conversation_id, m.handed_over_at),
     attempted AS (
       INSERT INTO message_attempt (id, message_id, number, gateway, gateway_id, state, reason, detail, repeats_unknown, started_at, finished_at,
         business_started_at, business_finished_at)
       SELECT old."attemptId", old.id, greatest(old.attempts, 1), coalesce(old.gateway, ''), old."gatewayId",
              CASE old.state WHEN 'sending' THEN 'unknown' ELSE old.state END, old.reason, old.detail, old."repeatsUnknown",
              made_at(old."attemptId"), made_at(old."attemptId"), old."updatedAt", old."updatedAt"
         FROM old JOIN changed ON changed.id = old.id WHERE old."attemptId" IS NOT NULL AND old.state <> 'pending'
       ON CONFLICT DO NOTHING),
     settled AS (
       DELETE FROM queued_message q USING old WHERE q.message_id = old.id AND NOT old.waits),
     waiting AS (
       UPDATE queued_message q SET attempt_id = CASE WHEN old.state IN ('sending', 'unknown') THEN old."attemptId" END, tries = old.tries,
              due_at = least(old."dueAt", clock_timestamp() + interval '15 minutes'), created_at = old."waitsSince",
              first_tried_at = CASE WHEN old.tries > 0 THEN old."waitsSince" END, expires_at = old."waitsSince" + interval '24 hours'
         FROM old WHERE q.message_id = old.id AND old.waits)
     UPDATE conversation v SET last_sent_at = greatest(v.last_sent_at, changed.handed_over_at)
       FROM changed WHERE v.id = changed.conversation_id AND changed.handed_over_at IS NOT NULL`,
    [JSON.stringify(states)],
  );
}

/** Queues replies and confirmations that are stored but not settled. `dueAt` and `waitsSince` are the machine clock's. */
export async function queueStored(
  tx: Queryable,
  stored: readonly {
    readonly id: string;
    readonly tries: number;
    readonly dueAt: Date | null;
    readonly waitsSince: Date | null;
  }[],
): Promise<void> {
  await tx.query(
    `WITH queued AS (
       INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, tries, first_tried_at, recipient, created_at, expires_at)
       SELECT m.id, m.workshop_id, m.channel, 0, coalesce(old."dueAt", clock_timestamp()),
              CASE WHEN a.state IN ('sending', 'unknown') THEN a.id END, old.tries, CASE WHEN old.tries > 0 THEN old."waitsSince" END,
              m.recipient, coalesce(old."waitsSince", made_at(m.id)), coalesce(old."waitsSince", made_at(m.id)) + interval '24 hours'
         FROM jsonb_to_recordset($1::jsonb) AS old (id uuid, tries smallint, "dueAt" timestamptz, "waitsSince" timestamptz)
         JOIN message m ON m.id = old.id LEFT JOIN message_attempt a ON a.id = m.attempt_id
        WHERE m.direction = 'outbound' AND m.partner_id IS NULL AND m.state IN ('sending', 'failed', 'unknown') AND m.recipient <> ''
          AND m.reason IS DISTINCT FROM 'optedOut'
       ON CONFLICT (message_id) DO NOTHING
       RETURNING workshop_id, channel, class, due_at)
     INSERT INTO send_wake (workshop_id, channel, class, due_at) SELECT workshop_id, channel, class, min(due_at) FROM queued GROUP BY 1, 2, 3`,
    [JSON.stringify(stored)],
  );
}

/**
 * Adopts what processes of the previous release have sent in the last two minutes: a STOP is matched by it, and the sweep settles
 * what those processes left when they ended.
 */
export async function followOldProcesses(db: Queryable): Promise<void> {
  await db.query(
    `WITH recent AS MATERIALIZED (
       SELECT m.id, m.workshop_id, m.conversation_id, m.recipient, m.attempt_id, m.kind, m.state
         FROM message m
        WHERE m.id > (SELECT first_id(clock_timestamp() - interval '2 minutes'))
          AND m.direction = 'outbound' AND m.conversation_id IS NOT NULL AND m.attempt_id IS NOT NULL AND m.handed_over_at IS NULL),
     left_behind AS (
       INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient, created_at)
       SELECT r.id, r.workshop_id, 'sms', NULL, clock_timestamp(), a.id, true, 1, r.recipient, a.started_at
         FROM recent r JOIN message_attempt a ON a.id = r.attempt_id
        WHERE r.kind = 'partnerMessage' AND a.state = 'sending' AND a.started_at < clock_timestamp() - interval '20 seconds'
       ON CONFLICT (message_id) DO NOTHING),
     sent AS (
       UPDATE message m SET handed_over_at = made_at(m.attempt_id) FROM recent r
        WHERE m.id = r.id AND r.state IN (${handedOverStates}) RETURNING m.conversation_id, m.handed_over_at)
     UPDATE conversation v SET last_sent_at = latest.at
       FROM (SELECT conversation_id, max(handed_over_at) AS at FROM sent GROUP BY 1) AS latest
      WHERE v.id = latest.conversation_id AND (v.last_sent_at IS NULL OR v.last_sent_at < latest.at)`,
  );
}

/** True while a process of the release before may still run: within a day after the tables were changed. */
export async function isJustUpgraded(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ just: boolean }>(
    `SELECT applied_at > clock_timestamp() - interval '1 day' AS just FROM migration WHERE name LIKE '%_adopt_notices.sql'`,
  );
  return row?.just ?? false;
}
