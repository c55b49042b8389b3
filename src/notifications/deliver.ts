/** The job that delivers one notice of a booking. */
import type { Context } from '#context.ts';
import { sendWithinLimits } from '#sending/limits/send.ts';
import { measureSms } from '#values/sms-text.ts';
import { payloadText } from '#work/job.ts';
import {
  type Begun,
  deliverNotice,
  type NoticeKind,
  type Result,
  resultOf,
  settled,
} from './attempts/deliver.ts';
import { emailOf } from './email.ts';
import { composeNotice, type NoticeFacts } from './notices.ts';
import { type ClaimedNotification, claimNotification } from './store.ts';

const bookingNotice: NoticeKind<ClaimedNotification> = {
  table: 'notification',
  claim: ({ db, config }, claim) =>
    claimNotification(db, { ...claim, exemptCountries: config.optOutExemptCountries }),

  async send(ctx, claimed, begun) {
    if (claimed.erased) return settled('erased', "The customer's data has been erased.");
    if (claimed.optedOut) return settled('optedOut', 'The customer has opted out of SMS.');
    const { eventKind, version, payload } = claimed;
    if (eventKind === null || version === null || payload === null) {
      return settled('expired', 'The event that it tells of is older than what is kept.');
    }
    const facts = { ...claimed, eventKind, version, booking: payload.booking };
    return claimed.channel === 'sms' ? bySms(ctx, facts, begun) : byEmail(ctx, facts);
  },
};

/** Delivers the notice that the payload names (`notificationId`). Throws as `deliverNotice` does. */
export async function deliverNotification(ctx: Context, payload: unknown): Promise<void> {
  await deliverNotice(ctx, bookingNotice, payloadText(payload, 'notificationId'));
}

async function bySms(
  ctx: Context,
  facts: NoticeFacts & Pick<ClaimedNotification, 'smsGateways' | 'partnerId' | 'workshopId'>,
  { attemptId, begunAt }: Begun,
): Promise<Result> {
  const { body } = composeNotice(facts, ctx.log);
  const sms = {
    reference: attemptId,
    messageId: facts.id,
    to: facts.recipient,
    from: facts.smsSender,
    route: facts.smsGateways,
    body,
  };
  const outcome = await sendWithinLimits(ctx, sms, facts, begunAt);
  const result = resultOf(outcome, measureSms(body).segments);
  // The carrier knows of an opt-out: nobody has to look at it.
  return result.reason === 'optedOut' && facts.audience === 'customer' ? { ...result, next: 'done' } : result;
}

/** Of an unknown outcome nobody can be asked. Sent again it has the same Message-ID, and twice is better than never. */
async function byEmail(ctx: Context, facts: NoticeFacts): Promise<Result> {
  const settings = { sentAt: ctx.clock.machineNow(), unsubscribe: ctx.config.mailUnsubscribe };
  return resultOf(await ctx.email.send(emailOf(facts, composeNotice(facts, ctx.log), settings)));
}
