/**
 * Sends one SMS to a workshop's customer: POST /workshops/{id}/messages. The checks come in a fixed order
 * (specification: Messages 8); free text takes one round trip before the gateway, a template two.
 */

import type { Actor } from '#base/values/actor.ts';
import { idOr, newId, nilId } from '#base/values/id.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { invalidFields } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { actorValues } from '#platform/events/record.ts';
import { tooManyRequests } from '#platform/http/rate-limit.ts';
import type { LimitReason } from '#product/sending/limits/rules.ts';
import { requireMessaging } from '#product/workshops/access/gate.ts';
import type { Gate } from '#product/workshops/access/store.ts';
import { runAttempt } from './attempts/attempt.ts';
import { replayOrRetry } from './attempts/replay.ts';
import type { Content, RepeatedKey } from './attempts/store.ts';
import { renderMessage } from './from-template/render.ts';
import { readTemplateContext } from './from-template/store.ts';
import { messagingJudge, phoneOf, requireTheirs } from './named/named.ts';
import type { Named, Naming } from './named/store.ts';
import type { Outcome } from './outcome.ts';
import { messageLimit, segmentsAtMost, tooLong } from './rules.ts';
import type { SendMessageBody } from './schema.ts';
import { type CreatedMessage, createMessage, type SentBefore } from './store.ts';

export interface SendMessage {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly body: SendMessageBody;
  readonly actor: Actor;
}

export interface Sent {
  readonly outcome: Outcome;
  /** How many more requests the rate limit allows in this second. */
  readonly remaining: number;
}

type Judged = Gate & Named & SentBefore;

/** Throws 404 030001, 403 000003 and 000004, 404 040001, then for the booking 404 and 400 060001. */
export function requireNamed<T extends Judged>(
  row: T | null,
  naming: Pick<Naming, 'customerId' | 'bookingId'>,
): asserts row is T {
  requireMessaging(row);
  requireTheirs(row, naming, row.sentBefore);
}

/** Throws every 4xx of an SMS; a refusal writes nothing. */
export async function sendMessage(context: Context, request: SendMessage): Promise<Sent> {
  const { db, clock, sms } = context;
  const { partnerId, body, actor } = request;
  const workshopId = idOr(request.workshopId, nilId);
  const customerId = idOr(body.customerId, null);
  const naming: Naming = {
    customerId,
    phone: await phoneOf(
      context,
      { partnerId, workshopId, customerId, field: 'phone', phone: body.phone ?? '' },
      messagingJudge(context, partnerId, workshopId),
    ),
    bookingId: idOr(body.bookingId, null),
  };

  const { message } = body.channels.sms;
  const templateId = idOr(body.channels.sms.templateId, null);
  const referenceId = body.referenceId ?? null;
  let text = message ?? '';
  let templateVersion: number | null = null;
  if (templateId !== null) {
    const found = await readTemplateContext(db, {
      partnerId,
      workshopId,
      ...naming,
      templateId,
      referenceId,
    });
    requireNamed(found, naming);
    // The message of this referenceId was sent: its outcome is replayed, so nothing is rendered.
    if (!found.sentBefore) text = renderMessage(found, naming.phone);
    templateVersion = found.templateVersion;
  }
  const { encoding, segments } = measureSms(text);
  if (segments > segmentsAtMost) throw invalidFields([tooLong('channels.sms.templateId', segments)]);

  const template = { templateId, templateVersion };
  const content = { body: text, encoding, segments, ...template, bookingId: naming.bookingId };
  const begun = { partnerId, workshopId, attemptId: newId(), begunAt: clock.machineNow(), actor };
  const row = await createMessage(db, {
    partnerId,
    workshopId,
    ...naming,
    ...content,
    referenceId,
    gateway: sms.name,
    messageId: newId(),
    attemptId: begun.attemptId,
    newConversationId: newId(),
    newCustomerId: newId(),
    now: clock.now(),
    ...actorValues(actor),
  });
  requireNamed(row, naming);
  return carryOut(context, row, begun, content, (customerId) => ({
    ...{ partnerId, workshopId, customerId },
    referenceId: referenceId ?? '',
  }));
}

export interface Begun {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly attemptId: string;
  /** Machine time, before the attempt's row was written. */
  readonly begunAt: Date;
  readonly actor: Actor;
  /** Given: nothing is handed over, for this reason. */
  readonly refusal?: LimitReason | null;
}

/**
 * Hands over the first attempt of the message that `createMessage` created; if it created none, calls `repeated` with the message
 * that the request repeats. Throws 429.
 */
export async function carryOut(
  context: Context,
  row: CreatedMessage,
  begun: Begun,
  content: Content,
  repeated: (customerId: string) => RepeatedKey,
): Promise<Sent> {
  if (row.rateUsed === null) {
    throw tooManyRequests(messageLimit, 1000, 'At most 5 requests a second for one workshop and customer');
  }
  const remaining = messageLimit.quota - row.rateUsed;
  const { messageId, conversationId, customerId, phone } = row;
  if (customerId === null || conversationId === null || phone === null || row.requestedAt === null)
    throw new Error('a message was created without its customer');
  if (messageId === null) {
    const request = {
      key: repeated(customerId),
      content,
      requestedAt: row.requestedAt,
      actor: begun.actor,
      refusal: begun.refusal,
    };
    return { outcome: await replayOrRetry(context, request), remaining };
  }
  if (row.state === 'failed') {
    context.nudgeRelay();
    return {
      outcome: { messageId, conversationId, sent: false, reason: row.reason, detail: null },
      remaining,
    };
  }
  const attempt = {
    ...begun,
    messageId,
    conversationId,
    phone,
    sender: row.smsSender,
    route: row.smsGateways,
    body: content.body,
  };
  return { outcome: await runAttempt(context, attempt), remaining };
}
