/**
 * SQL of a claim: it takes the due queues, class by class, and from each of them up to its share of the room. Each entry gets a
 * lease and, when it is to be sent, an attempt. The number of rows read depends on the room, and rows that others have locked are
 * skipped.
 */

import { byKey } from '#platform/db/by-key.ts';
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { saturatingIncrement } from '#platform/db/saturating-increment.ts';
import { claimed } from '#platform/work/turns/store.ts';
import { otherIdsOf } from '#product/customers/merged/store.ts';
import { hasBounced } from '#product/customers/store.ts';
import { gatewayOrderName } from '#product/workshops/store.ts';
import type { StoredMessage } from '../compose.ts';
import { classes } from '../kinds.ts';
import { turns } from '../lease/store.ts';
import { askSkips, optOutStops } from '../opt-out.ts';
import { isQuiet, untilQuietEnds } from '../quiet.ts';

/** How long after its first attempt a message blocks the next one of its series. */
const blocksForSeconds = 60;
/** A blocked message is claimed again after this time, unless something releases it earlier. */
const blockedSeconds = 2;
/**
 * Entries held by quiet hours become due this long after the quiet hours end, so that a difference between the clocks of two
 * processes does not matter. Entries held by a pause have no due time; `release` makes them due.
 */
const afterQuietSeconds = 1;

export interface Claim {
  /** Routes of queues, such as `email`, `sms`, `sms:kannel,twilio`. */
  readonly routes: readonly string[];
  /** The most entries to claim. */
  readonly room: number;
  /** The installation's gateways, by name. */
  readonly smsGateway: string;
  readonly emailGateway: string;
  readonly exemptCountries: readonly string[];
  /** Only these classes; absent: all. */
  readonly classes?: readonly number[];
  /** Business time. */
  readonly now: Date;
}

/** The action of the sender on a claimed entry. */
export type Action =
  /** The attempt is recorded as begun: hand it over. */
  | 'send'
  /** The outcome of the attempt is unknown: look it up at the gateway. */
  | 'reconcile'
  /** The message is not sent at all; `reason` says why. */
  | 'erased'
  | 'optedOut'
  | 'mayHaveOptedOut'
  | 'invalidAddress'
  | 'expired'
  | 'superseded'
  /** Its cause was cancelled, or the text was sent to another number of the same merged customer. */
  | 'cancelled'
  /** Nothing is left to do: a delivery report or another attempt has settled it. */
  | 'settled';

export interface ClaimedEntry extends StoredMessage {
  readonly action: Action;
  /** Our reference at the gateway; null when there is no attempt. */
  readonly attemptId: string | null;
  /** For an attempt to reconcile: the gateway that got it, or the route while the gateway is unknown. */
  readonly gateway: string | null;
  /** For an attempt to reconcile: how long ago it began. */
  readonly attemptAgeMs: number | null;
  /** An earlier attempt has an unknown outcome, so the customer may get this message twice. */
  readonly repeatsUnknown: boolean;
  /** How long the message may still wait, at the gateway too; null: the default time. */
  readonly validForMs: number | null;
  /** The number of attempts, including this one. */
  readonly tries: number;
  /** The partner that the SMS counts for: that of the message, or of the notice's booking; null: the workshop itself. */
  readonly partnerId: string | null;
  readonly smsSender: string | null;
  /** Null: the installation's gateways. */
  readonly smsGateways: readonly string[] | null;
}

/**
 * SQL: the message is of a blast whose recipient was merged with another recipient, and the text to the other number was handed
 * over or comes first. For customers without merged rows the sub-query finds no rows.
 */
const isSecondOfBlast = (m: string, c: string) =>
  `${m}.kind = 'blast' AND EXISTS (
               SELECT FROM (${otherIdsOf(c)}) AS other JOIN message twin ON twin.customer_id = other.id AND twin.cause_id = ${m}.cause_id
                WHERE twin.kind = 'blast' AND (twin.state NOT IN ('sending', 'failed')
                   OR twin.id < ${m}.id AND EXISTS (SELECT FROM queued_message e WHERE e.message_id = twin.id)))`;

