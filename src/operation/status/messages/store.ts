/** SQL that lists messages for the operator, and shows one with its attempts. */
import type { Queryable } from '#platform/db/database.ts';
import { highestId } from '#platform/db/page-bounds.ts';

/** The states of messages that did not arrive. */
export const troubledStates = ['undelivered', 'expired', 'failed', 'unknown'] as const;
export const messageStates = [
  ...troubledStates,
  ...(['sending', 'accepted', 'delivered', 'superseded', 'received'] as const),
] as const;
export type MessageState = (typeof messageStates)[number];

export interface ListedMessage {
  readonly messageId: string;
  readonly workshopId: string;
  readonly workshop: string;
  /** The time zone of the workshop. */
  readonly timezone: string;
  readonly customerId: string | null;
  readonly partnerId: string | null;
  readonly kind: string;
  readonly channel: string;
  readonly audience: string;
  readonly recipient: string;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly attempts: number;
  /** Business time. */
  readonly createdAt: Date;
}

/** Null: of all. */
export interface MessageFilters {
  readonly workshopId: string | null;
  readonly customerId: string | null;
  readonly channel: 'sms' | 'email' | null;
  readonly states: readonly MessageState[];
  /** Machine time. */
  readonly since: Date;
}

export interface MessagePage extends MessageFilters {
  /** The id of the last message of the previous page. */
  readonly before: string | null;
  readonly limit: number;
}

const columns = `m.id AS message_id, m.workshop_id, w.name AS workshop, w.timezone, m.customer_id,
  m.partner_id, m.kind, m.channel, m.audience, m.recipient, m.state, m.reason, m.detail, m.attempts, m.created_at`;

/** Two indexes together cover the messages of a workshop: one those of conversations, one all others. */
const isConversational = `kind IN ('partnerMessage', 'reply', 'inbound')`;
const kindsOfWorkshop = [isConversational, `NOT (${isConversational})`];

/** Exported for tests that read its plan. */
export function messageListText({
  workshopId,
  customerId,
}: Pick<MessagePage, 'workshopId' | 'customerId'>): string {
  const wanted = [
    'id >= first_id($1) AND id < $2::uuid AND state = ANY($3::text[]) AND channel = coalesce($5::text, channel)',
    ...(workshopId === null ? [] : ['workshop_id = $6::uuid']),
    ...(customerId === null ? [] : ['customer_id = $7::uuid']),
  ];
  const of = (conditions: readonly string[]) =>
    `(SELECT * FROM message WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $4)`;
  const byWorkshop = workshopId !== null && customerId === null;
  const found = byWorkshop ? kindsOfWorkshop.map((kinds) => of([...wanted, kinds])) : [of(wanted)];
  return `WITH given AS (SELECT $6::uuid, $7::uuid)
    SELECT ${columns} FROM (${found.join(' UNION ALL ')}) AS m JOIN workshop w ON w.id = m.workshop_id
     ORDER BY m.id DESC LIMIT $4`;
}

/** Newest first. Reads the messages created since then: of the given customer or workshop, else of all. */
export async function listMessages(db: Queryable, page: MessagePage): Promise<ListedMessage[]> {
  const { since, before, states, limit, channel, workshopId, customerId } = page;
  return db.query<ListedMessage>(messageListText(page), [
    ...[since, before ?? highestId, states, limit, channel],
    ...[workshopId, customerId],
  ]);
}

export interface ShownAttempt {
  readonly attemptId: string;
  readonly number: number;
  readonly gateway: string;
  readonly gatewayId: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  /** Machine time, RFC 3339. */
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

export interface ShownMessage extends ListedMessage {
  readonly subject: string | null;
  readonly body: string;
  readonly segments: number | null;
  readonly referenceId: string | null;
  readonly bookingId: string | null;
  readonly conversationId: string | null;
  /** Machine time of the next try of a waiting message. Null also while its campaign is paused. */
  readonly dueAt: Date | null;
  readonly updatedAt: Date;
  readonly tries: readonly ShownAttempt[];
}

export async function findMessage(db: Queryable, id: string): Promise<ShownMessage | null> {
  const [row] = await db.query<ShownMessage>(
    `SELECT ${columns}, m.subject, m.body, m.segments, m.reference_id, m.booking_id,
            m.conversation_id, nullif(q.due_at, 'infinity') AS due_at, m.updated_at, coalesce((
              SELECT jsonb_agg(jsonb_build_object('attemptId', a.id, 'number', a.number, 'gateway', a.gateway, 'gatewayId', a.gateway_id,
                       'state', a.state, 'reason', a.reason, 'detail', a.detail, 'startedAt', a.started_at, 
                       'finishedAt', a.finished_at) ORDER BY a.number)
                FROM message_attempt a WHERE a.message_id = m.id), '[]') AS tries
       FROM message m JOIN workshop w ON w.id = m.workshop_id LEFT JOIN queued_message q ON q.message_id = m.id
      WHERE m.id = $1`,
    [id],
  );
  return row ?? null;
}
