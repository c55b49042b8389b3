/** The job that tells one recipient of a round of answers. Its outcome is recorded on its row, by the newest attempt only. */
import type { Context } from '#context.ts';
import type { EmailOutcome, OutboundEmail } from '#gateways/email/gateway.ts';
import type { OutboundSms, SmsOutcome } from '#gateways/sms/gateway.ts';
import { lookUpSms, sendSms } from '#gateways/sms/send.ts';
import { newId } from '#values/id.ts';
import { JobFailure, PermanentFailure, payloadText } from '#work/job.ts';
import { htmlOf } from '../email.ts';
import type { AttemptRecord } from '../store.ts';
import {
  type ClaimedAnswerNotice,
  claimAnswerNotice,
  type Round,
  readRound,
  recordAnswerAttempt,
} from './store.ts';
import { detailsOf, smsOf, summaryOf } from './text.ts';

/** An e-mail shows no more; it says how many there are. */
const shownAtMost = 50;

interface Result extends AttemptRecord {
  readonly next: 'done' | 'retry' | 'giveUp';
}

/**
 * Delivers the notice that the payload names (`answerNoticeId`). Throws JobFailure when it is to be tried again, and
 * PermanentFailure when trying again is pointless.
 */
export async function deliverAnswerNotice(ctx: Context, payload: unknown): Promise<void> {
  const { db, clock } = ctx;
  const id = payloadText(payload, 'answerNoticeId');
  const attemptId = newId();
  const gateways = { smsGateway: ctx.sms.name, emailGateway: ctx.email.name };
  const claimed = await claimAnswerNotice(db, { id, attemptId, ...gateways, at: clock.now() });
  if (claimed === null) return;

  const result = await attempt(ctx, claimed, attemptId);
  const isOurs = await recordAnswerAttempt(db, { id, attemptId }, result, clock.now());
  if (!isOurs || result.next === 'done') return;
  const Failure = result.next === 'retry' ? JobFailure : PermanentFailure;
  throw new Failure(result.reason ?? result.state, result.detail ?? 'The notice was not sent.');
}

async function attempt(ctx: Context, claimed: ClaimedAnswerNotice, attemptId: string): Promise<Result> {
  const { doubtfulAttemptId: doubtful, doubtfulGateway, channel } = claimed;
  if (doubtful !== null && channel === 'sms') {
    const found = await lookUpSms(ctx.sms, doubtful, doubtfulGateway);
    if (found.state === 'accepted') {
      return resultOf({ ...found, gateway: found.gateway ?? doubtfulGateway }, doubtful);
    }
  }
  const round = await readRound(ctx.db, claimed.round, shownAtMost);
  return resultOf(
    channel === 'sms'
      ? await sendSms(ctx.sms, smsTo(claimed, round, attemptId))
      : await ctx.email.send(emailTo(claimed, round)),
    attemptId,
  );
}

type Outcome = (SmsOutcome | EmailOutcome) & { readonly gateway?: string | null };

function resultOf(outcome: Outcome, attemptId: string): Result {
  const { gateway = null } = outcome;
  if (outcome.state === 'accepted') {
    const { gatewayId } = outcome;
    return { state: 'accepted', reason: null, detail: null, gatewayId, gateway, attemptId, next: 'done' };
  }
  const failure = { detail: outcome.detail, gatewayId: null, gateway, attemptId };
  if (outcome.state === 'unknown') {
    return { ...failure, state: 'unknown', reason: 'unknownOutcome', next: 'retry' };
  }
  const next = outcome.permanent ? 'giveUp' : 'retry';
  return { ...failure, state: 'failed', reason: outcome.reason, next };
}

function smsTo(claimed: ClaimedAnswerNotice, round: Round, attemptId: string): OutboundSms {
  return {
    reference: attemptId,
    messageId: claimed.id,
    to: claimed.recipient,
    from: claimed.smsSender,
    route: claimed.smsGateways,
    body: smsOf(round, claimed.workshop),
  };
}

function emailTo(claimed: ClaimedAnswerNotice, round: Round): OutboundEmail {
  const { workshop: workshopName } = claimed;
  const subject = summaryOf(round);
  const shown = round.answers.length;
  const more = round.count > shown ? ` The first ${shown}:` : '';
  const body = `${workshopName} has ${subject}.${more}`;
  const details = detailsOf(round);
  return {
    reference: claimed.id,
    to: claimed.recipient,
    subject,
    text: `${body}\n\n${details.map(([writer, text]) => `${writer}:\n${text}`).join('\n\n')}\n`,
    html: htmlOf({ subject, body, workshopName }, details),
    calendar: null,
  };
}
