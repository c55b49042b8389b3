/** SQL of the inbox as staff read it. */

import { foundById } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import { conversationsOf, idsOf } from '#product/customers/merged/store.ts';
import { hasBounced } from '#product/customers/store.ts';
import type { HeardKind, KindName } from '#product/sending/kinds.ts';
import { type Attachment, attachmentsJson } from '../attachments/store.ts';
import { type Assignee, assigneeOf, type MeantBooking } from './desk/store.ts';
import {
  asksOf,
  failedOf,
  listed,
  meantOf,
  stateOf,
  type TalkFilter,
  type TalkState,
} from './desk/talk-sql.ts';

export interface InboxConversation {
  readonly conversationId: string;
  readonly workshopId: string;
  readonly workshop: string;
  /** The workshop's. */
  readonly timezone: string;
  /** The workshop's; ISO 3166. */
  readonly country: string;
  /** The kept customer, for a merged one. */
  readonly customerId: string;
  readonly name: string;
  readonly phone: string | null;
  readonly optedOut: boolean;
  /** E-mails to their address bounce. */
  readonly emailBounced: boolean;
  readonly state: TalkState;
  /** The newest text to the customer failed, or may have failed. */
  readonly failed: boolean;
  readonly assignedTo: Assignee | null;
  /** A text may have asked for no more texts, and staff have not decided. */
  readonly asksToStop: boolean;
  /** The booking that an opt-out word may have been about; null: none. */
  readonly mayHaveMeant: MeantBooking | null;
  readonly lastMessageId: string;
  readonly lastText: string;
  readonly lastState: string;
  readonly lastAt: Date;
}

export interface InboxFilter {
  /** Null: of all workshops. */
  readonly workshopId: string | null;
  readonly filter: TalkFilter;
  /** A person; null: assigned to anybody or nobody. */
  readonly assignedTo: string | null;
  /** Only those of these customers, who are few; absent: of all. */
  readonly customerIds?: readonly string[];
  /** The `lastMessageId` of the last conversation on the previous page. */
  readonly before: string | null;
  readonly limit: number;
}

/** Customers' conversations, one for each customer, by latest message, newest first. */
export async function listConversations(db: Queryable, asked: InboxFilter): Promise<InboxConversation[]> {
  if (asked.customerIds?.length === 0) return [];
  const { text, values } = listStatement(asked);
  return db.query<InboxConversation>(text, values);
}

/**
 * The statement and its values, for tests that read its plan. Without customers it reads the index of the list; with them it reads
 * their rows.
 */
export function listStatement({
  workshopId,
  filter,
  assignedTo,
  customerIds = null,
  before,
  limit,
}: Omit<InboxFilter, 'customerIds'> & { readonly customerIds?: readonly string[] | null }) {
  const values: unknown[] = [before, limit];
  const given = (condition: (parameter: string) => string, value: unknown) =>
    value === null ? '' : `AND ${condition(`$${values.push(value)}`)}`;
  const text =
    planEachTime(`SELECT t.conversation_id, t.workshop_id, w.name AS workshop, w.timezone, w.country,
            kept.id AS customer_id, kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
            ${hasBounced('k', 'k.email')} AS email_bounced, ${stateOf('t')} AS state,
            ${failedOf('t')} AS failed, ${assigneeOf('t')} AS assigned_to,
            ${asksOf('t')} AS asks_to_stop, ${meantOf('t')} AS may_have_meant,
            m.id AS last_message_id, m.body AS last_text, m.state AS last_state, m.created_at AS last_at
       FROM workshop w CROSS JOIN LATERAL (
         SELECT * FROM talk
          WHERE workshop_id = w.id AND ${listed[filter]('talk')} AND ${beforeId('talk.last_message_id', '$1')}
            ${given((id) => `talk.assigned_to = ${id}`, assignedTo)}
            ${given((ids) => `talk.customer_id = ANY (${ids}::uuid[])`, customerIds)}
          ORDER BY talk.last_message_id DESC LIMIT $2) AS t
       JOIN customer kept ON kept.id = t.customer_id JOIN conversation c ON c.id = t.conversation_id
       JOIN customer k ON k.id = c.customer_id JOIN message m ON m.id = t.last_message_id
      WHERE true ${given((id) => `w.id = ${id}`, workshopId)}
      ORDER BY t.last_message_id DESC LIMIT $2`);
  return { text, values };
}

