/** SQL of notifications: one row for each notice, recipient and channel. */
import type { BookingEventPayload } from '#bookings/events.ts';
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import type { Sending } from '#work/flags.ts';
import {
  type Claim,
  type Claimed,
  type ClaimRow,
  claimColumns,
  claimedOf,
  claimSet,
  claimValues,
  claimWhere,
  dueColumns,
  type NewNotice,
} from './attempts/store.ts';

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
 * Inserts the notices of booking events, addressed from each event's own payload, and returns them. What an event already
 * led to is left alone.
 */
export async function insertNotifications(tx: Queryable, notices: NoticesToInsert): Promise<NewNotice[]> {
  return tx.query<NewNotice>(
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
     ), made AS (
       INSERT INTO notification (id, event_id, workshop_id, booking_id, audience, channel, recipient, created_at, updated_at)
       SELECT ${newIdSql}, id, workshop_id, subject_id, audience, channel, recipient, $4, $4
       FROM addressed WHERE recipient <> ''
       ON CONFLICT (event_id, audience, channel, recipient) DO NOTHING
       RETURNING id, channel, workshop_id
     )
     SELECT made.id, channel, workshop_id AS "workshopId", sms_gateways AS "smsGateways"
     FROM made JOIN workshop ON workshop.id = workshop_id`,
    [notices.eventIds, notices.workshop, notices.newDateOnly, notices.at],
  );
}

/** All that one attempt needs. */
export interface ClaimedNotification extends Sending {
  readonly id: string;
  readonly audience: Audience;
  readonly recipient: string;
  /** Whose booking it is of; null when the event has been purged. */
  readonly partnerId: string | null;
  /** Null when the event has been purged. */
  readonly eventKind: string | null;
  readonly version: number | null;
  readonly payload: BookingEventPayload | null;
  /** Of an SMS to a customer: that it must not be sent. */
  readonly optedOut: boolean;
  /** False for notices to the workshop. */
  readonly erased: boolean;
  readonly name: string;
  readonly slug: string;
  readonly phone: string;
  readonly email: string;
  readonly timezone: string;
  readonly smsSender: string | null;
  /** The workshop's own text for this notice. */
  readonly templateSubject: string | null;
  readonly templateBody: string | null;
}

/**
 * Starts an attempt, and marks it when it goes to a customer who has opted out, in a country of `exemptCountries`. An SMS
 * whose latest attempt is in doubt is not claimed before that one was asked about. Null when there is nothing left to do:
 * the notice was accepted, or is not there.
 */
export async function claimNotification(
  db: Queryable,
  claim: Claim & { readonly exemptCountries: readonly string[] },
): Promise<Claimed<ClaimedNotification> | null> {
  const [row] = await db.query<ClaimedNotification & ClaimRow>(
    `WITH due AS (
       SELECT ${dueColumns}, customer.erased_at IS NOT NULL AS erased,
         customer.erased_at IS NULL AND customer.opted_out_at IS NOT NULL AND n.channel = 'sms' AS opted_out,
         workshop.country = ANY($8::text[]) AS exempt
       FROM notification n JOIN workshop ON workshop.id = n.workshop_id LEFT JOIN event ON event.id = n.event_id
       LEFT JOIN customer ON n.audience = 'customer' AND customer.workshop_id = n.workshop_id
         AND customer.id = (event.payload->'booking'->>'customerId')::uuid
       WHERE n.id = $1 AND n.state IN ('pending', 'sending', 'unknown', 'failed')
       FOR UPDATE OF n
     ), claimed AS (
       UPDATE notification AS n SET ${claimSet}, despite_opt_out = opted_out AND exempt
       FROM due WHERE ${claimWhere}
       RETURNING n.*, erased, opted_out
     )
     SELECT ${claimColumns}, due.id, claimed.workshop_id AS "workshopId", audience, channel, recipient, event.partner_id AS "partnerId", event.kind AS "eventKind", event.version, event.payload,
       claimed.opted_out AND NOT despite_opt_out AS "optedOut", claimed.erased, workshop.name, workshop.slug, workshop.phone, workshop.email, workshop.timezone,
       workshop.sms_sender AS "smsSender", workshop.sms_gateways AS "smsGateways",
       template.subject AS "templateSubject", template.body AS "templateBody"
     FROM due LEFT JOIN claimed ON true
     LEFT JOIN workshop ON workshop.id = claimed.workshop_id
     LEFT JOIN event ON event.id = claimed.event_id
     LEFT JOIN template ON template.workshop_id = claimed.workshop_id AND template.status = 'published'
       AND template.purpose = 'booking' || initcap(split_part(event.kind, '.', 2)) || '.' || audience || '.' || channel`,
    [...claimValues(claim), claim.exemptCountries],
  );
  return claimedOf(row);
}
