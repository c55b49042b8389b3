/** Settles entries that no claim takes: attempts whose process died, and messages whose waiting time for a gateway is over. */

import { actors } from '#base/values/actor.ts';
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { allEnded } from '#platform/db/run-all.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { finishOf } from './finish/outcome.ts';
import { recordFinish } from './finish/store.ts';
import { kinds } from './kinds.ts';
import { type Abandoned, abandonedEntries, claimExpired, type Expired } from './lease/store.ts';
import { stopped } from './stopped.ts';

const atOnce = 200;

const left = {
  state: 'unknown',
  reason: 'unknownOutcome',
  detail: 'The service stopped before the gateway answered.',
} as const;

const notAsked = {
  state: 'unknown',
  reason: 'unknownOutcome',
  detail: 'The gateway could not be asked whether it has the SMS in the time that it may wait.',
} as const;

export const abandonedJob: Job = { job: 'settleAbandoned', subject: 'messageId' };
export const expiredJob: Job = { job: 'settleExpired', subject: 'messageId' };

/** Runs in small steps; two processes may run it at once. */
export async function sweepSending(ctx: Context): Promise<void> {
  await inBatches(async (limit) => {
    const entries = await abandonedEntries(ctx.db, { limit, job: abandonedJob.job });
    await allEnded(
      entries.map((entry) => alone(ctx, abandonedJob, entry.messageId, () => leave(ctx, entry))),
    );
    return entries.length;
  }, atOnce);
  await inBatches(async (limit) => {
    const entries = await claimExpired(ctx.db, { limit, job: expiredJob.job });
    await allEnded(entries.map((entry) => alone(ctx, expiredJob, entry.messageId, () => expire(ctx, entry))));
    return entries.length;
  }, atOnce);
}

/** Retries one message for which the sweep failed. */
export async function leaveAgain(ctx: Context, messageId: string): Promise<void> {
  for (const entry of await abandonedEntries(ctx.db, { messageId })) await leave(ctx, entry);
}

export async function expireAgain(ctx: Context, messageId: string): Promise<void> {
  for (const entry of await claimExpired(ctx.db, { messageId })) await expire(ctx, entry);
}

/**
 * An abandoned attempt of the sender becomes unknown even while its gateway takes nothing, and is reconciled once the gateway does.
 * That of a request is left to the next call.
 */
async function leave(ctx: Context, { inRequest, ...entry }: Abandoned): Promise<void> {
  const next = inRequest ? 'done' : 'reconcile';
  await finish(ctx, { ...entry, ...left, next });
}

/** A message that was not sent in time expires; an attempt that could not be looked up in time is given up. */
async function expire(ctx: Context, { messageId, attemptId, kind }: Expired): Promise<void> {
  const givenUp = attemptId !== null && kinds[kind].deadLetter;
  if (givenUp) ctx.log.error({ messageId, kind, ...notAsked }, 'a message is given up');
  const followed = attemptId === null ? stopped.expired : { ...notAsked, givenUp };
  await finish(ctx, { messageId, attemptId, ...followed });
}

const finish = (ctx: Context, ended: Omit<Parameters<typeof finishOf>[0], 'now' | 'actor'>): Promise<void> =>
  changeAtOnce(ctx, () =>
    recordFinish(ctx.db, finishOf({ ...ended, now: ctx.clock.now(), actor: actors.schedule })),
  );
