/** SQL of texts that a job sends: the workshop's own replies, and confirmations. */
import type { Queryable } from '#db/database.ts';
import { statement } from '#db/statement.ts';
import { eventColumns } from '#events/record.ts';
import { newId } from '#values/id.ts';
import { measureSms } from '#values/sms-text.ts';
import { isStale } from '../attempts/store.ts';
import { messageJson } from '#sending/snapshot.ts';

const parameters = {
  conversationId: 'uuid',
  body: 'text',
  encoding: 'text',
  segments: 'integer',
  despiteOptOut: 'boolean',
  messageId: 'uuid',
  eventId: 'uuid',
  now: 'timestamptz',
} as const;

const queueStatement = statement(
  parameters,
  ($) => `WITH its AS (
      SELECT c.id, c.workshop_id, c.customer_id, k.phone, k.opted_out_at IS NOT NULL AS "optedOut"
        FROM conversation c JOIN customer k ON k.id = c.customer_id WHERE c.id = ${$('conversationId')}),
    queued AS (
      INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, recipient, body, encoding, segments,
        state, despite_opt_out, created_at, updated_at)
      SELECT ${$('messageId')}, workshop_id, id, customer_id, 'outbound', phone, ${$('body')}, ${$('encoding')},
             ${$('segments')}, 'sending', ${$('despiteOptOut')}, ${$('now')}, ${$('now')}
        FROM its WHERE phone LIKE '+%' AND (NOT "optedOut" OR ${$('despiteOptOut')})
      RETURNING *),
    recorded AS (
      INSERT INTO event (${eventColumns})
      SELECT ${$('eventId')}, 'message.queued', NULL, workshop_id, id, 1, jsonb_build_object('message', ${messageJson('queued')}),
             ${$('now')} FROM queued)
    SELECT queued.id AS "messageId", its.phone, its."optedOut" FROM its LEFT JOIN queued ON true`,
);

export interface Queued {
  /** Null when it was not queued: the customer has opted out, or has no number that an SMS reaches. */
  readonly messageId: string | null;
  /** A name or a short code, of who wrote without a number; null when it was erased. */
  readonly phone: string | null;
  readonly optedOut: boolean;
}

/** Stores a text for the conversation's customer, for a job to send. Null when there is no such conversation. */
export async function queueMessage(
  db: Queryable,
  text: {
    readonly conversationId: string;
    readonly text: string;
    readonly despiteOptOut: boolean;
    readonly now: Date;
  },
): Promise<Queued | null> {
  const { encoding, segments } = measureSms(text.text);
  const values = queueStatement.values({
    ...text,
    body: text.text,
    encoding,
    segments,
    messageId: newId(),
    eventId: newId(),
  });
  const [row] = await db.query<Queued>(queueStatement.text, values);
  return row ?? null;
}

export interface QueuedMessage {
  readonly messageId: string;
  readonly workshopId: string;
  readonly conversationId: string;
  readonly state: string;
  readonly phone: string;
  readonly body: string;
  readonly sender: string | null;
  readonly route: readonly string[] | null;
  /** The latest attempt; null before the first. */
  readonly attemptId: string | null;
  /** Of the latest attempt: the gateway that had it, or the list where it is not known which. */
  readonly gateway: string | null;
  readonly reason: string | null;
  /** True when the process that was sending has been silent for too long. */
  readonly stale: boolean;
  /** True when the latest attempt may have arrived although no acceptance was recorded. */
  readonly doubtful: boolean;
}

export async function findQueued(db: Queryable, id: string): Promise<QueuedMessage | null> {
  const [row] = await db.query<QueuedMessage>(
    `SELECT m.id AS "messageId", m.workshop_id AS "workshopId", m.conversation_id AS "conversationId", m.state, m.recipient AS phone, m.body,
            w.sms_sender AS sender, w.sms_gateways AS route, m.attempt_id AS "attemptId", a.gateway, m.reason, coalesce(${isStale('a')}, false) AS stale,
            coalesce(a.state = 'unknown' OR ${isStale('a')}, false) AS doubtful
       FROM message m JOIN workshop w ON w.id = m.workshop_id LEFT JOIN message_attempt a ON a.id = m.attempt_id
      WHERE m.id = $1`,
    [id],
  );
  return row ?? null;
}
