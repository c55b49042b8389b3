/** Notifies partners by e-mail that one of their endpoints was disabled because its receiver fails or answered 410. */

import { jitteredPauseMs } from '#base/values/backoff.ts';
import type { Context } from '#platform/context.ts';
import { allEnded } from '#platform/db/run-all.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { outbound } from '#product/notifications/outbound.ts';
import { claimNotices, type DisablementNotice, settleNotice } from './store.ts';

const atOnce = 20;
/** Longer than a hand-over may take. */
const leaseSeconds = 60;
const minute = 60_000;
/** The pause after each failed attempt; after the last one it is given up. */
const pausesMs = [1, 5, 30, 120, 600].map((minutes) => minutes * minute);

export const disablementJob: Job = { job: 'notifyOfDisablement', subject: 'webhookId' };

/** Runs every few seconds; two processes may run it at once. Returns how many it tried. */
export async function notifyOfDisablement(ctx: Context): Promise<number> {
  const claimed = await claimNotices(ctx.db, { limit: atOnce, job: disablementJob.job }, leaseSeconds);
  await allEnded(
    claimed.map((notice) => alone(ctx, disablementJob, notice.webhookId, () => notifyOne(ctx, notice))),
  );
  return claimed.length;
}

/** Retries a notice whose job failed. */
export async function notifyAgain(ctx: Context, webhookId: string): Promise<void> {
  for (const notice of await claimNotices(ctx.db, { webhookId }, leaseSeconds)) await notifyOne(ctx, notice);
}

async function notifyOne({ db, email, log }: Context, notice: DisablementNotice): Promise<void> {
  const { webhookId, partnerId, tries } = notice;
  if (notice.email === null) {
    log.warn(
      { webhookId, partnerId },
      'a webhook endpoint is disabled, and its partner has no e-mail address: partner set',
    );
    return settleNotice(db, notice, null);
  }
  const outcome = await email.send(emailOf(notice, notice.email));
  if (outcome.state === 'accepted') return settleNotice(db, notice, null);
  const isLast = tries > pausesMs.length || (outcome.state === 'refused' && outcome.permanent);
  if (isLast) log.error({ webhookId, partnerId }, 'the e-mail about a disabled webhook endpoint is given up');
  return settleNotice(db, notice, isLast ? null : jitteredPauseMs(pausesMs, tries));
}

const causes = {
  gone: 'Its receiver answered 410 (gone), which asks us to send no more.',
  failing: 'Every delivery to it has failed for five days.',
} as const;

function emailOf(
  { noticeId, url, reason, waiting, webhookId }: DisablementNotice,
  to: string,
): OutboundEmail {
  // The rest of the URL may be a secret of the receiver.
  const { origin, pathname } = new URL(url);
  return outbound(
    { reference: noticeId, to },
    {
      subject: 'A webhook endpoint was disabled',
      preview: causes[reason],
      workshopName: 'Pitlane',
      colour: null,
      body:
        `We have disabled the webhook endpoint ${origin}${pathname}. ${causes[reason]}\n\n` +
        'Nothing is delivered to it any more. Once its receiver works, call POST /webhooks/{id}/test, then PATCH /webhooks/{id} with ' +
        '{ "status": "enabled" }: what waits is delivered then. What happened meanwhile is in GET /events for 30 days.',
      facts: [
        ['Endpoint', webhookId],
        ['Deliveries that wait', waiting < 10_000 ? String(waiting) : '10,000 or more'],
      ],
      phones: new Map(),
      quotes: [],
      closing: '',
      footer: 'You get this because your webhook endpoint was disabled.',
    },
  );
}
