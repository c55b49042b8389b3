/** SQL that takes an answer in: its workshop, customer and conversation, the message and its event, in one statement. */
import { ensureCustomer } from '#customers/by-phone/store.ts';
import type { Queryable } from '#db/database.ts';
import { statement } from '#db/statement.ts';
import { eventColumns } from '#events/record.ts';
import { messageJson } from '#sending/snapshot.ts';

const parameters = {
  gateway: 'text',
  gatewayId: 'text',
  phone: 'text',
  senders: 'text[]',
  inReplyTo: 'uuid',
  body: 'text',
  encoding: 'text',
  segments: 'integer',
  messageId: 'uuid',
  newConversationId: 'uuid',
  newCustomerId: 'uuid',
  eventId: 'uuid',
  now: 'timestamptz',
} as const;

/**
 * `place` is the one workshop that has the number. Where several share it, the one of them whose SMS it answers, else the
 * one that an SMS was last handed over for to the phone, by any kind; where none has it, any that was. What was
 * certainly not sent is no touch. A message of the gateway's that is here already finds no place. The answer is that of the
 * partner that sent the conversation's last message.
 */
const receiveStatement = statement(
  parameters,
  ($) => `WITH earlier AS (
      SELECT id FROM message WHERE gateway = ${$('gateway')} AND gateway_message_id = ${$('gatewayId')}),
    numbered AS (SELECT id FROM workshop WHERE sms_sender = ANY(${$('senders')})),
    answered AS (
      SELECT m.workshop_id, m.recipient AS phone FROM message_attempt a JOIN message m ON m.id = a.message_id
       WHERE a.id = ${$('inReplyTo')} AND m.channel = 'sms' AND m.audience = 'customer'),
    known AS (
      SELECT k.workshop_id, EXISTS (
               SELECT FROM answered WHERE answered.workshop_id = k.workshop_id AND answered.phone = k.phone) AS is_answered,
             c.last_sent_at, k.updated_at
        FROM customer k
        LEFT JOIN conversation c ON c.workshop_id = k.workshop_id AND c.customer_id = k.id
       WHERE k.phone = ${$('phone')}
         AND (NOT EXISTS (SELECT FROM numbered) OR k.workshop_id IN (SELECT id FROM numbered))),
    place AS (
      SELECT workshop_id FROM (
        SELECT id AS workshop_id, true AS is_only, false AS is_answered, NULL::timestamptz AS last_sent_at, NULL::timestamptz AS updated_at
          FROM numbered WHERE (SELECT count(*) FROM numbered) = 1
        UNION ALL SELECT workshop_id, false, is_answered, last_sent_at, updated_at FROM known) AS candidate
       WHERE NOT EXISTS (SELECT FROM earlier)
       ORDER BY is_only DESC, is_answered DESC, last_sent_at DESC NULLS LAST, updated_at DESC, workshop_id LIMIT 1),
    writer AS (${ensureCustomer('place', { newId: $('newCustomerId'), phone: $('phone'), now: $('now') })}),
    its_conversation AS (
      INSERT INTO conversation (id, workshop_id, customer_id, created_at)
      SELECT ${$('newConversationId')}, place.workshop_id, writer.id, ${$('now')} FROM place CROSS JOIN writer
      ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id
      RETURNING id, workshop_id, customer_id),
    received AS (
      INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, direction, kind, recipient, body, encoding,
        segments, state, gateway, gateway_message_id, notice_due, created_at, updated_at)
      SELECT ${$('messageId')}, c.workshop_id, c.id, c.customer_id,
             (SELECT m.partner_id FROM message m
               WHERE m.conversation_id = c.id AND m.kind = 'partnerMessage' AND m.state <> 'failed' ORDER BY m.id DESC LIMIT 1),
             'inbound', 'inbound', ${$('phone')}, ${$('body')}, ${$('encoding')},
             ${$('segments')}, 'received', ${$('gateway')}, ${$('gatewayId')}, w.inbox_notices <> 'off', ${$('now')}, ${$('now')}
        FROM its_conversation c JOIN workshop w ON w.id = c.workshop_id
      ON CONFLICT (gateway, gateway_message_id) WHERE gateway_message_id IS NOT NULL DO NOTHING
      RETURNING *),
    recorded AS (
      INSERT INTO event (${eventColumns})
      SELECT ${$('eventId')}, 'message.received', partner_id, workshop_id, id, 1, jsonb_build_object('message', ${messageJson('received')}), ${$('now')}
        FROM received)
    SELECT r.workshop_id AS "workshopId", r.customer_id AS "customerId", r.conversation_id AS "conversationId",
           r.id AS "messageId", EXISTS (SELECT FROM earlier) OR (r.id IS NULL AND place.workshop_id IS NOT NULL) AS repeated
      FROM (SELECT) AS always LEFT JOIN place ON true LEFT JOIN received r ON true`,
);

export interface Receive {
  readonly gateway: string;
  readonly gatewayId: string;
  /** E.164; the gateway's own words for a sender that is no phone. */
  readonly phone: string;
  /** What a workshop's sender may be, by the address that the SMS was sent to. */
  readonly senders: readonly string[];
  /** The attempt that the gateway says it answers. */
  readonly inReplyTo: string | null;
  readonly body: string;
  readonly encoding: string;
  readonly segments: number;
  readonly messageId: string;
  readonly newConversationId: string;
  readonly newCustomerId: string;
  readonly eventId: string;
  readonly now: Date;
}

/** Where the answer was put; all null when it was not. */
export interface Received {
  readonly workshopId: string | null;
  readonly customerId: string | null;
  readonly conversationId: string | null;
  readonly messageId: string | null;
  /** True when this message of the gateway's was here before. */
  readonly repeated: boolean;
}

export async function receive(db: Queryable, answer: Receive): Promise<Received> {
  const [row] = await db.query<Received>(receiveStatement.text, receiveStatement.values({ ...answer }));
  if (row === undefined) throw new Error('taking an answer in gave no row');
  return row;
}

/** The country of a workshop with one of these senders; null when there is none. */
export async function countryOfSender(db: Queryable, senders: readonly string[]): Promise<string | null> {
  const [row] = await db.query<{ country: string }>(
    'SELECT country FROM workshop WHERE sms_sender = ANY($1::text[]) ORDER BY created_at, id LIMIT 1',
    [senders],
  );
  return row?.country ?? null;
}

export async function workshopName(db: Queryable, id: string): Promise<string> {
  const [row] = await db.query<{ name: string }>('SELECT name FROM workshop WHERE id = $1', [id]);
  return row?.name ?? '';
}
