/** SQL of a partner's further attempts: taking over one that was left, starting another. */
import type { Queryable } from '#db/database.ts';
import { changeEvents } from '#sending/change/store.ts';
import { leaseInRequest } from '#sending/lease/store.ts';
import { optOutStops } from '#sending/opt-out.ts';
import { routeName } from '#workshops/store.ts';

/**
 * An attempt that is still `sending` after this time was left behind by a process that died: the gateway has 10
 * seconds, and the statement that records the outcome is quick. Machine clock.
 */
export function isStale(attempt: string): string {
  const since = `greatest(${attempt}.started_at, ${attempt}.asked_at)`;
  return `${attempt}.state = 'sending' AND ${since} < clock_timestamp() - interval '15 seconds'`;
}

/**
 * Takes a message's latest attempt over when its outcome is unknown, to ask the gateway about it; false when another
 * request was faster.
 */
export async function takeOverAttempt(db: Queryable, messageId: string, attemptId: string): Promise<boolean> {
  const rows = await db.query(
    `WITH held AS (SELECT id FROM message WHERE id = $1 AND attempt_id = $2 FOR NO KEY UPDATE),
     taken AS (
       UPDATE message_attempt AS a SET state = 'sending', asked_at = clock_timestamp()
         FROM held WHERE a.id = $2 AND (a.state = 'unknown' OR ${isStale('a')}) RETURNING a.message_id),
     changed AS (
       UPDATE message SET state = 'sending', reason = NULL, detail = NULL, version = version + 1
         FROM taken WHERE message.id = taken.message_id RETURNING message.*),
     leased AS (${leaseInRequest('changed', 'true')})
     SELECT true FROM changed`,
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
       SELECT m.id, ${optOutStops('m', 'c', 'w', "'{}'::text[]")} AS stopped
         FROM message m JOIN customer c ON c.id = m.customer_id JOIN workshop w ON w.id = m.workshop_id
        WHERE m.id = $1 AND m.attempt_id IS NOT DISTINCT FROM $2::uuid AND m.state IN ('failed', 'sending')
          FOR NO KEY UPDATE OF m),
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
     recorded AS (${changeEvents('ended')}),
     leased AS (${leaseInRequest('changed', 'NOT stopped')}),
     given_up AS (DELETE FROM queued_message q USING ended WHERE q.message_id = ended.id),
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
