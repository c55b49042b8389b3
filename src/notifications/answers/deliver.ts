/** The job that tells one recipient of a round of answers. */
import type { Context } from '#context.ts';
import type { OutboundSms } from '#gateways/sms/gateway.ts';
import { sendWithinLimits } from '#sending/limits/send.ts';
import { measureSms } from '#values/sms-text.ts';
import { payloadText } from '#work/job.ts';
import { deliverNotice, type NoticeKind, resultOf } from '../attempts/deliver.ts';
import { answersEmail } from './email.ts';
import { type ClaimedAnswerNotice, claimAnswerNotice, type Round, readRound } from './store.ts';
import { smsOf } from './text.ts';

/** An e-mail shows no more; it says how many there are. */
const shownAtMost = 50;

const answerNotice: NoticeKind<ClaimedAnswerNotice> = {
  table: 'answer_notice',
  claim: ({ db }, claim) => claimAnswerNotice(db, claim),

  async send(ctx, claimed, { attemptId, begunAt }) {
    const round = await readRound(ctx.db, claimed.round, shownAtMost);
    if (claimed.channel === 'email') {
      return resultOf(await ctx.email.send(answersEmail(claimed, round, ctx.config.mailUnsubscribe)));
    }
    const sms = smsTo(claimed, round, attemptId);
    const account = { partnerId: null, workshopId: claimed.workshopId };
    return resultOf(await sendWithinLimits(ctx, sms, account, begunAt), measureSms(sms.body).segments);
  },
};

/** Delivers the notice that the payload names (`answerNoticeId`). Throws as `deliverNotice` does. */
export async function deliverAnswerNotice(ctx: Context, payload: unknown): Promise<void> {
  await deliverNotice(ctx, answerNotice, payloadText(payload, 'answerNoticeId'));
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
