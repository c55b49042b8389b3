/** Fetches pictures of which a gateway sent only the address. */
import type { Context } from '#platform/context.ts';
import { allEnded } from '#platform/db/run-all.ts';
import type { Download } from '#platform/gateways/download.ts';
import { memberNamed } from '#platform/gateways/sms/members.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { judgeContent, sizeAtMostBytes } from './rules.ts';
import {
  type ClaimAttachments,
  type ClaimedAttachment,
  claimAttachments,
  deferAttachment,
  endAttachment,
} from './store.ts';

/** Each picture in flight may use as much memory as the size limit. */
const atOnce = 4;
/** A worker that stops waits for fetches in flight. */
const withinMs = 10_000;
/** Longer than a fetch may take. */
const leaseSeconds = 30;
/**
 * The pause after each failed attempt: a provider may send the address some seconds before the picture is available, or be
 * unavailable for hours.
 */
const pausesSeconds = [3, 15, 60, 600, 3_600, 6 * 3_600, 12 * 3_600];
const attemptsAtMost = pausesSeconds.length + 1;

export const attachmentJob: Job = { job: 'fetchAttachment', subject: 'attachmentId' };

const claim = (ctx: Context, which: ClaimAttachments['which']) =>
  claimAttachments(ctx.db, { leaseSeconds, attemptsAtMost, which });

/** Fetches some pictures that are due, concurrently; two processes may run it at the same time. Returns how many it tried. */
export async function fetchAttachments(ctx: Context): Promise<number> {
  const claimed = await claim(ctx, { limit: atOnce, job: attachmentJob.job });
  await allEnded(
    claimed.map((attachment) => alone(ctx, attachmentJob, attachment.id, () => fetchOne(ctx, attachment))),
  );
  return claimed.length;
}

/** Retries one picture that failed. */
export async function fetchAgain(ctx: Context, id: string): Promise<void> {
  for (const attachment of await claim(ctx, { id })) await fetchOne(ctx, attachment);
}

async function fetchOne(ctx: Context, claimed: ClaimedAttachment): Promise<void> {
  const { db } = ctx;
  const got = claimed.mayFetch ? await ask(ctx, claimed) : failed('noAnswer');
  if (got.state === 'failed') return tryLater(ctx, claimed, got.reason);
  if (got.state === 'refused') return void (await endAttachment(db, claimed, got));
  const { content } = got;
  const { contentType, reason } = judgeContent(claimed.contentType, content);
  const sizeBytes = content.length;
  const ended =
    reason === null
      ? ({ state: 'stored', content } as const)
      : ({ state: 'refused', reason, sizeBytes } as const);
  await endAttachment(db, claimed, { ...ended, contentType });
}

const failed = (reason: string): Download => ({ state: 'failed', reason });

async function ask({ sms }: Context, { gateway, sourceUrl }: ClaimedAttachment): Promise<Download> {
  const from = memberNamed(sms, gateway);
  if (from?.fetchAttachment === undefined) return failed('gatewayNotConfigured');
  return from.fetchAttachment(sourceUrl, sizeAtMostBytes, AbortSignal.timeout(withinMs));
}

async function tryLater({ db, log }: Context, claimed: ClaimedAttachment, reason: string): Promise<void> {
  const inSeconds = pausesSeconds[claimed.attempts - 1];
  if (inSeconds !== undefined) return deferAttachment(db, claimed, { reason, inSeconds });
  if (!(await endAttachment(db, claimed, { state: 'failed', reason }))) return;
  log.warn({ attachmentId: claimed.id, gateway: claimed.gateway, reason }, 'an attachment was not fetched');
}
