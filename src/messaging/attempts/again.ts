/** A request whose referenceId was used before: replay, wait, or attempt again (document, 4.4 rule 5; decisions, section 5). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { lookUpSms } from '#gateways/sms/send.ts';
import { newId } from '#values/id.ts';
import type { Outcome } from '../outcome.ts';
import { runAttempt } from './attempt.ts';
import { type EarlierMessage, findByReference, finishAttempt, startAttempt, takeOverAttempt } from './store.ts';

const waitAtMostMs = 30_000;
const askEveryMs = 100;

export interface ReferenceKey {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly referenceId: string;
}

function toOutcome(message: EarlierMessage): Outcome {
  const { messageId, conversationId, state, reason, detail } = message;
  // A later delivery report does not change the outcome that was returned: the gateway had accepted it.
  const sent = state !== 'failed' && state !== 'unknown' && state !== 'sending';
  return { messageId, conversationId, sent, reason, detail: sent ? null : detail };
}

/** Throws 409 000009 when another request is still sending after 30 seconds. Waiting holds no connection. */
export async function attemptAgain(context: Context, key: ReferenceKey): Promise<Outcome> {
  const { db, clock } = context;
  const giveUpAt = clock.machineNow().getTime() + waitAtMostMs;
  let waited = false;
  while (clock.machineNow().getTime() < giveUpAt) {
    const message = await findByReference(db, key);
    if (message === null) throw new Error('a message with this referenceId was there, and is not');
    const { state } = message;
    if (state === 'sending' && !message.stale) {
      waited = true;
      await sleep(askEveryMs);
      continue;
    }
    // The other request's outcome is this one's too, whatever it is.
    const left = state === 'failed' || state === 'unknown' || message.stale;
    if (!left || (waited && !message.stale)) return toOutcome(message);
    const outcome = await retry(context, message);
    if (outcome !== null) return outcome;
    waited = true;
  }
  throw new Problem('000009', { message: 'A request with this referenceId is still running' });
}

/** Null when another request was faster to take the message up. */
async function retry(context: Context, message: EarlierMessage): Promise<Outcome | null> {
  const { db, clock, sms } = context;
  let repeatsUnknown = false;
  if (message.state !== 'failed' && message.attemptId !== null) {
    if (!(await takeOverAttempt(db, message.attemptId))) return null;
    const found = await lookUpSms(sms, message.attemptId);
    if (found.state === 'accepted') {
      await finishAttempt(db, { attemptId: message.attemptId, eventId: newId(), now: clock.now(), outcome: found });
      context.nudgeRelay();
      return toOutcome({ ...message, state: 'accepted', reason: null });
    }
    repeatsUnknown = found.state === 'unknown';
  }
  if (message.optedOut) return { ...toOutcome({ ...message, state: 'failed' }), reason: 'optedOut', detail: null };

  const attemptId = newId();
  const started = await startAttempt(db, {
    messageId: message.messageId,
    seen: message.attemptId,
    attemptId,
    gateway: sms.name,
    repeatsUnknown,
    now: clock.now(),
  });
  return started ? runAttempt(context, { ...message, attemptId }) : null;
}
