/**
 * SQL of inbound SMS: the statement that matches one to its workshop and stores customer, conversation, message and event, and the
 * unmatched ones (table `unplaced_sms`).
 */

import { actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { inColumns, type Values } from '#platform/db/parameters.ts';
import { statement } from '#platform/db/statement.ts';
import { actorIs, insertEvents } from '#platform/events/record.ts';
import type { InboundAttachment } from '#platform/gateways/sms/callbacks.ts';
import { ensureCustomer } from '#product/customers/store.ts';
import { answeredKinds } from '#product/sending/kinds.ts';
import { messageJson } from '#product/sending/snapshot.ts';
import { insertAttachments } from '../attachments/store.ts';

const parameters = {
  gateway: 'text',
  gatewayId: 'text',
  /** E.164, or the sender as the gateway names it when that is not a phone number. */
  phone: 'text',
  /** All forms in which the number that the SMS came to may be stored as a workshop's sender. */
  senders: 'text[]',
  /** The id of the attempt that it answers, according to the gateway. */
  inReplyTo: 'uuid null',
  body: 'text',
  encoding: 'text',
  segments: 'integer',
  /** The workshops of which it quotes a text: there it is a tapback. */
  reactsAt: 'uuid[]',
  /** From `attachmentRows`. */
  attachments: 'jsonb',
  messageId: 'uuid',
  newConversationId: 'uuid',
  newCustomerId: 'uuid',
  eventId: 'uuid',
  now: 'timestamptz',
} as const;

export type NewInbound = Values<typeof parameters> & { readonly attachments: readonly object[] };

/**
 * `place` is the workshop that the SMS matches. If only one workshop has the number that it came to as its sender, it is that one.
 * If several share the number, the choice is among them; if none has it, among all: the workshop whose SMS this one answers or quotes, else
 * the one whose SMS of any kind was handed over to the phone last. Messages that were not handed over do not count. A repeat, by
 * the gateway's id, matches none. The message gets the partner that sent the conversation's last message.
 */
const inboundStatement = statement(
  parameters,
  ($) => `WITH earlier AS (
      SELECT id FROM message WHERE gateway = ${$('gateway')} AND gateway_message_id = ${$('gatewayId')}),
    -- The workshops that have the number it came to.
    numbered AS (SELECT id FROM workshop WHERE sms_sender = ANY(${$('senders')})),
    -- The message that it answers, by the word of the gateway.
    answered AS (
      SELECT m.workshop_id, m.recipient AS phone FROM message_attempt a JOIN message m ON m.id = a.message_id
       WHERE a.id = ${$('inReplyTo')} AND m.channel = 'sms' AND m.audience = 'customer'),
    -- Workshops that know the sender: those that share the number, or all when none has it.
    known AS (
      SELECT k.workshop_id, EXISTS (
               SELECT FROM answered WHERE answered.workshop_id = k.workshop_id AND answered.phone = k.phone)
               OR k.workshop_id = ANY(${$('reactsAt')}) AS is_answered,
             c.last_sent_at, k.updated_at
        FROM customer k
        LEFT JOIN conversation c ON c.workshop_id = k.workshop_id AND c.customer_id = k.id
       WHERE k.phone = ${$('phone')}
         AND (NOT EXISTS (SELECT FROM numbered) OR k.workshop_id IN (SELECT id FROM numbered))),
    -- Whose it is: the only one with the number, else the one it answers, else the one that last sent the phone an SMS.
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
               WHERE m.conversation_id = c.id AND m.kind IN (${answeredKinds})
                 AND m.partner_id IS NOT NULL AND m.state <> 'failed' ORDER BY m.id DESC LIMIT 1),
             'inbound', CASE WHEN c.workshop_id = ANY(${$('reactsAt')}) THEN 'reaction' ELSE 'inbound' END,
             ${$('phone')}, ${$('body')}, ${$('encoding')},
             ${$('segments')}, 'received', ${$('gateway')}, ${$('gatewayId')},
             w.inbox_notices <> 'off' AND c.workshop_id <> ALL(${$('reactsAt')}),
             ${$('now')}, ${$('now')}
        FROM its_conversation c JOIN workshop w ON w.id = c.workshop_id
      ON CONFLICT (gateway, gateway_message_id) WHERE gateway_message_id IS NOT NULL DO NOTHING
      RETURNING *),
    attached AS (${insertAttachments('received', $('attachments'))}),
    recorded AS (
      ${insertEvents({
        ...{ from: 'received', id: $('eventId'), kind: `'message.received'` },
        payload: { message: messageJson('received') },
        ...{ at: $('now'), by: actorIs(actors.customerBySms) },
      })})
    SELECT r.workshop_id, r.customer_id, r.conversation_id,
           r.id AS message_id, EXISTS (SELECT FROM earlier) OR (r.id IS NULL AND place.workshop_id IS NOT NULL) AS repeated
      FROM (SELECT) AS always LEFT JOIN place ON true LEFT JOIN received r ON true`,
);

/** Where the SMS was stored; all null when it matches no workshop, or is a repeat. */
export interface Received {
  readonly workshopId: string | null;
  readonly customerId: string | null;
  readonly conversationId: string | null;
  readonly messageId: string | null;
  /** True when an SMS with this id of the gateway is stored already. */
  readonly repeated: boolean;
}

export async function insertInbound(db: Queryable, answer: NewInbound): Promise<Received> {
  const [row] = await db.query<Received>(
    inboundStatement.text,
    inboundStatement.values({ ...answer, attachments: answer.attachments.map(inColumns) }),
  );
  if (row === undefined) throw new Error('storing an inbound SMS returned no row');
  return row;
}

/**
 * The workshop account at the gateway, for the inbound SMS with this id; null when the SMS is unmatched, or its workshop has no
 * account of its own.
 */
export async function accountOfInbound(
  db: Queryable,
  gateway: string,
  gatewayId: string,
): Promise<string | null> {
  const [row] = await db.query<{ account: string }>(
    `SELECT s.account FROM message m JOIN sms_account s ON s.workshop_id = m.workshop_id AND s.gateway = m.gateway
      WHERE m.gateway = $1 AND m.gateway_message_id = $2`,
    [gateway, gatewayId],
  );
  return row?.account ?? null;
}

/** The country of a workshop with one of these senders; null when there is none. */
export async function countryOfSender(db: Queryable, senders: readonly string[]): Promise<string | null> {
  const [row] = await db.query<{ country: string }>(
    'SELECT country FROM workshop WHERE sms_sender = ANY($1::text[]) ORDER BY created_at, id LIMIT 1',
    [senders],
  );
  return row?.country ?? null;
}

export interface UnmatchedSms {
  readonly id: string;
  readonly gateway: string;
  readonly gatewayId: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Business time. */
  readonly receivedAt: Date;
}

export type WholeUnmatchedSms = UnmatchedSms & { readonly attachments: readonly InboundAttachment[] };

const columns = `id, gateway, gateway_message_id AS gateway_id, sender AS "from", recipient AS "to", body, created_at AS received_at`;

/** False when it was stored already. */
export async function insertUnmatched(db: Queryable, sms: WholeUnmatchedSms): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO unplaced_sms (id, gateway, gateway_message_id, sender, recipient, body, attachments, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)
     ON CONFLICT (gateway, gateway_message_id) DO NOTHING RETURNING id`,
    [
      sms.id,
      sms.gateway,
      sms.gatewayId,
      sms.from,
      sms.to,
      sms.body,
      JSON.stringify(sms.attachments),
      sms.receivedAt,
    ],
  );
  return rows.length > 0;
}

export async function findUnmatched(db: Queryable, id: string): Promise<WholeUnmatchedSms | null> {
  const [sms] = await db.query<WholeUnmatchedSms>(
    `SELECT ${columns}, attachments FROM unplaced_sms WHERE id = $1`,
    [id],
  );
  return sms ?? null;
}

/** Newest first; `before` is the id of the last one on the previous page. */
export async function listUnmatched(
  db: Queryable,
  page: { readonly before: string | null; readonly limit: number },
): Promise<UnmatchedSms[]> {
  return db.query<UnmatchedSms>(
    `SELECT ${columns} FROM unplaced_sms WHERE ${beforeId('id', '$1')} ORDER BY id DESC LIMIT $2`,
    [page.before, page.limit],
  );
}

export async function deleteUnmatched(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM unplaced_sms WHERE id = $1', [id]);
}

export interface AnswerOf {
  readonly id: string;
  readonly from: string;
  /** The workshop's name, since the number that it was sent to is not stored. */
  readonly to: string;
  readonly body: string;
  readonly at: Date;
}

/** The SMS from this phone to all workshops of the installation, newest first: for the sandbox, which has no tenants. */
export async function listAnswersOf(db: Queryable, phone: string, atMost: number): Promise<AnswerOf[]> {
  return db.query<AnswerOf>(
    `SELECT m.id, k.phone AS "from", w.name AS "to", m.body, m.created_at AS at
       FROM customer k JOIN message m ON m.customer_id = k.id JOIN workshop w ON w.id = m.workshop_id
      WHERE k.phone = $1 AND m.direction = 'inbound' ORDER BY m.id DESC LIMIT $2`,
    [phone, atMost],
  );
}
