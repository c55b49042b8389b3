/** SQL of resending a text. */
import type { Queryable } from '#platform/db/database.ts';
import { conversationsOf } from '#product/customers/merged/store.ts';

export interface SentText {
  readonly messageId: string;
  readonly customerId: string;
  readonly bookingId: string | null;
  readonly direction: string;
  readonly channel: string;
  readonly kind: string;
  readonly body: string;
  readonly state: string;
  /** It is still to be sent or reconciled. */
  readonly isQueued: boolean;
  /** The message that replaced it; null: it was not resent. */
  readonly againId: string | null;
}

/** A message of the talk; null when it does not exist. */
export async function findSent(
  db: Queryable,
  workshopId: string,
  { conversationId, messageId }: { readonly conversationId: string; readonly messageId: string },
): Promise<SentText | null> {
  const [found] = await db.query<SentText>(
    `SELECT m.id AS message_id, m.customer_id, m.booking_id, m.direction, m.channel, m.kind, m.body, m.state,
            EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id) AS is_queued,
            (SELECT again.id FROM message again WHERE again.cause_id = m.id AND again.kind = 'reply' LIMIT 1) AS again_id
       FROM message m
      WHERE m.id = $3 AND m.workshop_id = $1 AND m.conversation_id = ANY (${conversationsOf('$2::uuid')})`,
    [workshopId, conversationId, messageId],
  );
  return found ?? null;
}
