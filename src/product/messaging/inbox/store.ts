/** SQL of the inbox as staff read it. */

import { foundById } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { beforeId, lowestId } from '#platform/db/page-bounds.ts';
import { conversationsOf, idsOf } from '#product/customers/merged/store.ts';
import { hasBounced } from '#product/customers/store.ts';
import type { KindName } from '#product/sending/kinds.ts';
import { type Attachment, attachmentsJson } from '../attachments/store.ts';

export interface InboxConversation {
  readonly conversationId: string;
  readonly workshopId: string;
  readonly workshop: string;
  /** Of the workshop. */
  readonly timezone: string;
  /** Of the workshop; ISO 3166. */
  readonly country: string;
  readonly customerId: string;
  readonly name: string;
  readonly phone: string | null;
  readonly optedOut: boolean;
  /** E-mails to their address come back. */
  readonly emailBounced: boolean;
  /** True while the customer's latest SMS has no answer: nothing was sent since, or all of it failed. */
  readonly unanswered: boolean;
  readonly lastMessageId: string;
  readonly lastText: string;
  readonly lastState: string;
  readonly lastAt: Date;
}

export interface InboxFilter {
  readonly workshopId: string | null;
  readonly unansweredOnly: boolean;
  /** The `lastMessageId` of the last conversation of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** The message did not reach its recipient. Not so `optedOut`: a customer who opted out can't be answered, so nothing is left to do. */
const failed = (message: string) =>
  `(${message}.state IN ('undelivered', 'expired') OR (${message}.state = 'failed' AND ${message}.reason <> 'optedOut'))`;

/** Kinds that answer a conversation and move it up in the inbox; notices of bookings and confirmations do neither. */
const inOrder = (message: string) => `${message}.kind IN ('partnerMessage', 'reply', 'inbound')`;

/** The newest message of a conversation that fulfils the condition, by one index look-up. */
const newestIn = (conversation: string, which: string) =>
  `(SELECT id FROM message one WHERE one.conversation_id = ${conversation} AND ${inOrder('one')} AND ${which} ORDER BY id DESC LIMIT 1)`;

/** The same of all conversations of the customer of `m`. */
const newest = (which: string) =>
  `(SELECT found.id FROM unnest(${conversationsOf('m.conversation_id')}) AS talk (id)
      CROSS JOIN LATERAL ${newestIn('talk.id', which)} AS found ORDER BY found.id DESC LIMIT 1)`;

/** SQL: the customer of the message `m` was merged, and has a newer one in another conversation. */
export const hasNewerElsewhere = `EXISTS (
          SELECT FROM unnest(${conversationsOf('m.conversation_id')}) AS talk (id) JOIN message later ON later.conversation_id = talk.id
           WHERE talk.id <> m.conversation_id AND later.id > m.id AND ${inOrder('later')})`;

/** A confirmed opt-out word needs no answer. */
const isConfirmed = (message: string) =>
  `EXISTS (SELECT FROM message said WHERE said.cause_id = ${message}.id AND said.kind = 'confirmation')`;

/** SQL: a message that answers a customer. */
export const isAnswer = (message: string) => `(${message}.direction = 'outbound' AND NOT ${failed(message)})`;

const waits = (newestOf: (which: string) => string) =>
  `coalesce(${newestOf(`direction = 'inbound' AND NOT ${isConfirmed('one')}`)} > coalesce(
  ${newestOf(isAnswer('one'))}, '${lowestId}'), false)`;

/** SQL: true when the customer of `m.conversation_id` waits for an answer. */
export const unanswered = waits(newest);

/** Asked before what only customers who were merged need, by CASE, which keeps the order: most were not. */
const isMerged =
  '(k.merged_into IS NOT NULL OR EXISTS (SELECT FROM customer merged WHERE merged.merged_into = k.id))';
const waitsHere = waits((which) => newestIn('m.conversation_id', which));

/** Customers' conversations, as one for each, by their latest message, newest first: reads messages backwards and skips those with a later one in their conversation. */
export async function listConversations(db: Queryable, filter: InboxFilter): Promise<InboxConversation[]> {
  const { workshopId, before, unansweredOnly, limit } = filter;
  const ofWorkshop = workshopId === null ? '' : 'AND m.workshop_id = $4';
  return db.query<InboxConversation>(
    `SELECT m.conversation_id, m.workshop_id, w.name AS workshop, w.timezone, w.country, kept.id AS customer_id,
            kept.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out, ${hasBounced('k', 'k.email')} AS email_bounced,
            ${unanswered} AS unanswered, m.id AS last_message_id,
            m.body AS last_text, m.state AS last_state, m.created_at AS last_at
       FROM message m JOIN customer k ON k.id = m.customer_id
       JOIN customer kept ON kept.id = coalesce(k.merged_into, k.id) JOIN workshop w ON w.id = m.workshop_id
      WHERE ${inOrder('m')} AND ${beforeId('m.id', '$1')} ${ofWorkshop}
        AND CASE WHEN $2::boolean THEN CASE WHEN ${waitsHere} OR ${isMerged} THEN ${unanswered} ELSE false END ELSE true END
        AND NOT EXISTS (
          SELECT FROM message later WHERE later.conversation_id = m.conversation_id AND later.id > m.id AND ${inOrder('later')})
        AND CASE WHEN ${isMerged} THEN NOT ${hasNewerElsewhere} ELSE true END
      ORDER BY m.id DESC LIMIT $3`,
    [before, unansweredOnly, limit, ...(workshopId === null ? [] : [workshopId])],
  );
}

export interface InboxMessage {
  readonly messageId: string;
  readonly direction: 'inbound' | 'outbound';
  readonly kind: KindName | 'inbound';
  /** Null for inbound messages and for the workshop's replies. */
  readonly partnerId: string | null;
  readonly body: string;
  readonly segments: number;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly attempts: number;
  /** True when it may have been sent twice: an attempt followed one with an unknown outcome. */
  readonly repeatsUnknown: boolean;
  /** What the customer sent beside the text. */
  readonly attachments: readonly Attachment[];
  readonly at: Date;
}

/** The newest messages before `before` of a conversation, and of the others of its customer, newest first. */
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
  /** Of the workshop. */
  readonly timezone: string;
  /** Of the workshop; ISO 3166. */
  readonly country: string;
  readonly customerId: string;
  readonly name: string;
  readonly phone: string | null;
  readonly optedOut: boolean;
  /** E-mails to their address come back. */
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

/** By the id that somebody typed. Throws OperatorError when there is no such conversation. */
export const requireConversation = (db: Queryable, id: string): Promise<ConversationHead> =>
  foundById('conversation', id, () => findConversation(db, id));

/** That with this very row where there is one; else the newest of the customer's others. */
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

/** The addresses at which the workshop of a conversation gets e-mails, in lower case. */
export async function workshopAddresses(db: Queryable, conversationId: string): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    `SELECT lower(unnest(w.email || coalesce(w.notify_emails, '{}'))) AS address
       FROM conversation c JOIN workshop w ON w.id = c.workshop_id WHERE c.id = $1`,
    [conversationId],
  );
  return rows.map(({ address }) => address);
}
