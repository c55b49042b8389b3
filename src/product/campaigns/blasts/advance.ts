/** Advances every blast as far as possible; the schedule calls it. */
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { runAll } from '#platform/db/run-all.ts';
import { alone, type Job } from '#platform/work/failed/alone.ts';
import { beginBlast } from './begin.ts';
import { queueBatch, roomBelow } from './queue.ts';
import { blastsToEmpty, deleteRecipients } from './recipients/store.ts';
import { type DueBlast, dueBlasts, fixCounts } from './store.ts';

export const blastJob: Job = { job: 'advanceBlast', subject: 'blastId' };

/** Several processes may run it at once: each blast is locked by one of them for a batch. */
export async function advanceBlasts(ctx: Context): Promise<void> {
  for (const { id, status } of await dueBlasts(ctx.db, ctx.clock.now(), roomBelow, blastJob.job)) {
    await alone(ctx, blastJob, id, () => advanceBlast(ctx, id, status));
  }
}

/** Begins a blast that is due, and queues its next messages. */
export async function advanceBlast(
  ctx: Context,
  id: string,
  status: DueBlast['status'] = 'scheduled',
): Promise<void> {
  if (status === 'scheduled') await beginBlast(ctx, id);
  while (await queueBatch(ctx, id));
}

const recipientsAtOnce = 5_000;
const dayMs = 24 * 3_600_000;

/**
 * Deletes the recipients of old blasts in small steps and keeps their counts; recipients are kept as long as notices
 * (`PITLANE_NOTICES_KEPT_DAYS`).
 */
export async function purgeRecipients({ db, clock, config }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.noticesKeptDays * dayMs);
  await runAll([
    () => inBatches((atMost) => fixCounts(db, before, atMost)),
    async () => runAll((await blastsToEmpty(db)).map((id) => () => empty(db, id))),
  ]);
}

async function empty(db: Database, id: string): Promise<void> {
  while (await deleteRecipients(db, id, recipientsAtOnce));
}
