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
import { memberNamed } from '#platform/gateways/sms/members.ts';
import { lockCustomersWith } from '#product/customers/merged/store.ts';
import { attachmentRows, storableAttachments } from '../attachments/rows.ts';
import { asSender, internationalPhone } from './address.ts';
import { answerHelp, isToBeHelped } from './help.ts';
import { askedToStop, mayHaveMeantBooking } from './marks/mark.ts';
import { applyOptOut } from './opt-out.ts';
import { asksForHelp, isCancel, optWord } from './opt-words.ts';
import { findTextsTo } from './sent/store.ts';
import { mayAskToStop } from './stop-requests/judge.ts';
import { countryOfSender, insertInbound, type Received } from './store.ts';
import { isAbout, readTapback, type Tapback } from './tapback.ts';
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
  const meaning = meaningOf(identified);
  // An ordinary SMS takes one statement; one that means more takes a transaction of several.
  const received =
    meaning === null
      ? await changeAtOnce(context, () => matchSms(context.db, gateway, identified, context.clock.now()))
      : await change(context, async ({ tx, now }) => {
          const stored = await matchSms(tx, gateway, identified, now);
          if (meaning === 'help') await help(tx, context, gateway, identified, stored, now);
          return stored;
        });
  if (received.messageId === null && !received.repeated) await storeUnmatched(context, gateway, identified);
  return received;
}

/** The meaning of an SMS that is more than a text to read. */
type Meaning = 'stop' | 'start' | 'help' | 'askToStop' | Tapback;

/** Null for an ordinary text. */
function meaningOf({ optOut, body, buttonPayload }: InboundSms): Meaning | null {
  const word = optOut ?? optWord(body) ?? optWord(buttonPayload ?? '');
  if (word !== null) return word;
  if (asksForHelp(body)) return 'help';
  return readTapback(body) ?? (mayAskToStop(body) ? 'askToStop' : null);
}

/** Not where the provider answers by itself. */
async function help(
  tx: Queryable,
  context: Context,
  gateway: string,
  sms: InboundSms,
  { messageId, customerId, workshopId }: Received,
  now: Date,
): Promise<void> {
  const phone = internationalPhone(sms.from);
  if (messageId === null || customerId === null || workshopId === null || phone === null) return;
  if (memberNamed(context.sms, gateway)?.hearsWords === true || !isToBeHelped(phone)) return;
  await answerHelp(tx, phone, { workshopId, customerId, messageId }, now);
}

/**
 * Stores an SMS in its conversation, if it matches a workshop; an opt-out in it takes effect in the same transaction. `now`, and
 * `heardAt`, when the SMS came in, are business time.
 */
export async function matchSms(
  tx: Queryable,
  gateway: string,
  sms: InboundSms,
  now: Date,
  heardAt = now,
): Promise<Received> {
  const senders = asSender(sms.to);
  const body = shownBody(sms);
  const { encoding, segments } = measureSms(body);
  const phone = await phoneOf(tx, sms.from, senders);
  const meaning = meaningOf(sms);
  // Lock all rows of the merged customer before the SMS locks one of them: two concurrent STOPs from two phones of one customer
  // would deadlock otherwise.
  if (meaning !== null) await lockCustomersWith(tx, phone);
  const received = await insertInbound(tx, {
    gateway,
    gatewayId: sms.gatewayId,
    phone,
    senders,
    inReplyTo: sms.inReplyTo && isId(sms.inReplyTo) ? sms.inReplyTo : null,
    body,
    encoding,
    segments,
    reactsAt: await quotedBy(tx, meaning, phone),
    attachments: attachmentRows(sms.attachments),
    messageId: newId(),
    newConversationId: newId(),
    newCustomerId: newId(),
    eventId: newId(),
    now,
  });
  const { messageId, customerId, workshopId } = received;
  if (meaning === null || messageId === null || customerId === null || workshopId === null) return received;
  const where = { workshopId, customerId, messageId };
  const actor = actors.customerBySms;
  if (meaning === 'askToStop') await askedToStop(tx, where, { now, actor });
  if (meaning === 'stop' && (isCancel(sms.body) || isCancel(sms.buttonPayload ?? '')))
    await mayHaveMeantBooking(tx, where, { heardAt, now, actor });
  if (meaning === 'stop' || meaning === 'start')
    await applyOptOut(tx, phone, { ...where, optedOut: meaning === 'stop', now, heardAt, actor });
  return received;
}

/** The workshops of which the SMS quotes a text, as a tapback does; none for any other SMS. */
async function quotedBy(tx: Queryable, meaning: Meaning | null, phone: string): Promise<readonly string[]> {
  if (meaning === null || typeof meaning === 'string') return [];
  const ours = await findTextsTo(tx, phone);
  return [...new Set(ours.filter(({ body }) => isAbout(meaning, body)).map(({ workshopId }) => workshopId))];
}

/** The text, with what a button that was tapped stands for where its words do not say that. */
export function shownBody({ body, buttonPayload = '' }: InboundSms): string {
  if (optWord(body) !== null) return body;
  const said = storable(buttonPayload);
  if (said === '' || said.toLowerCase() === body.toLowerCase()) return body;
  return body === '' ? said : `${body}\n[${said}]`;
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
