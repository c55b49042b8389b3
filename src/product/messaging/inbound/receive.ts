/** Stores an inbound SMS. */

import { actors } from '#base/values/actor.ts';
import { withoutControls } from '#base/values/controls.ts';
import { isId, newId } from '#base/values/id.ts';
import { parsePhone } from '#base/values/phone.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { change, changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { InboundSms } from '#platform/gateways/sms/callbacks.ts';
import { lockCustomersWith } from '#product/customers/merged/store.ts';
import { attachmentRows, storableAttachments } from '../attachments/rows.ts';
import { asSender, internationalPhone } from './address.ts';
import { applyOptOut } from './opt-out.ts';
import { optWord } from './opt-words.ts';
import { countryOfSender, insertInbound, type Received } from './store.ts';
import { storeUnmatched } from './unmatched.ts';

/**
 * Stores an SMS once for each gateway id. An SMS that matches no workshop is stored as unmatched, with a dead letter. Returns where
 * it was stored.
 */
export async function receiveSms(context: Context, gateway: string, sms: InboundSms): Promise<Received> {
  // Without an id, a repeat can't be distinguished from a second message: storing one twice is better than losing one.
  const identified: InboundSms = {
    ...sms,
    gatewayId: sms.gatewayId || newId(),
    body: storable(sms.body),
    attachments: storableAttachments(sms.attachments ?? []),
  };
  // An ordinary SMS takes one statement; an opt-out takes a transaction of several.
  const received =
    wordOf(identified) === null
      ? await changeAtOnce(context, () => matchSms(context.db, gateway, identified, context.clock.now()))
      : await change(context, ({ tx, now }) => matchSms(tx, gateway, identified, now));
  if (received.messageId === null && !received.repeated) await storeUnmatched(context, gateway, identified);
  return received;
}

const wordOf = (sms: InboundSms) => sms.optOut ?? optWord(sms.body);

/**
 * Stores an SMS in its conversation, if it matches a workshop; an opt-out in it takes effect in the same transaction. `now` is business
 * time.
 */
export async function matchSms(
  tx: Queryable,
  gateway: string,
  sms: InboundSms,
  now: Date,
): Promise<Received> {
  const senders = asSender(sms.to);
  const { encoding, segments } = measureSms(sms.body);
  const phone = await phoneOf(tx, sms.from, senders);
  const word = wordOf(sms);
  // Lock all rows of the merged customer before the SMS locks one of them: two concurrent STOPs from two phones of one customer
  // would deadlock otherwise.
  if (word !== null) await lockCustomersWith(tx, phone);
  const received = await insertInbound(tx, {
    gateway,
    gatewayId: sms.gatewayId,
    phone,
    senders,
    inReplyTo: sms.inReplyTo && isId(sms.inReplyTo) ? sms.inReplyTo : null,
    body: sms.body,
    encoding,
    segments,
    attachments: attachmentRows(sms.attachments),
    messageId: newId(),
    newConversationId: newId(),
    newCustomerId: newId(),
    eventId: newId(),
    now,
  });
  const { messageId, customerId, workshopId } = received;
  if (word !== null && messageId !== null && customerId !== null && workshopId !== null) {
    const optedOut = word === 'stop';
    await applyOptOut(tx, phone, {
      customerId,
      workshopId,
      optedOut,
      messageId,
      now,
      actor: actors.customerBySms,
    });
  }
  return received;
}

async function phoneOf(db: Queryable, from: string, senders: readonly string[]): Promise<string> {
  const text = storable(from);
  const phone = internationalPhone(text);
  if (phone !== null) return phone;
  const country = await countryOfSender(db, senders);
  // A withheld number can't be answered, but the message is stored.
  return (country === null ? null : parsePhone(text, country)) ?? (text || 'unknown');
}

/** The text as received, without control characters. */
function storable(text: string): string {
  return withoutControls(text.toWellFormed()).trim();
}
