/**
 * Staff send a text to a customer, who need not have written before: by phone, customer, conversation or booking, as free text or
 * from a template.
 */
import { type FaultCode, InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { findTemplateNamed } from '#product/templates/store.ts';
import { type NotRendered, renderVersion } from '../from-template/version.ts';
import { requireUnanswered } from '../inbox/answered/answered.ts';
import { lockTalk } from '../inbox/answered/store.ts';
import { requireScheduled } from '../inbox/later/schedule.ts';
import { findConversationOf } from '../inbox/store.ts';
import { requireAddressee, type To } from './addressee.ts';
import type { Ground } from './ground.ts';
import { type Addressee, type OwnSms, type QueuedSms, queueOwnSms } from './sms.ts';

export interface OwnMessage {
  readonly workshopId: string;
  readonly to: To;
  /** The customer's booking that it is about, also for the fields of a template; null: none, or that of the scheduled text whose place it takes. */
  readonly bookingId: string | null;
  /** A text as typed; a published inbox template of the workshop, by id or name; or the unchanged text of a scheduled one. */
  readonly content: { readonly text: string } | { readonly template: string } | { readonly waiting: string };
  readonly actor: Actor;
  /** Why the number may be texted, when that is required. */
  readonly ground?: Ground;
  /** The newest message of the talk that the author was shown; null: none. Absent: newer answers are not checked. */
  readonly seen?: string | null;
  /** The scheduled text that this one replaces. */
  readonly replaces?: string | undefined;
}

export interface SentOwn extends QueuedSms {
  readonly conversationId: string;
  readonly customerId: string;
}

/** Throws what `queueOwnSms` throws; InvalidInput also for a template that can't be sent to this customer; AnsweredMeanwhile. */
export async function sendOwnMessage(
  context: ChangeContext & Pick<Context, 'config'>,
  message: OwnMessage,
): Promise<SentOwn> {
  const { workshopId, actor, ground = {}, seen, replaces } = message;
  return change(context, async ({ tx, now }) => {
    const addressee = await requireAddressee(tx, message, now);
    await lockTalk(tx, addressee, now);
    const replaced = replaces === undefined ? null : await requireScheduled(tx, addressee, replaces);
    const sms = await worded(tx, message, addressee);
    const bookingId = message.bookingId ?? sms.bookingId ?? replaced?.bookingId ?? null;
    if (seen !== undefined) await requireUnanswered(tx, addressee, seen);
    const queued = await queueOwnSms(tx, context, addressee, { ...sms, bookingId, actor, ground });
    const conversation = await findConversationOf(tx, workshopId, addressee.customerId);
    if (queued === null || conversation === null)
      throw new Error('an SMS was stored without its conversation');
    return { conversationId: conversation.conversationId, customerId: addressee.customerId, ...queued };
  });
}

async function worded(
  tx: Queryable,
  message: OwnMessage,
  addressee: Addressee,
): Promise<Omit<OwnSms, 'actor'>> {
  const { content } = message;
  if ('waiting' in content) {
    const { body, bookingId } = await requireScheduled(tx, addressee, content.waiting);
    return { text: body, bookingId };
  }
  return 'text' in content ? content : rendered(tx, message, addressee.customerId, content.template);
}

const faults: Readonly<Record<NotRendered, readonly [message: string, code?: FaultCode]>> = {
  unknownCustomer: ['is not for this customer'],
  needsBooking: ['needs a booking: name one', 'needsBooking'],
  empty: ['renders an empty text'],
  invalid: ["can't be rendered: its preview shows why", 'notRendered'],
};

async function rendered(
  tx: Queryable,
  { workshopId, bookingId }: OwnMessage,
  customerId: string,
  named: string,
): Promise<Omit<OwnSms, 'actor'>> {
  const refuse = (message: string, code?: FaultCode) =>
    new InvalidInput([{ field: 'template', message, ...(code && { code }) }]);
  const template = await findTemplateNamed(tx, workshopId, named);
  if (template === null || template.purpose !== 'inbox' || template.status !== 'published') {
    throw refuse('is not a published inbox template of this workshop', 'templateUnpublished');
  }
  const of = { workshopId, templateId: template.id, version: template.version };
  const [result] = (await renderVersion(tx, of, [{ customerId, bookingId }])) ?? [];
  if (result === undefined || result.text === null) throw refuse(...faults[result?.reason ?? 'invalid']);
  const ref = { id: template.id, version: template.version };
  return { text: result.text, field: 'template', template: ref };
}
