/** SQL that takes a message in: every check of 4.4, rate limit, customer, conversation, message and first attempt. */
import { ensureCustomer } from '#customers/by-phone/store.ts';
import type { Queryable } from '#db/database.ts';
import { type Statement, statement } from '#db/statement.ts';
import { eventColumns } from '#events/record.ts';
import { leaseInRequest } from '#sending/lease/store.ts';
import { optOutStopsKind } from '#sending/opt-out.ts';
import { messageJson } from '#sending/snapshot.ts';
import { type Gate, gateColumns, gateCte } from '#workshops/access/store.ts';
import { routeName } from '#workshops/store.ts';
import { passedCte } from '../rate/store.ts';

const parameters = {
  partnerId: 'uuid',
  workshopId: 'uuid',
  customerId: 'uuid',
  phone: 'text',
  bookingId: 'uuid',
  templateId: 'uuid',
  body: 'text',
  encoding: 'text',
  segments: 'integer',
  referenceId: 'text',
  gateway: 'text',
  messageId: 'uuid',
  attemptId: 'uuid',
  newConversationId: 'uuid',
  newCustomerId: 'uuid',
  eventId: 'uuid',
  now: 'timestamptz',
} as const;
type Name = keyof typeof parameters;

/**
 * CTEs `person`, `its_booking` and `sent_before`: whom and what the request names, as far as they exist in the workshop, and
 * the message that was sent under its referenceId.
 */
export function namedCtes(
  $: (name: 'customerId' | 'phone' | 'bookingId' | 'partnerId' | 'referenceId') => string,
  by: 'id' | 'phone',
): string {
  return `person AS (
      SELECT c.id, c.phone, c.opted_out_at IS NOT NULL AS opted_out FROM customer c JOIN gate ON gate.workshop_id = c.workshop_id
       WHERE ${by === 'id' ? `c.id = ${$('customerId')} AND c.phone IS NOT NULL` : `c.phone = ${$('phone')}`}),
    its_booking AS (
      SELECT b.id, b.customer_id FROM booking b JOIN gate ON gate.workshop_id = b.workshop_id
       WHERE b.id = ${$('bookingId')} AND b.partner_id = ${$('partnerId')}),
    sent_before AS (
      SELECT m.id FROM message m JOIN gate ON gate.workshop_id = m.workshop_id JOIN person ON person.id = m.customer_id
       WHERE m.partner_id = ${$('partnerId')} AND m.reference_id = ${$('referenceId')}
         AND m.state NOT IN ('sending', 'failed', 'unknown'))`;
}

export const namedColumns = `person.id IS NOT NULL AS "customerFound", its_booking.id IS NOT NULL AS "bookingFound",
       coalesce(its_booking.customer_id = person.id, false) AS "bookingIsTheirs",
       EXISTS (SELECT FROM sent_before) AS "sentBefore"`;

export interface Named {
  customerFound: boolean;
  bookingFound: boolean;
  bookingIsTheirs: boolean;
  /** True when the request repeats one that was sent: its booking and template are not looked at. */
  sentBefore: boolean;
}