export interface InboxMessage {
  readonly messageId: string;
  readonly direction: 'inbound' | 'outbound';
  readonly kind: KindName | HeardKind;
  /** Null for inbound messages and for the workshop's replies. */
  readonly partnerId: string | null;
  readonly body: string;
  readonly segments: number;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly attempts: number;
  /** True when it may have been sent twice: an attempt was made after one with an unknown outcome. */
  readonly repeatsUnknown: boolean;
  /** The attachments that the customer sent beside the text. */
  readonly attachments: readonly Attachment[];
  readonly at: Date;
}

/** The newest messages before `before` of all conversations of the customer, newest first. */
export async function listMessages(
  db: Queryable,
  page: { readonly conversationId: string; readonly before: string | null; readonly limit: number },
): Promise<InboxMessage[]> {
  return db.query<InboxMessage>(
    `SELECT m.id AS message_id, m.direction, m.kind,
            CASE m.direction WHEN 'outbound' THEN m.partner_id END AS partner_id, m.body, m.segments, m.state, m.reason, m.detail,
            m.attempts, m.created_at AS at, EXISTS (
              SELECT FROM message_attempt a WHERE a.message_id = m.id AND a.repeats_unknown AND a.state <> 'failed') AS repeats_unknown,
            ${attachmentsJson('m.id')} AS attachments
       FROM unnest(${conversationsOf('$1::uuid')}) AS talk (id) CROSS JOIN LATERAL (
         SELECT * FROM message WHERE conversation_id = talk.id AND ${beforeId('message.id', '$2')} ORDER BY message.id DESC LIMIT $3) AS m
      ORDER BY m.id DESC LIMIT $3`,
    [page.conversationId, page.before, page.limit],
  );
}

export interface ConversationHead {
  readonly conversationId: string;
  readonly workshopId: string;
  readonly workshop: string;
  /** The workshop's. */
  readonly timezone: string;
  /** The workshop's; ISO 3166. */
  readonly country: string;
  readonly customerId: string;
  readonly name: string;
  readonly phone: string | null;
  readonly optedOut: boolean;
  /** E-mails to their address bounce. */
  readonly emailBounced: boolean;
}

const headText = `SELECT c.id AS conversation_id, w.id AS workshop_id, w.name AS workshop, w.timezone, w.country,
  k.id AS customer_id, k.name, k.phone,
            k.opted_out_at IS NOT NULL AS opted_out, ${hasBounced('k', 'k.email')} AS email_bounced
       FROM conversation c JOIN workshop w ON w.id = c.workshop_id JOIN customer k ON k.id = c.customer_id`;

export async function findConversation(db: Queryable, id: string): Promise<ConversationHead | null> {
  const [head] = await db.query<ConversationHead>(`${headText} WHERE c.id = $1`, [id]);
  return head ?? null;
}

/** Finds by a typed id. Throws OperatorError when there is no such conversation. */
export const requireConversation = (db: Queryable, id: string): Promise<ConversationHead> =>
  foundById('conversation', id, () => findConversation(db, id));

/** The conversation of exactly this customer row if there is one, else the newest of the customer's merged rows. */
export async function findConversationOf(
  db: Queryable,
  workshopId: string,
  customerId: string,
): Promise<ConversationHead | null> {
  const [head] = await db.query<ConversationHead>(
    `${headText} WHERE c.customer_id = ANY (${idsOf('$2::uuid')}) AND c.workshop_id = $1
      ORDER BY c.customer_id <> $2, c.last_sent_at DESC NULLS LAST, c.id LIMIT 1`,
    [workshopId, customerId],
  );
  return head ?? null;
}
