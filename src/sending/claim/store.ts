/**
 * SQL of a claim: the queues whose turn it is, class by class, and of each as many due entries as its share of the room; each with a lease
 * and, when it is to be sent, an attempt. It reads about as many rows as it takes, and waits for nobody's lock.
 */
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import { routeName } from '#workshops/store.ts';
import type { StoredMessage } from '../compose.ts';
import { leaseSeconds } from '../lease/store.ts';
import { optOutStops } from '../opt-out.ts';

/** How long a message holds up the next of its series, from its first attempt on. */
const holdsUpSeconds = 60;
/** One that is held up is looked at again after this time, if nothing has let it go before. */
const heldUpSeconds = 2;

export interface Claim {
  /** Routes of queues, such as `email`, `sms`, `sms:kannel,twilio`. */
  readonly routes: readonly string[];
  /** How many entries at most. */
  readonly room: number;
  /** The installation's gateways, by name. */
  readonly smsGateway: string;
  readonly emailGateway: string;
  readonly exemptCountries: readonly string[];
  /** Business time. */
  readonly now: Date;
}

/** What is to be done with a claimed entry. */
export type Act =
  /** An attempt has begun: hand it over. */
  | 'send'
  /** Its attempt may have arrived: ask the gateway. */
  | 'reconcile'
  /** It is not sent at all; the word is its reason. */
  | 'erased'
  | 'optedOut'
  | 'expired'
  | 'superseded'
  /** Nothing is left to do: a report, or another attempt, has settled it. */
  | 'settled';

export interface ClaimedEntry extends StoredMessage {
  readonly act: Act;
  /** Our reference at the gateway; null where there is no attempt. */
  readonly attemptId: string | null;
  /** Of an attempt in doubt: the gateway that had it, or the list where it is not known which. */
  readonly gateway: string | null;
  /** Of an attempt in doubt: how long ago it began. */
  readonly attemptAgeMs: number | null;
  /** This attempt, or the one in doubt, repeats one that may have arrived. */
  readonly repeatsUnknown: boolean;
  /** For how long it may still wait, at the gateway too; null: as long as usual. */
  readonly validForMs: number | null;
  /** With this one. */
  readonly tries: number;
  /** More is due in the queues that it comes from, and was not taken. The same in all rows of a claim. */
  readonly moreDue: boolean;
  /** Whose SMS it is: the partner of the message, or of the booking that a notice tells of; null: the workshop's own. */
  readonly partnerId: string | null;
  readonly smsSender: string | null;
  /** Null: the installation's. */
  readonly smsGateways: readonly string[] | null;
}

