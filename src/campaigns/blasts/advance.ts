/** Takes every blast as far as it may go now; the schedule calls it. */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { alone, type Job } from '#work/failed/alone.ts';
import { beginBlast } from './begin.ts';
import { queueBatch, queuedAtMost } from './queue.ts';
import { type DueBlast, dueBlasts, keepCountsAlone } from './store.ts';

export const blastJob: Job = { job: 'advanceBlast', subject: 'blastId' };

/** Safe from several processes at once: each blast is held by one of them for a batch. */
export async function advanceBlasts(ctx: Context): Promise<void> {
  for (const { id, status } of await dueBlasts(ctx.db, ctx.clock.now(), queuedAtMost, blastJob.job)) {
    await alone(ctx, blastJob, id, () => advanceBlast(ctx, id, status));
  }
}

/** Begins one that is to begin, and queues its next messages. */
export async function advanceBlast(
  ctx: Context,
  id: string,
  status: DueBlast['status'] = 'scheduled',
): Promise<void> {
  if (status === 'scheduled') await beginBlast(ctx, id);
  while (await queueBatch(ctx, id)) ctx.nudgeSender();
}

const atOnce = 10;
const dayMs = 24 * 3_600_000;

/** The recipients of old blasts are deleted, and their counts are kept; as long as notices are (`PITLANE_NOTICES_KEPT_DAYS`). */
export async function purgeRecipients({ db, clock, config }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.noticesKeptDays * dayMs);
  await inSteps((atMost) => keepCountsAlone(db, before, atMost), atOnce);
}
