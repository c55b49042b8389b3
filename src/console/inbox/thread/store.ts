/** SQL of a conversation's page: all messages to and from a customer, over all rows that were merged into theirs. */
import type { Queryable } from '#platform/db/database.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { type Attachment, attachmentsJson } from '#product/messaging/attachments/store.ts';

export interface ThreadMessage {
  readonly id: string;
  /** The row of the customer whose message it is. */
  readonly customerId: string;
  readonly direction: 'inbound' | 'outbound';
  readonly channel: 'sms' | 'email';
  readonly kind: string;
  /** The subject of an e-mail. */
  readonly subject: string | null;
  readonly body: string;
  readonly state: string;
  readonly reason: string | null;
  /** In words, where the reason is `heldBack`. */
  readonly detail: string | null;
  /** True when it may have been sent twice: an attempt followed one with an unknown outcome. */
  readonly repeatsUnknown: boolean;
  /** It was sent again as another message. */
  readonly isSentAgain: boolean;
  /** The name of the partner that wrote it; null: no partner did. */
  readonly partner: string | null;
  /** The booking that it is about, with its time. */
  readonly bookingId: string | null;
  readonly bookingDate: Date | null;
  readonly attachments: readonly Attachment[];
  readonly at: Date;
}

export interface ThreadPage {
  readonly workshopId: string;
  readonly customerId: string;
  /** An id by time; null: the newest. */
  readonly before: string | null;
  readonly limit: number;
}

const pageText =
  planEachTime(`SELECT m.id, m.customer_id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.detail,
            m.created_at AS at, EXISTS (
              SELECT FROM message_attempt a WHERE a.message_id = m.id AND a.repeats_unknown AND a.state <> 'failed') AS repeats_unknown,
            CASE m.kind WHEN 'partnerMessage' THEN (SELECT name FROM partner WHERE partner.id = m.partner_id) END AS partner,
            EXISTS (SELECT FROM message again WHERE again.cause_id = m.id AND again.kind = 'reply') AS is_sent_again,
            m.booking_id, (SELECT date FROM booking WHERE booking.id = m.booking_id) AS booking_date,
            ${attachmentsJson('m.id')} AS attachments
       FROM (SELECT its.* FROM unnest(${idsOf('$2::uuid')}) AS one (id) CROSS JOIN LATERAL (
               SELECT * FROM message
                WHERE message.customer_id = one.id AND message.workshop_id = $1 AND message.audience = 'customer'
                  AND ${beforeId('message.id', '$3')} ORDER BY message.id DESC LIMIT $4) AS its
              ORDER BY its.id DESC LIMIT $4) AS m
      ORDER BY m.id DESC`);

/** Newest first. The messages of each row of the customer are read by an index. */
export async function listThread(
  db: Queryable,
  { workshopId, customerId, before, limit }: ThreadPage,
): Promise<ThreadMessage[]> {
  return db.query<ThreadMessage>(pageText, [workshopId, customerId, before, limit]);
}
