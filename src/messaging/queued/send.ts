/** The job that sends a queued text. Its attempts are rows like any other, so that a crash never doubles it. */
import type { Context } from '#context.ts';
import { lookUpSms } from '#gateways/sms/send.ts';
import { isLimit } from '#sending/limits/rules.ts';
import { newId } from '#values/id.ts';
import { JobFailure, PermanentFailure, payloadText, takenUp } from '#work/job.ts';
import { notAsked } from '#work/postponed.ts';
import { handOver, recordOutcome } from '../attempts/attempt.ts';
import { finishAttempt, startAttempt, takeOverAttempt, withdrawAttempt } from '../attempts/store.ts';
import { findQueued, type QueuedMessage } from './store.ts';

/** Trying again is pointless. */
const forGood = new Set(['refused', 'invalidNumber']);
const inDoubt =
  'It is not known whether the SMS was sent; it is not sent again by itself, since it may arrive.';

/**
 * Sends the text that the payload names (`messageId`). Throws JobFailure when it is to be tried again; one whose outcome
 * stays unknown is not sent again by itself. Throws Postponed when no gateway was asked.
 */
export async function sendQueued(ctx: Context, payload: unknown): Promise<void> {
  const message = await findQueued(ctx.db, payloadText(payload, 'messageId'));
  if (message === null || message.phone === '') return;
  const { state, stale } = message;
  const isOpen = state === 'sending' || state === 'unknown' || state === 'failed';
  if (!isOpen || message.reason === 'optedOut') return;
  if (state === 'sending' && message.attemptId !== null && !stale) {
    throw new JobFailure('sending', 'Another worker is sending it, or has died while it was.');
  }
  if (message.doubtful && (await isSettled(ctx, message))) return;
  await attempt(ctx, message);
}

/** Asks the gateway for an attempt that may have arrived. False when it certainly did not, and is ours to repeat. */
async function isSettled(ctx: Context, { messageId, attemptId, gateway }: QueuedMessage): Promise<boolean> {
  if (attemptId === null) return false;
  const found = await lookUpSms(ctx.sms, attemptId, gateway);
  if (found.state === 'unknown') {
    throw found.notAsked ? notAsked(found, null) : new JobFailure('unknownOutcome', inDoubt);
  }
  if (found.state === 'accepted') {
    await finishAttempt(ctx.db, { attemptId, eventId: newId(), now: ctx.clock.now(), outcome: found });
    ctx.nudgeRelay();
    return true;
  }
  if (!(await takeOverAttempt(ctx.db, messageId, attemptId))) throw takenUp();
  return false;
}

async function attempt(ctx: Context, message: QueuedMessage): Promise<void> {
  const attemptId = newId();
  const begunAt = ctx.clock.machineNow();
  const started = await startAttempt(ctx.db, {
    messageId: message.messageId,
    seen: message.attemptId,
    attemptId,
    gateway: ctx.sms.name,
    repeatsUnknown: false,
    content: null,
    now: ctx.clock.now(),
  });
  if (started === 'optedOut') return;
  if (started === null) throw takenUp();
  const begun = { ...message, partnerId: null, attemptId, begunAt };
  const outcome = await handOver(ctx, begun);
  if (outcome.state === 'refused' && outcome.notAsked) {
    const { workshopId, route: smsGateways, attemptId: seen } = message;
    if (!(await withdrawAttempt(ctx.db, { attemptId, seen, now: ctx.clock.now() }))) throw takenUp();
    throw notAsked(outcome, { channel: 'sms', workshopId, smsGateways });
  }
  const { sent, reason, detail } = await recordOutcome(ctx, begun, outcome);
  // A carrier that says so of its own, or a limit of the operator's: nobody has to look at it.
  if (sent || reason === 'optedOut' || isLimit(reason)) return;
  const Failure = forGood.has(reason ?? '') ? PermanentFailure : JobFailure;
  throw new Failure(reason ?? 'unknownOutcome', detail ?? 'The SMS was not sent.');
}
