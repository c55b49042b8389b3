/**
 * SQL of a message that is requested again with its referenceId: finding it, claiming its latest attempt to reconcile it, starting
 * another attempt.
 */

import type { Actor } from '#base/values/actor.ts';
import { byKey } from '#platform/db/by-key.ts';
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { actorValues } from '#platform/events/record.ts';
import type { SmsReason } from '#platform/gateways/sms/gateway.ts';
import { changeEvents } from '#product/sending/change/store.ts';
import { leaseInRequest } from '#product/sending/lease/store.ts';
import { askSkips, optOutStops } from '#product/sending/opt-out.ts';
import { gatewayOrderName } from '#product/workshops/store.ts';

/**
 * The lease of an attempt inside a request: after 15 seconds in state `sending` its process has died. The gateway's time-out is 10
 * seconds, and recording the outcome is quick. Machine clock.
 */
function isStale(attempt: string): string {
  const since = `greatest(${attempt}.started_at, ${attempt}.asked_at)`;
  return `${attempt}.state = 'sending' AND ${since} < (SELECT clock_timestamp() - interval '15 seconds')`;
}

export interface ReferencedMessage {
  messageId: string;
  conversationId: string;
  partnerId: string;
  workshopId: string;
  state: 'sending' | 'accepted' | 'failed' | 'unknown' | 'delivered' | 'undelivered' | 'expired';
  reason: SmsReason | null;
  detail: string | null;
  phone: string;
  body: string;
  sender: string | null;
  route: readonly string[] | null;
  attemptId: string | null;
  /** The gateway of the latest attempt, or the gateways of its route while it is unknown which of them got it. */
  gateway: string | null;
  /** True when the lease of the latest attempt has ended: its process has died. */
  stale: boolean;
  /** True when the latest attempt may have reached the gateway although no acceptance is recorded. */
  outcomeUnknown: boolean;
  /** True when the latest attempt was made although an earlier one has an unknown outcome. */
  repeatsUnknown: boolean;
  /** True when the latest attempt ended after this request came. */
  endedSince: boolean;
}

export interface ReferenceKey {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly referenceId: string;
}

/** Which message is requested again: by its referenceId, or by the id of its cause. */
export type RepeatedKey = ReferenceKey | { readonly causeId: string };

const byReference = 'm.partner_id = $2 AND m.workshop_id = $3 AND m.customer_id = $4 AND m.reference_id = $5';

/** The message that an earlier request created. `requestedAt` is the database's time, as text. */
export async function findRepeated(
  db: Queryable,
  key: RepeatedKey,
  requestedAt: string,
): Promise<ReferencedMessage | null> {
  const [row] = await db.query<ReferencedMessage>(
    planOnce(`SELECT m.id AS message_id, m.conversation_id, m.state, m.reason, m.detail, m.recipient AS phone,
            m.partner_id, m.workshop_id, m.body, w.sms_sender AS sender, w.sms_gateways AS route, m.attempt_id, a.gateway,
            coalesce(${isStale('a')}, false) AS stale,
            coalesce(a.state = 'unknown' OR ${isStale('a')}, false) AS outcome_unknown,
            coalesce(a.repeats_unknown, false) AS repeats_unknown,
            coalesce(a.finished_at > $1::timestamptz, false) AS ended_since
       FROM message m
       JOIN workshop w ON w.id = m.workshop_id
       LEFT JOIN message_attempt a ON a.id = m.attempt_id
      WHERE ${'causeId' in key ? 'm.cause_id = $2' : byReference}`),
    [
      requestedAt,
      ...('causeId' in key
        ? [key.causeId]
        : [key.partnerId, key.workshopId, key.customerId, key.referenceId]),
    ],
  );
  return row ?? null;
}