function takeInText($: (name: Name) => string, by: 'id' | 'phone'): string {
  return `WITH ${gateCte($('partnerId'), $('workshopId'))},
    ${namedCtes($, by)},
    open AS (
      SELECT gate.workshop_id, person.id AS customer_id, ${by === 'id' ? 'person.phone' : $('phone')} AS phone,
             ${optOutStopsKind('partnerMessage', 'coalesce(person.opted_out, false)')} AS opted_out, clock_timestamp()::text AS asked_at
        FROM gate LEFT JOIN person ON true LEFT JOIN its_booking ON true
       WHERE gate.active AND gate.messaging_feature AND gate.inbox_messaging
         ${by === 'id' ? 'AND person.id IS NOT NULL' : ''}
         AND (${$('bookingId')} IS NULL OR its_booking.customer_id = person.id OR EXISTS (SELECT FROM sent_before))),
    ${passedCte('open')},
    newcomer AS (SELECT workshop_id FROM open CROSS JOIN passed WHERE customer_id IS NULL),
    made_customer AS (${ensureCustomer('newcomer', { newId: $('newCustomerId'), phone: $('phone'), now: $('now') })}),
    recipient AS (
      SELECT open.workshop_id, coalesce(open.customer_id, made_customer.id) AS customer_id, open.phone, open.opted_out,
             open.asked_at
        FROM open CROSS JOIN passed LEFT JOIN made_customer ON true),
    its_conversation AS (
      INSERT INTO conversation (id, workshop_id, customer_id, created_at)
      SELECT ${$('newConversationId')}, workshop_id, customer_id, ${$('now')} FROM recipient
      ON CONFLICT (workshop_id, customer_id) DO UPDATE SET customer_id = excluded.customer_id RETURNING id),
    taken AS (
      INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, booking_id, template_id, direction, kind,
        recipient, body, encoding, segments, reference_id, state, reason, attempt_id, attempts, created_at, updated_at)
      SELECT ${$('messageId')}, r.workshop_id, its_conversation.id, r.customer_id, ${$('partnerId')}, ${$('bookingId')},
             ${$('templateId')}, 'outbound', 'partnerMessage', r.phone, ${$('body')}, ${$('encoding')}, ${$('segments')}, ${$('referenceId')},
             CASE WHEN r.opted_out THEN 'failed' ELSE 'sending' END, CASE WHEN r.opted_out THEN 'optedOut' END,
             CASE WHEN NOT r.opted_out THEN ${$('attemptId')} END, CASE WHEN r.opted_out THEN 0 ELSE 1 END,
             ${$('now')}, ${$('now')}
        FROM recipient r CROSS JOIN its_conversation
      ON CONFLICT (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL DO NOTHING
      RETURNING *),
    attempted AS (
      INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at, business_started_at)
      SELECT attempt_id, id, 1, ${routeName('gate', $('gateway'))}, 'sending', clock_timestamp(), ${$('now')}
        FROM taken CROSS JOIN gate WHERE attempt_id IS NOT NULL),
    leased AS (${leaseInRequest('taken', 'attempt_id IS NOT NULL')}),
    recorded AS (
      INSERT INTO event (${eventColumns})
      SELECT ${$('eventId')}, 'message.failed', partner_id, workshop_id, id, 1, jsonb_build_object('message', ${messageJson('taken')}), ${$('now')}
        FROM taken WHERE state = 'failed')
    SELECT ${gateColumns}, ${namedColumns}, passed.used AS "rateUsed", recipient.customer_id AS "customerId",
           recipient.phone, recipient.asked_at AS "askedAt", its_conversation.id AS "conversationId", taken.id AS "messageId", taken.state
      FROM gate LEFT JOIN person ON true LEFT JOIN its_booking ON true LEFT JOIN passed ON true
      LEFT JOIN recipient ON true LEFT JOIN its_conversation ON true LEFT JOIN taken ON true`;
}

const takeInById = statement(parameters, ($) => takeInText($, 'id'));
const takeInByPhone = statement(parameters, ($) => takeInText($, 'phone'));

export interface TakeIn {
  partnerId: string;
  workshopId: string;
  /** Null: the person is named by `phone`. */
  customerId: string | null;
  /** E.164; null when customerId is given. */
  phone: string | null;
  bookingId: string | null;
  templateId: string | null;
  body: string;
  encoding: string;
  segments: number;
  referenceId: string | null;
  /** The installation's. */
  gateway: string;
  messageId: string;
  attemptId: string;
  newConversationId: string;
  newCustomerId: string;
  eventId: string;
  now: Date;
}

export interface TakenIn extends Gate, Named {
  /** Requests that the last second has let pass; null when this one did not. */
  rateUsed: number | null;
  customerId: string | null;
  phone: string | null;
  /** When the request came, by the database's clock: what ended later ran meanwhile. */
  askedAt: string | null;
  conversationId: string | null;
  /** Null when a message with this referenceId is there already. */
  messageId: string | null;
  state: 'sending' | 'failed' | null;
}

/** One row, whose first closed check is the refusal; nothing is written then. Null when there is no such workshop. */
export async function takeIn(db: Queryable, message: TakeIn): Promise<TakenIn | null> {
  const chosen: Statement<Name> = message.customerId === null ? takeInByPhone : takeInById;
  const [row] = await db.query<TakenIn>(chosen.text, chosen.values({ ...message }));
  return row ?? null;
}
