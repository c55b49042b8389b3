/** SQL of notifications: one row for each notice, recipient and channel. */
import type { BookingEventPayload } from '#bookings/events.ts';
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';

export type Audience = 'customer' | 'workshop';
export type Channel = 'sms' | 'email';

export interface NoticesToInsert {
  readonly eventIds: readonly string[];
  /** The workshop too, not only the customer. */
  readonly workshop: boolean;
  /** Only for events that moved the booking to another date. */
  readonly newDateOnly: boolean;
  /** Business time. */
  readonly at: Date;
}

/**
 * Inserts the notices of booking events, addressed from each event's own payload, and returns their ids. What an event
 * already led to is left alone.
 */
export async function insertNotifications(tx: Queryable, notices: NoticesToInsert): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH subject AS (
       SELECT id, workshop_id, subject_id, payload->'booking'->'customer' AS customer,
         (payload->>'notifyCustomer')::boolean AS to_customer,
         (payload->>'notifyWorkshop')::boolean AND $2::boolean AS to_workshop
       FROM event
       WHERE id = ANY($1::uuid[]) AND (NOT $3::boolean OR (payload->>'dateChanged')::boolean)
     ), addressed AS (
       SELECT id, workshop_id, subject_id, 'customer' AS audience, channel, recipient
       FROM subject, LATERAL (VALUES ('sms', customer->>'phone'), ('email', customer->>'email')) AS contact (channel, recipient)
       WHERE to_customer
       UNION ALL
       SELECT subject.id, workshop_id, subject_id, 'workshop', channel, recipient
       FROM subject JOIN workshop ON workshop.id = subject.workshop_id,
         LATERAL (
           SELECT 'sms', unnest(coalesce(notify_phones, ARRAY[phone]))
           UNION ALL SELECT 'email', unnest(coalesce(notify_emails, ARRAY[email]))
         ) AS contact (channel, recipient)
       WHERE to_workshop
     )
     INSERT INTO notification (id, event_id, workshop_id, booking_id, audience, channel, recipient, created_at, updated_at)
     SELECT ${newIdSql}, id, workshop_id, subject_id, audience, channel, recipient, $4, $4
     FROM addressed WHERE recipient <> ''
     ON CONFLICT (event_id, audience, channel, recipient) DO NOTHING
     RETURNING id`,
    [notices.eventIds, notices.workshop, notices.newDateOnly, notices.at],
  );
  return rows.map((row) => row.id);
}

export interface Claim {
  readonly id: string;
  /** The new attempt; only its holder may record the outcome. */
  readonly attemptId: string;
  readonly smsGateway: string;
  readonly emailGateway: string;
  /** Business time. */
  readonly at: Date;
}

/** All that one attempt needs. */
export interface ClaimedNotification {
  readonly id: string;
  readonly audience: Audience;
  readonly channel: Channel;
  readonly recipient: string;
  /** An earlier attempt that may have arrived: it was handed over, and no answer was recorded. */
  readonly doubtfulAttemptId: string | null;
  /** Which gateway had that one, or the list where it is not known which. */
  readonly doubtfulGateway: string | null;
  /** Null when the event has been purged. */
  readonly eventKind: string | null;
  readonly version: number | null;
  readonly payload: BookingEventPayload | null;
  /** Of the customer of the event; both false for notices to the workshop. */
  readonly optedOut: boolean;
  readonly erased: boolean;
  readonly name: string;
  readonly slug: string;
  readonly phone: string;
  readonly email: string;
  readonly timezone: string;
  readonly smsSender: string | null;
  readonly smsGateways: readonly string[] | null;
  /** The workshop's own text for this notice. */
  readonly templateSubject: string | null;
  readonly templateBody: string | null;
}

/** Starts an attempt. Null when there is nothing left to do: the notice was accepted, or is not there. */
export async function claimNotification(db: Queryable, claim: Claim): Promise<ClaimedNotification | null> {
  const [claimed] = await db.query<ClaimedNotification>(
    `WITH due AS (
       SELECT id, state, attempt_id, gateway FROM notification
       WHERE id = $1 AND state IN ('pending', 'sending', 'unknown', 'failed')
       FOR UPDATE
     ), claimed AS (
       UPDATE notification SET state = 'sending', attempt_id = $2, attempts = attempts + 1, updated_at = $5,
         gateway = CASE channel WHEN 'sms' THEN $3 ELSE $4 END
       FROM due WHERE notification.id = due.id
       RETURNING notification.*, CASE WHEN due.state IN ('sending', 'unknown') THEN due.attempt_id END AS doubtful, due.gateway AS earlier_gateway
     )
     SELECT claimed.id, audience, channel, recipient, doubtful AS "doubtfulAttemptId", earlier_gateway AS "doubtfulGateway",
       event.kind AS "eventKind", event.version, event.payload,
       coalesce(audience = 'customer' AND customer.opted_out_at IS NOT NULL, false) AS "optedOut",
       coalesce(audience = 'customer' AND customer.erased_at IS NOT NULL, false) AS erased,
       workshop.name, workshop.slug, workshop.phone, workshop.email, workshop.timezone,
       workshop.sms_sender AS "smsSender", workshop.sms_gateways AS "smsGateways",
       template.subject AS "templateSubject", template.body AS "templateBody"
     FROM claimed
     JOIN workshop ON workshop.id = claimed.workshop_id
     LEFT JOIN event ON event.id = claimed.event_id
     LEFT JOIN customer ON customer.workshop_id = claimed.workshop_id
       AND customer.id = (event.payload->'booking'->>'customerId')::uuid
     LEFT JOIN template ON template.workshop_id = claimed.workshop_id AND template.status = 'published'
       AND template.purpose = 'booking' || initcap(split_part(event.kind, '.', 2)) || '.' || audience || '.' || channel`,
    [claim.id, claim.attemptId, claim.smsGateway, claim.emailGateway, claim.at],
  );
  return claimed ?? null;
}

export interface AttemptRecord {
  readonly state: 'accepted' | 'failed' | 'unknown';
  readonly reason: string | null;
  /** For people. */
  readonly detail: string | null;
  readonly gatewayId: string | null;
  /** The gateway of a list that it speaks of; without it, what the claim wrote stays. */
  readonly gateway?: string | null;
  /** The attempt that the state speaks of: an earlier one when a look-up settled it. */
  readonly attemptId: string;
}

/** Records the outcome of an attempt; false when another attempt has begun since, whose outcome counts instead. */
export async function recordAttempt(
  db: Queryable,
  claim: Pick<Claim, 'id' | 'attemptId'>,
  record: AttemptRecord,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE notification SET state = $3, reason = $4, detail = $5, gateway_id = $6, attempt_id = $7, updated_at = $8,
       gateway = coalesce($9, gateway)
     WHERE id = $1 AND attempt_id = $2 AND state = 'sending'
     RETURNING id`,
    [
      claim.id,
      claim.attemptId,
      record.state,
      record.reason,
      record.detail,
      record.gatewayId,
      record.attemptId,
      at,
      record.gateway ?? null,
    ],
  );
  return rows.length > 0;
}

const reported = `SET state = $2, reason = NULL, detail = $4, updated_at = $3
  WHERE attempt_id = $1 AND channel = 'sms' AND state IN ('sending', 'accepted', 'unknown') RETURNING id`;

/**
 * Records what the carrier reported of an SMS, by the reference of its attempt; a report may come before the acceptance
 * was recorded, and none changes a final state. The gateway's words are kept where the notice did not arrive. False when
 * no notice has this reference, or it is final already.
 */
export async function recordDeliveryReport(
  db: Queryable,
  report: DeliveryReport,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    `WITH of_answers AS (UPDATE answer_notice ${reported}), of_bookings AS (UPDATE notification ${reported})
     SELECT id FROM of_answers UNION ALL SELECT id FROM of_bookings`,
    [report.reference, report.state, at, report.state === 'delivered' ? null : report.detail],
  );
  return rows.length > 0;
}
