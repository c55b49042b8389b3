/**
 * A request whose referenceId was used before (specification: Messages 5, 10 and 13): it waits while an attempt is in flight,
 * replays a final outcome, and otherwise starts a further attempt; an unknown outcome is reconciled with the gateway first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { SmsLookUp, SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { lookUpSms } from '#platform/gateways/sms/send.ts';
import type { LimitReason } from '#product/sending/limits/rules.ts';
import type { Outcome } from '../outcome.ts';
import { recordOutcome, runAttempt } from './attempt.ts';
import {
  type Content,
  claimAttempt,
  findRepeated,
  type ReferencedMessage,
  type RepeatedKey,
  startAttempt,
} from './store.ts';

const waitAtMostMs = 30_000;
const pollEveryMs = 100;

function toOutcome(message: ReferencedMessage): Outcome {
  const { messageId, conversationId, state, reason, detail } = message;
  // Delivery reports do not change the outcome of the request, which is that the gateway accepted the message.
  const sent = state !== 'failed' && state !== 'unknown';
  return { messageId, conversationId, sent, reason, detail: sent ? null : detail };
}

export interface RepeatedRequest {
  readonly key: RepeatedKey;
  /** The content that this request would send. */
  readonly content: Content;
  /** When the request came, by the database's clock. */
  readonly requestedAt: string;
  readonly actor: Actor;
  /** Given: what is tried again is not handed over, for this reason. */
  readonly refusal?: LimitReason | null | undefined;
}

/**
 * Replays the outcome of the message with this referenceId, or makes another attempt when it failed or its outcome is unknown.
 * Throws 409 000009 when an attempt is still in flight after 30 seconds. No database connection is held while waiting.
 */
export async function replayOrRetry(context: Context, request: RepeatedRequest): Promise<Outcome> {
  const { db, clock } = context;
  const { key, requestedAt } = request;
  const giveUpAt = clock.machineNow().getTime() + waitAtMostMs;
  while (clock.machineNow().getTime() < giveUpAt) {
    const message = await findRepeated(db, key, requestedAt);
    if (message === null) throw new Error('the message with this referenceId has disappeared');
    if (message.state === 'sending' && !message.stale) {
      await sleep(pollEveryMs);
      continue;
    }
    const isOpen = message.state === 'failed' || message.state === 'unknown' || message.stale;
    // An attempt that ended while this request waited counts as the attempt of this request, with any outcome.
    if (!isOpen || message.endedSince) return toOutcome(message);
    const outcome = await retry(context, message, request);
    if (outcome !== null) return outcome;
  }
  throw new Problem('000009', { message: 'A request with this referenceId is still running' });
}

/** The next request reconciles again. */
const notReconciled: SmsOutcome = {
  state: 'unknown',
  detail: 'The gateway does not say for now whether it has the SMS, so it was not sent again.',
};

/** The outcome to record; null when the SMS is to be sent again: the gateway does not have it, or has no look-up. */
function reconciledOutcome(found: SmsLookUp): SmsOutcome | null {
  if (found.state === 'accepted') return found;
  return found.state === 'unknown' && !found.permanent ? notReconciled : null;
}

/** Null when the message must be read again: an outcome was recorded, or another request holds the claim. */
async function retry(
  context: Context,
  message: ReferencedMessage,
  { content: requested, actor, refusal }: RepeatedRequest,
): Promise<Outcome | null> {
  const { db, clock, sms } = context;
  const { messageId, conversationId, attemptId: latest } = message;
  let repeatsUnknown = false;
  if (message.outcomeUnknown && latest !== null) {
    if (!(await claimAttempt(db, messageId, latest))) return null;
    const found = await lookUpSms(sms, latest, message.gateway, { to: message.phone, body: message.body });
    const outcome = reconciledOutcome(found);
    if (outcome !== null) {
      await recordOutcome(context, { messageId, attemptId: latest, actor }, outcome);
      // A delivery report may have come since, so the message is read again.
      return null;
    }
    repeatsUnknown = found.state === 'unknown';
  }

  // The first text may have arrived, so no other text is sent under this referenceId, unless retention has deleted the first text.
  const keepsFirst = (message.outcomeUnknown || message.repeatsUnknown) && message.body !== '';
  const content = keepsFirst ? null : requested;
  const attemptId = newId();
  const begunAt = clock.machineNow();
  const started = await startAttempt(db, {
    messageId,
    latest,
    attemptId,
    gateway: sms.name,
    repeatsUnknown,
    content,
    now: clock.now(),
    actor,
  });
  if (started === 'optedOut' || started === 'mayHaveOptedOut')
    return { messageId, conversationId, sent: false, reason: started, detail: null };
  const body = content?.body ?? message.body;
  return started === null
    ? null
    : runAttempt(context, { ...message, body, attemptId, begunAt, actor, refusal });
}
