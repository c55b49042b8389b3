/** The job that delivers one notice. Whatever happens is recorded on its row, and only by the newest attempt. */
import type { Context } from '#context.ts';
import { lookUpSms, sendSms } from '#gateways/sms/send.ts';
import { newId } from '#values/id.ts';
import { JobFailure, PermanentFailure, payloadText } from '#work/job.ts';
import { emailOf } from './email.ts';
import { composeNotice, type NoticeFacts } from './notices.ts';
import { type AttemptRecord, type ClaimedNotification, claimNotification, recordAttempt } from './store.ts';

/** What one attempt came to, and what follows: nothing, another attempt, or a dead letter. */
interface Result extends AttemptRecord {
  readonly next: 'done' | 'retry' | 'giveUp';
}

/**
 * Delivers the notice that the payload names (`notificationId`). Throws JobFailure when it is to be tried again, and
 * PermanentFailure when trying again is pointless and somebody should know.
 */
export async function deliverNotification(ctx: Context, payload: unknown): Promise<void> {
  const id = payloadText(payload, 'notificationId');
  const attemptId = newId();
  const claimed = await claimNotification(ctx.db, {
    id,
    attemptId,
    smsGateway: ctx.sms.name,
    emailGateway: ctx.email.name,
    at: ctx.clock.now(),
  });
  if (claimed === null) return;

  const result = await attempt(ctx, claimed, attemptId);
  const isOurs = await recordAttempt(ctx.db, { id, attemptId }, result, ctx.clock.now());
  if (!isOurs || result.next === 'done') return;
  const Failure = result.next === 'retry' ? JobFailure : PermanentFailure;
  throw new Failure(result.reason ?? result.state, result.detail ?? 'The notice was not sent.');
}

async function attempt(ctx: Context, claimed: ClaimedNotification, attemptId: string): Promise<Result> {
  const found = await earlierAttempt(ctx, claimed);
  if (found !== null) return found;
  if (claimed.erased) return settled(attemptId, 'erased', "The customer's data has been erased.");
  if (claimed.optedOut && claimed.channel === 'sms') {
    return settled(attemptId, 'optedOut', 'The customer has opted out of SMS.');
  }
  const { eventKind, version, payload } = claimed;
  if (eventKind === null || version === null || payload === null) {
    return settled(attemptId, 'expired', 'The event that it tells of is older than what is kept.');
  }
  const facts = { ...claimed, eventKind, version, booking: payload.booking };
  return claimed.channel === 'sms' ? bySms(ctx, facts, attemptId) : byEmail(ctx, facts, attemptId);
}

/** An SMS whose worker died, or that got no answer, may have been sent: where the gateway knows, it is not sent again. */
async function earlierAttempt(ctx: Context, claimed: ClaimedNotification): Promise<Result | null> {
  const earlier = claimed.doubtfulAttemptId;
  if (earlier === null || claimed.channel !== 'sms') return null;
  const answer = await lookUpSms(ctx.sms, earlier, claimed.doubtfulGateway);
  if (answer.state !== 'accepted') return null;
  return accepted(earlier, answer.gatewayId, answer.gateway ?? claimed.doubtfulGateway);
}

async function bySms(
  ctx: Context,
  facts: NoticeFacts & Pick<ClaimedNotification, 'smsGateways'>,
  attemptId: string,
): Promise<Result> {
  const outcome = await sendSms(ctx.sms, {
    reference: attemptId,
    messageId: facts.id,
    to: facts.recipient,
    from: facts.smsSender,
    route: facts.smsGateways,
    body: composeNotice(facts, ctx.log).body,
  });
  const { gateway = null } = outcome;
  if (outcome.state === 'accepted') return accepted(attemptId, outcome.gatewayId, gateway);
  const failure = { detail: outcome.detail, gatewayId: null, gateway, attemptId };
  if (outcome.state === 'unknown') {
    return { ...failure, state: 'unknown', reason: 'unknownOutcome', next: 'retry' };
  }
  const next = outcome.permanent ? 'giveUp' : 'retry';
  return { ...failure, state: 'failed', reason: outcome.reason, next };
}

async function byEmail(ctx: Context, facts: NoticeFacts, attemptId: string): Promise<Result> {
  const outcome = await ctx.email.send(emailOf(facts, composeNotice(facts, ctx.log), ctx.clock.machineNow()));
  if (outcome.state === 'accepted') return accepted(attemptId, outcome.gatewayId);
  const next = outcome.permanent ? 'giveUp' : 'retry';
  return {
    state: 'failed',
    reason: outcome.reason,
    detail: outcome.detail,
    gatewayId: null,
    attemptId,
    next,
  };
}

function accepted(attemptId: string, gatewayId: string, gateway: string | null = null): Result {
  return { state: 'accepted', reason: null, detail: null, gatewayId, gateway, attemptId, next: 'done' };
}

/** Not sent, and rightly so: nobody has to look at it. */
function settled(attemptId: string, reason: string, detail: string): Result {
  return { state: 'failed', reason, detail, gatewayId: null, attemptId, next: 'done' };
}