const claimText = planOnce(`WITH clock AS (SELECT clock_timestamp() AS at),
  -- Queues of these routes and classes that are due, class by class: more than are needed, since others may hold some.
  candidate AS (
    SELECT q.workshop_id, q.channel, q.class, q.next_at, q.version
      FROM clock, unnest($1::text[]) AS r (route), unnest($7::smallint[]) AS c (class),
      LATERAL (SELECT * FROM send_queue WHERE route = r.route AND class = c.class AND next_at <= clock.at
                ORDER BY next_at LIMIT $2::int * 2) AS q
     ORDER BY q.class, q.next_at LIMIT $2::int * 2),
  ${turns.chosen({ where: 'own.next_at <= clock.at', atMost: '$2::int' })},
  -- How many entries each queue of a class may have of the room.
  share AS MATERIALIZED (SELECT class, ceil($2::float8 / count(*))::int AS size FROM chosen GROUP BY class),
  ${turns.seen({ from: 'chosen JOIN share ON share.class = chosen.class', lane: 'chosen', size: 'share.size', where: 'chosen.is_known' })},
  -- As many as there is room for, the first of each queue before the second ones.
  wanted AS MATERIALIZED (
    SELECT * FROM seen WHERE is_wanted ORDER BY class, place, next_at LIMIT $2::int),
  ${turns.locked},
  -- The next state of each: the first rule that applies.
  judged AS (
    SELECT locked.*, clock.at, m.kind, m.audience, coalesce(m.partner_id, b.partner_id) AS partner_id, m.cause_id, m.subject,
      m.body, m.template_id,
           w.sms_sender, w.sms_gateways, ${gatewayOrderName('w', '$3::text')} AS sms_route,
           CASE
             WHEN m.id IS NULL OR m.state NOT IN ('sending', 'failed', 'unknown') THEN 'settled'
             WHEN locked.attempt_id IS NOT NULL THEN 'reconcile'
             WHEN m.recipient = '' OR m.audience = 'customer' AND c.erased_at IS NOT NULL THEN 'erased'
             WHEN ${optOutStops('m', 'c', 'w', '$5::text[]')} THEN 'optedOut'
             WHEN ${askSkips('m', 'c')} THEN 'mayHaveOptedOut'
             WHEN m.channel = 'email' AND m.audience = 'customer' AND ${hasBounced('c', 'm.recipient')} THEN 'invalidAddress'
             WHEN h.state = 'cancelled' OR ${isSecondOfBlast('m', 'c')} THEN 'cancelled'
             WHEN locked.expires_at <= clock.at THEN 'expired'
             WHEN h.state = 'paused' OR ${isQuiet('locked', '$6::timestamptz', 'w.timezone')} THEN 'held'
             WHEN newer.handed_over THEN 'superseded'
             WHEN older.is_first OR newer.in_flight THEN 'blocked'
             ELSE 'send' END AS action,
           CASE WHEN h.state = 'paused' THEN 'infinity' WHEN locked.quiet_from IS NOT NULL
             THEN clock.at + greatest(${untilQuietEnds('locked', '$6::timestamptz', 'w.timezone')}, interval '0')
               + interval '${afterQuietSeconds} seconds' END AS held_until,
           CASE WHEN locked.attempt_id IS NULL THEN ${newIdSql} ELSE locked.attempt_id END AS reference
      FROM locked CROSS JOIN clock
      LEFT JOIN message m ON m.id = locked.message_id
      LEFT JOIN workshop w ON w.id = locked.workshop_id
      LEFT JOIN booking b ON b.id = m.booking_id
      LEFT JOIN send_hold h ON h.cause_id = m.cause_id
      LEFT JOIN customer c ON c.workshop_id = m.workshop_id AND c.id = m.customer_id
      LEFT JOIN LATERAL (
        SELECT bool_or(n.handed_over_at IS NOT NULL) AS handed_over,
               bool_or(coalesce((SELECT e.in_flight FROM queued_message e WHERE e.message_id = n.id), false)) AS in_flight
          FROM message n
         WHERE n.series_id = locked.series_id AND n.series_number > locked.series_number AND n.channel = locked.channel
           AND n.recipient = locked.recipient AND n.audience = m.audience) AS newer ON locked.series_id IS NOT NULL
      LEFT JOIN LATERAL (
        SELECT bool_or(o.tries = 0 OR o.in_flight OR o.due_at <= clock.at
                 OR o.first_tried_at > clock.at - interval '${blocksForSeconds} seconds') AS is_first
          FROM queued_message o
         WHERE o.series_id = locked.series_id AND o.series_number < locked.series_number AND o.channel = locked.channel
           AND o.recipient = locked.recipient 
           AND (SELECT om.audience FROM message om WHERE om.id = o.message_id) = m.audience) AS older ON locked.series_id IS NOT NULL),
  attempted AS (
    INSERT INTO message_attempt (id, message_id, number, gateway, state, repeats_unknown, started_at, business_started_at)
    SELECT reference, message_id, (SELECT coalesce(max(number), 0) + 1 FROM message_attempt a WHERE a.message_id = judged.message_id),
           CASE channel WHEN 'sms' THEN sms_route ELSE $4::text END, 'sending', repeats_unknown, at, $6::timestamptz
      FROM judged WHERE action = 'send'),
  -- Also those that may not go yet: they come back when they may.
  leased AS (
    UPDATE queued_message AS e
       SET due_at = CASE action WHEN 'held' THEN judged.held_until WHEN 'blocked' THEN judged.at + interval '${blockedSeconds} seconds'
             ELSE ${turns.leaseFrom('judged.at')} END,
           attempt_id = CASE action WHEN 'send' THEN reference ELSE e.attempt_id END, in_flight = action NOT IN ('blocked', 'held'),
           tries = CASE WHEN action IN ('send', 'reconcile') THEN ${saturatingIncrement('e.tries')} ELSE e.tries END,
           first_tried_at = CASE action WHEN 'send' THEN coalesce(e.first_tried_at, judged.at) ELSE e.first_tried_at END
      FROM judged WHERE e.message_id = judged.message_id AND ${byKey('e.message_id', 'SELECT message_id FROM judged')}
    RETURNING e.message_id, e.workshop_id, e.channel, e.class, e.due_at),
  ${turns.leftOver},
  -- When each queue has its next turn; at once where it could not be judged.
  next AS (
    SELECT chosen.workshop_id, chosen.channel, chosen.class,
           CASE WHEN chosen.is_known THEN greatest(left_over.due_at, CASE WHEN left_over.due_at IS NOT NULL THEN clock.at END)
             ELSE clock.at END AS next_at
      FROM clock CROSS JOIN chosen ${turns.joinLeftOver('chosen')}),
  ${turns.turned()}
  SELECT judged.message_id AS id, action, kind, channel, audience, judged.workshop_id, cause_id, recipient, subject, body, template_id,
         CASE WHEN action = 'send' OR judged.attempt_id IS NOT NULL THEN reference END AS attempt_id, unknown_attempt.gateway,
         extract(epoch FROM judged.at - unknown_attempt.started_at)::float8 * 1000 AS attempt_age_ms,
         extract(epoch FROM judged.expires_at - judged.at)::float8 * 1000 AS valid_for_ms,
         CASE WHEN action = 'send' THEN judged.repeats_unknown ELSE coalesce(unknown_attempt.repeats_unknown, false) END AS repeats_unknown,
         tries + 1 AS tries,
         ${turns.moreDue('chosen')} AS more_due, partner_id, sms_sender, sms_gateways
    FROM clock LEFT JOIN judged ON action NOT IN ('blocked', 'held')
    LEFT JOIN message_attempt unknown_attempt ON unknown_attempt.id = judged.attempt_id`);

/** The statement of a claim and its values, for tests that read its plan. */
export function claimStatement(claim: Claim): { readonly text: string; readonly values: unknown[] } {
  const { routes, room, smsGateway, emailGateway, exemptCountries, now } = claim;
  const { classes: wanted = Object.values(classes) } = claim;
  return { text: claimText, values: [routes, room, smsGateway, emailGateway, exemptCountries, now, wanted] };
}

export interface Claimed {
  readonly entries: ClaimedEntry[];
  /** More entries are due than were claimed: the room was used up, or another process is claiming from their queue. */
  readonly moreDue: boolean;
}

/** Claims up to `room` entries, and returns what to do with each. One round trip, with its own commit. */
export async function claimEntries(db: Queryable, claim: Claim): Promise<Claimed> {
  const { text, values } = claimStatement(claim);
  return claimed<ClaimedEntry>(await db.query(text, values));
}