/** Claims a message's latest attempt, whose outcome is unknown, to reconcile it; false when another request holds the claim. */
export async function claimAttempt(db: Queryable, messageId: string, attemptId: string): Promise<boolean> {
  const rows = await db.query(
    `WITH held AS (SELECT id FROM message WHERE id = $1 AND attempt_id = $2 FOR NO KEY UPDATE),
     -- A claim whose request is gone may be taken over.
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

/** The content of a message, and the template it was rendered from. */
export interface Content {
  body: string;
  encoding: string;
  segments: number;
  templateId: string | null;
  /** The version of the template that was rendered. */
  templateVersion: number | null;
  bookingId: string | null;
}

export interface NextAttempt {
  messageId: string;
  /** The message's latest attempt, as this request read it; null when there was none. */
  latest: string | null;
  attemptId: string;
  /** The installation's gateway, used when the workshop has no route. */
  gateway: string;
  repeatsUnknown: boolean;
  /** The message's new content; null: keep the present one. */
  content: Content | null;
  now: Date;
  actor: Actor;
}

/** Why nothing was started, or that something was. */
export type Started = 'started' | 'optedOut' | 'mayHaveOptedOut';

/**
 * Starts another attempt of a message that failed or whose attempt was claimed. If its customer has opted out, or may have, the message fails
 * with that reason, and the event is written. Null when another request started an attempt, or a report came, since the message was
 * read.
 */
export async function startAttempt(db: Queryable, next: NextAttempt): Promise<Started | null> {
  const { messageId, latest, attemptId, gateway, repeatsUnknown, now, content } = next;
  const by = actorValues(next.actor);
  const [row] = await db.query<{ outcome: Started }>(
    `WITH due AS (
       SELECT m.id, CASE WHEN ${optOutStops('m', 'c', 'w', "'{}'::text[]")} THEN 'optedOut'
                WHEN ${askSkips('m', 'c')} THEN 'mayHaveOptedOut' END AS stopped
         FROM message m JOIN customer c ON c.id = m.customer_id JOIN workshop w ON w.id = m.workshop_id
        WHERE m.id = $1 AND m.attempt_id IS NOT DISTINCT FROM $2::uuid AND m.state IN ('failed', 'sending')
          FOR NO KEY UPDATE OF m),
     changed AS (
       UPDATE message SET state = CASE WHEN stopped IS NOT NULL THEN 'failed' ELSE 'sending' END,
              reason = stopped, detail = NULL,
              attempt_id = CASE WHEN stopped IS NOT NULL THEN attempt_id ELSE $3 END,
              attempts = attempts + CASE WHEN stopped IS NOT NULL THEN 0 ELSE 1 END, version = version + 1, updated_at = $6,
              body = coalesce($7, body), encoding = coalesce($8, encoding), segments = coalesce($9, segments),
              template_id = CASE WHEN $7::text IS NULL THEN template_id ELSE $10::uuid END,
              template_version = CASE WHEN $7::text IS NULL THEN template_version ELSE $12::integer END,
              booking_id = CASE WHEN $7::text IS NULL THEN booking_id ELSE $11::uuid END
         FROM due WHERE message.id = due.id RETURNING message.*, stopped),
     -- The customer has opted out since, or may have.
     ended AS (SELECT * FROM changed WHERE stopped IS NOT NULL),
     recorded AS (${changeEvents('ended', { actor: '$13', requestId: '$14' })}),
     leased AS (${leaseInRequest('changed', 'stopped IS NULL')}),
     given_up AS (DELETE FROM queued_message WHERE ${byKey('message_id', 'SELECT id FROM ended')}),
     -- The attempt before, if its request never recorded the outcome.
     left_behind AS (
       UPDATE message_attempt SET state = 'unknown', reason = 'unknownOutcome', finished_at = coalesce(finished_at, clock_timestamp()),
              business_finished_at = coalesce(business_finished_at, $6)
        WHERE id = $2 AND state = 'sending' AND EXISTS (SELECT FROM changed)),
     started AS (
       INSERT INTO message_attempt (id, message_id, number, gateway, state, repeats_unknown, started_at, business_started_at)
       SELECT $3, changed.id, attempts, ${gatewayOrderName('w', '$4')}, 'sending',
              $5 OR EXISTS (SELECT FROM message_attempt WHERE id = $2 AND repeats_unknown), clock_timestamp(), $6
         FROM changed JOIN workshop w ON w.id = workshop_id WHERE stopped IS NULL)
     SELECT coalesce(stopped, 'started') AS outcome FROM changed`,
    [
      ...[messageId, latest, attemptId, gateway, repeatsUnknown, now],
      ...[content?.body, content?.encoding, content?.segments, content?.templateId, content?.bookingId],
      ...[content?.templateVersion, by.actor, by.requestId],
    ],
  );
  return row?.outcome ?? null;
}
