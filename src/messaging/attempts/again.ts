/** A request whose referenceId was used before: replay, wait, or attempt again (document, 4.4 rule 5; decisions, section 5). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import type { SmsLookUp, SmsOutcome } from '#gateways/sms/gateway.ts';
import { lookUpSms } from '#gateways/sms/send.ts';
import { newId } from '#values/id.ts';
import type { Outcome } from '../outcome.ts';
import { record, runAttempt } from './attempt.ts';
import { type EarlierMessage, findByReference, type ReferenceKey } from './earlier/store.ts';
import { type Content, startAttempt, takeOverAttempt } from './store.ts';

const waitAtMostMs = 30_000;
const askEveryMs = 100;

function toOutcome(message: EarlierMessage): Outcome {
  const { messageId, conversationId, state, reason, detail } = message;
  // A later delivery report does not change the outcome that was returned: the gateway had accepted it.
  const sent = state !== 'failed' && state !== 'unknown';
  return { messageId, conversationId, sent, reason, detail: sent ? null : detail };
}

export interface Repeat {
  readonly key: ReferenceKey;
  /** What this request would send. */
  readonly content: Content;
  /** When it came, by the database's clock. */
  readonly askedAt: string;
}

/**
 * Throws 409 000009 when another request is still sending
 * after 30 seconds. Waiting holds no connection.
 */
export async function attemptAgain(context: Context, { key, content, askedAt }: Repeat): Promise<Outcome> {
  const { db, clock } = context;
  const giveUpAt = clock.machineNow().getTime() + waitAtMostMs;
  while (clock.machineNow().getTime() < giveUpAt) {
    const message = await findByReference(db, key, askedAt);
    if (message === null) throw new Error('a message with this referenceId was there, and is not');
    if (message.state === 'sending' && !message.stale) {
      await sleep(askEveryMs);
      continue;
    }
    const isOpen = message.state === 'failed' || message.state === 'unknown' || message.stale;
    // The outcome of an attempt that ran meanwhile is this request's too, whatever it is.
    if (!isOpen || message.endedSince) return toOutcome(message);
    const outcome = await retry(context, key, message, content);
    if (outcome !== null) return outcome;
  }
  throw new Problem('000009', { message: 'A request with this referenceId is still running' });
}

/** The next call asks again. */
const noAnswerNow: SmsOutcome = {
  state: 'unknown',
  detail: 'The gateway does not say for now whether it has the SMS, so it was not sent again.',
};

/** Null when the attempt certainly did not arrive, or nobody can say and the caller wants it sent all the same. */
function settledBy(found: SmsLookUp): SmsOutcome | null {
  if (found.state === 'accepted') return found;
  return found.state === 'unknown' && !found.permanent ? noAnswerNow : null;
}

/** Null when the message is to be read again: its outcome was recorded, or another request took it up. */
async function retry(
  context: Context,
  { partnerId, workshopId }: ReferenceKey,
  message: EarlierMessage,
  sent: Content,
): Promise<Outcome | null> {
  const { db, clock, sms } = context;
  const { messageId, conversationId, attemptId: seen } = message;
  let repeatsUnknown = false;
  if (message.doubtful && seen !== null) {
    if (!(await takeOverAttempt(db, messageId, seen))) return null;
    const found = await lookUpSms(sms, seen, message.gateway, { to: message.phone, body: message.body });
    const outcome = settledBy(found);
    if (outcome !== null) {
      await record(context, { messageId, attemptId: seen }, outcome);
      // To be read again: a report may have said more meanwhile.
      return null;
    }
    repeatsUnknown = found.state === 'unknown';
  }

  // A person who may have the first text gets no other one under the same reference, unless it is forgotten by now (`sending/retention`).
  const keepsFirst = (message.doubtful || message.repeatsUnknown) && message.body !== '';
  const content = keepsFirst ? null : sent;
  const attemptId = newId();
  const begunAt = clock.machineNow();
  const started = await startAttempt(db, {
    messageId,
    seen,
    attemptId,
    gateway: sms.name,
    repeatsUnknown,
    content,
    now: clock.now(),
  });
  if (started === 'optedOut')
    return { messageId, conversationId, sent: false, reason: 'optedOut', detail: null };
  const body = content?.body ?? message.body;
  return started === null
    ? null
    : runAttempt(context, { ...message, body, partnerId, workshopId, attemptId, begunAt });
}
