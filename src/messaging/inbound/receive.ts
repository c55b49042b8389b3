/** Takes in what a customer answered (decisions, section 5). */
import type { Context } from '#context.ts';
import { recordOptOut } from '#customers/opt-out.ts';
import type { Queryable } from '#db/database.ts';
import type { InboundSms } from '#gateways/sms/callbacks.ts';
import { enqueue } from '#sending/enqueue.ts';
import { isId, newId } from '#values/id.ts';
import { parsePhone } from '#values/phone.ts';
import { measureSms } from '#values/sms-text.ts';
import { asSender, internationalPhone } from './address.ts';
import { confirmationOf } from './confirmation.ts';
import { countryOfSender, type Received, receive, workshopName } from './store.ts';
import { keepUnplaced } from './unplaced/keep.ts';
import { optWord } from './words.ts';

/** Takes an SMS in once for each of the gateway's ids. One that belongs nowhere is kept, and becomes a dead letter. */
export async function receiveSms(context: Context, gateway: string, sms: InboundSms): Promise<void> {
  await takeSms(context, gateway, sms);
}

/** The same, and tells where it was put. */
export async function takeSms(context: Context, gateway: string, sms: InboundSms): Promise<Received> {
  // Without an id nothing tells a repeat from a second message: better twice than never.
  const known: InboundSms = { ...sms, gatewayId: sms.gatewayId || newId(), body: storable(sms.body) };
  const placed = await placeSms(context, gateway, known);
  if (placed.messageId === null && !placed.repeated) await keepUnplaced(context, gateway, known);
  return placed;
}

/** Puts an SMS where it belongs, if anywhere; words that opt in or out hold from the same commit on. */
async function placeSms(context: Context, gateway: string, sms: InboundSms): Promise<Received> {
  const { db, clock } = context;
  const now = clock.now();
  const word = wordOf(sms);
  // One statement, or a transaction of several.
  const placed =
    word === null
      ? await placeSmsIn(db, gateway, sms, now)
      : await db.transaction((tx) => placeSmsIn(tx, gateway, sms, now));
  if (placed.messageId !== null) {
    context.nudgeRelay();
    if (word !== null) context.nudgeSender();
  }
  return placed;
}

const wordOf = (sms: InboundSms) => sms.optOut ?? optWord(sms.body);

/** The same in the caller's transaction, which only words that opt in or out need. `now` is business time. */
export async function placeSmsIn(
  tx: Queryable,
  gateway: string,
  sms: InboundSms,
  now: Date,
): Promise<Received> {
  const senders = asSender(sms.to);
  const { encoding, segments } = measureSms(sms.body);
  const phone = await phoneOf(tx, sms.from, senders);
  const received = await receive(tx, {
    gateway,
    gatewayId: sms.gatewayId,
    phone,
    senders,
    inReplyTo: sms.inReplyTo && isId(sms.inReplyTo) ? sms.inReplyTo : null,
    body: sms.body,
    encoding,
    segments,
    messageId: newId(),
    newConversationId: newId(),
    newCustomerId: newId(),
    eventId: newId(),
    now,
  });
  const word = wordOf(sms);
  if (word !== null) await heed(tx, word, received, { phone, now });
  return received;
}

/** Opts the customer out or in, and confirms it where an SMS reaches the phone, when that changes anything. */
async function heed(
  tx: Queryable,
  word: 'stop' | 'start',
  { messageId, customerId, workshopId }: Received,
  { phone, now }: { readonly phone: string; readonly now: Date },
): Promise<void> {
  if (messageId === null || customerId === null || workshopId === null) return;
  const optedOut = word === 'stop';
  if (!(await recordOptOut(tx, { customerId, workshopId, optedOut, messageId, now }))) return;
  if (!phone.startsWith('+')) return;
  const confirmation = {
    kind: 'confirmation',
    workshopId,
    channel: 'sms',
    audience: 'customer',
    customerId,
    causeId: messageId,
    recipient: phone,
    body: confirmationOf(word, await workshopName(tx, workshopId)),
  } as const;
  await enqueue(tx, [confirmation], { now, exemptCountries: [] });
}

async function phoneOf(db: Queryable, from: string, senders: readonly string[]): Promise<string> {
  const text = storable(from);
  const phone = internationalPhone(text);
  if (phone !== null) return phone;
  const country = await countryOfSender(db, senders);
  // Who hides their number is nobody that can be answered, but what they say is kept.
  return (country === null ? null : parsePhone(text, country)) ?? (text || 'unknown');
}

/** As it was written, but for what PostgreSQL can't store. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').trim();
}
