/** SQL that finds the message of an earlier request, and what is known of its latest attempt. */
import type { Queryable } from '#db/database.ts';
import type { SmsReason } from '#gateways/sms/gateway.ts';
import { isStale } from '../store.ts';

export interface EarlierMessage {
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
  /** Of the latest attempt: the gateway that had it, or the list where it is not known which. */
  gateway: string | null;
  /** True when the process that was sending has been silent for too long. */
  stale: boolean;
  /** True when its latest attempt may have arrived although no acceptance was recorded. */
  doubtful: boolean;
  /** True when that attempt was made although one before it may have arrived. */
  repeatsUnknown: boolean;
  /** True when its latest attempt ended after the request had come: it ran meanwhile. */
  endedSince: boolean;
}

export interface ReferenceKey {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly referenceId: string;
}

/** The message that an earlier request with this referenceId made; `askedAt` is the database's, as text. */
export async function findByReference(
  db: Queryable,
  key: ReferenceKey,
  askedAt: string,
): Promise<EarlierMessage | null> {
  const [row] = await db.query<EarlierMessage>(
    `SELECT m.id AS "messageId", m.conversation_id AS "conversationId", m.state, m.reason, m.detail, m.recipient AS phone,
            m.partner_id AS "partnerId", m.workshop_id AS "workshopId", m.body, w.sms_sender AS sender, w.sms_gateways AS route, m.attempt_id AS "attemptId", a.gateway, coalesce(${isStale('a')}, false) AS stale,
            coalesce(a.state = 'unknown' OR ${isStale('a')}, false) AS doubtful,
            coalesce(a.repeats_unknown, false) AS "repeatsUnknown",
            coalesce(a.finished_at > $5::timestamptz, false) AS "endedSince"
       FROM message m
       JOIN workshop w ON w.id = m.workshop_id
       LEFT JOIN message_attempt a ON a.id = m.attempt_id
      WHERE m.partner_id = $1 AND m.workshop_id = $2 AND m.customer_id = $3 AND m.reference_id = $4`,
    [key.partnerId, key.workshopId, key.customerId, key.referenceId, askedAt],
  );
  return row ?? null;
}