const claimText = `WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
  near AS MATERIALIZED (
    SELECT q.workshop_id, q.channel, q.class, q.next_at, q.version
      FROM clock, unnest($1::text[]) AS r (route), unnest(ARRAY[0, 1, 2]::smallint[]) AS c (class),
      LATERAL (SELECT * FROM send_queue WHERE route = r.route AND class = c.class AND next_at <= clock.at
                ORDER BY next_at LIMIT $2::int * 2) AS q
     ORDER BY q.class, q.next_at LIMIT $2::int * 2),
  turn AS MATERIALIZED (
    SELECT near.workshop_id, near.channel, near.class, near.next_at, q.version = near.version AS is_known
      FROM near CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT version FROM send_queue AS own
         WHERE (own.workshop_id, own.channel, own.class) = (near.workshop_id, near.channel, near.class) AND own.next_at <= clock.at
           FOR NO KEY UPDATE SKIP LOCKED) AS q
     LIMIT $2::int),
  share AS MATERIALIZED (SELECT class, ceil($2::float8 / count(*))::int AS size FROM turn GROUP BY class),
  seen AS MATERIALIZED (
    SELECT turn.workshop_id, turn.channel, turn.class, turn.next_at, e.message_id, e.due_at, e.place,
           e.due_at <= clock.at AND e.place <= share.size AS is_wanted
      FROM turn JOIN share ON share.class = turn.class CROSS JOIN clock CROSS JOIN LATERAL (
        SELECT message_id, due_at, row_number() OVER (ORDER BY due_at, message_id) AS place FROM queued_message
         WHERE workshop_id = turn.workshop_id AND channel = turn.channel AND class = turn.class
         ORDER BY due_at, message_id LIMIT share.size + 1) AS e
     WHERE turn.is_known),
  wanted AS MATERIALIZED (
    SELECT * FROM seen WHERE is_wanted ORDER BY class, place, next_at LIMIT $2::int),
  held AS MATERIALIZED (
    SELECT e.* FROM wanted CROSS JOIN LATERAL (
      SELECT * FROM queued_message AS own WHERE own.message_id = wanted.message_id AND own.due_at = wanted.due_at
         FOR NO KEY UPDATE SKIP LOCKED) AS e),
  judged AS MATERIALIZED (
    SELECT held.*, clock.at, m.kind, m.audience, coalesce(m.partner_id, b.partner_id) AS partner_id, m.cause_id, m.subject, m.body,
           w.sms_sender, w.sms_gateways, ${routeName('w', '$3::text')} AS sms_route,
           CASE
             WHEN m.id IS NULL OR m.state NOT IN ('sending', 'failed', 'unknown') THEN 'settled'
             WHEN held.attempt_id IS NOT NULL THEN 'reconcile'
             WHEN m.recipient = '' OR m.audience = 'customer' AND c.erased_at IS NOT NULL THEN 'erased'
             WHEN ${optOutStops('m', 'c', 'w', '$5::text[]')} THEN 'optedOut'
             WHEN held.expires_at <= clock.at THEN 'expired'
             WHEN newer.handed_over THEN 'superseded'
             WHEN older.is_first OR newer.in_flight THEN 'blocked'
             ELSE 'send' END AS act,
           CASE WHEN held.attempt_id IS NULL THEN ${newIdSql} ELSE held.attempt_id END AS reference
      FROM held CROSS JOIN clock
      LEFT JOIN message m ON m.id = held.message_id
      LEFT JOIN workshop w ON w.id = held.workshop_id
      LEFT JOIN booking b ON b.id = m.booking_id
      LEFT JOIN customer c ON c.workshop_id = m.workshop_id AND c.id = m.customer_id
      LEFT JOIN LATERAL (
        SELECT bool_or(n.handed_over_at IS NOT NULL) AS handed_over, bool_or(coalesce(e.in_flight, false)) AS in_flight
          FROM message n LEFT JOIN queued_message e ON e.message_id = n.id
         WHERE n.series_id = held.series_id AND n.series_number > held.series_number AND n.channel = held.channel
           AND n.recipient = held.recipient) AS newer ON held.series_id IS NOT NULL
      LEFT JOIN LATERAL (
        SELECT bool_or(o.tries = 0 OR o.in_flight OR o.due_at <= clock.at
                 OR o.first_tried_at > clock.at - interval '${holdsUpSeconds} seconds') AS is_first
          FROM queued_message o
         WHERE o.series_id = held.series_id AND o.series_number < held.series_number AND o.channel = held.channel
           AND o.recipient = held.recipient) AS older ON held.series_id IS NOT NULL),
  attempted AS (
    INSERT INTO message_attempt (id, message_id, number, gateway, state, repeats_unknown, started_at, business_started_at)
    SELECT reference, message_id, (SELECT coalesce(max(number), 0) + 1 FROM message_attempt a WHERE a.message_id = judged.message_id),
           CASE channel WHEN 'sms' THEN sms_route ELSE $4::text END, 'sending', repeats_unknown, at, $6::timestamptz
      FROM judged WHERE act = 'send'),
  leased AS (
    UPDATE queued_message AS e
       SET due_at = judged.at + CASE act WHEN 'blocked' THEN interval '${heldUpSeconds} seconds' ELSE interval '${leaseSeconds} seconds' END,
           attempt_id = CASE act WHEN 'send' THEN reference ELSE e.attempt_id END, in_flight = act <> 'blocked',
           tries = e.tries + CASE WHEN act IN ('send', 'reconcile') THEN 1 ELSE 0 END,
           first_tried_at = CASE act WHEN 'send' THEN coalesce(e.first_tried_at, judged.at) ELSE e.first_tried_at END
      FROM judged WHERE e.message_id = judged.message_id
    RETURNING e.message_id, e.workshop_id, e.channel, e.class, e.due_at),
  left_over AS (
    SELECT workshop_id, channel, class, min(due_at) AS due_at FROM (
      SELECT workshop_id, channel, class, due_at FROM leased
      UNION ALL
      SELECT seen.workshop_id, seen.channel, seen.class, seen.due_at
        FROM seen LEFT JOIN leased ON leased.message_id = seen.message_id WHERE leased.message_id IS NULL) AS entry
     GROUP BY workshop_id, channel, class),
  next AS (
    SELECT turn.workshop_id, turn.channel, turn.class,
           CASE WHEN turn.is_known THEN greatest(left_over.due_at, CASE WHEN left_over.due_at IS NOT NULL THEN clock.at END) ELSE clock.at END AS next_at
      FROM clock CROSS JOIN turn
      LEFT JOIN left_over ON (left_over.workshop_id, left_over.channel, left_over.class) = (turn.workshop_id, turn.channel, turn.class)),
  turned AS (
    UPDATE send_queue AS q SET next_at = next.next_at, version = q.version + 1
      FROM next WHERE (q.workshop_id, q.channel, q.class) = (next.workshop_id, next.channel, next.class))
  SELECT judged.message_id AS id, act, kind, channel, audience, judged.workshop_id AS "workshopId", cause_id AS "causeId", recipient, subject, body,
         CASE WHEN act = 'send' OR judged.attempt_id IS NOT NULL THEN reference END AS "attemptId", doubt.gateway,
         extract(epoch FROM judged.at - doubt.started_at)::float8 * 1000 AS "attemptAgeMs",
         extract(epoch FROM judged.expires_at - judged.at)::float8 * 1000 AS "validForMs",
         CASE WHEN act = 'send' THEN judged.repeats_unknown ELSE coalesce(doubt.repeats_unknown, false) END AS "repeatsUnknown",
         tries + 1 AS tries, (SELECT bool_or(next_at <= clock.at) FROM next) AS "moreDue", partner_id AS "partnerId", sms_sender AS "smsSender", sms_gateways AS "smsGateways"
    FROM clock CROSS JOIN judged LEFT JOIN message_attempt doubt ON doubt.id = judged.attempt_id
   WHERE act <> 'blocked'`;

/** The statement of a claim and its values, for those who look at its plan. */
export function claimStatement(claim: Claim): { readonly text: string; readonly values: unknown[] } {
  const { routes, room, smsGateway, emailGateway, exemptCountries, now } = claim;
  return { text: claimText, values: [routes, room, smsGateway, emailGateway, exemptCountries, now] };
}

/** Claims up to `room` entries, and returns what is to be done with each. One round trip, committed by itself. */
export async function claimEntries(db: Queryable, claim: Claim): Promise<ClaimedEntry[]> {
  const { text, values } = claimStatement(claim);
  return db.query<ClaimedEntry>(text, values);
}
