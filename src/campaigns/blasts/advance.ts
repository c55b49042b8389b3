/** Takes every blast as far as it may go now; the schedule calls it. */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { beginBlast } from './begin.ts';
import { queueBatch, roomBelow } from './queue.ts';
import { blastsToEmpty, deleteRecipients, dueBlasts, fixCounts } from './store.ts';

/** Safe from several processes at once: each blast is held by one of them for a batch. */
export async function advanceBlasts(ctx: Context): Promise<void> {
  for (const { id, status } of await dueBlasts(ctx.db, ctx.clock.now(), roomBelow)) {
    if (status === 'scheduled') await beginBlast(ctx, id);
    while (await queueBatch(ctx, id)) ctx.nudgeSender();
  }
}

const recipientsAtOnce = 5_000;
const dayMs = 24 * 3_600_000;

/** The recipients of old blasts are deleted, in small steps, and their counts are kept; as long as notices are (`PITLANE_NOTICES_KEPT_DAYS`). */
export async function purgeRecipients({ db, clock, config }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.noticesKeptDays * dayMs);
  await inSteps((atMost) => fixCounts(db, before, atMost));
  for (const id of await blastsToEmpty(db)) while (await deleteRecipients(db, id, recipientsAtOnce));
}
