/** Deletes reminders that came to their end longer ago than PITLANE_REMINDERS_KEPT_DAYS. */
import type { Context } from '#context.ts';
import { everyStep } from '#db/every-step.ts';
import { inSteps } from '#db/in-steps.ts';
import { workOff } from '#work/failed/alone.ts';
import { deleteOldReminders } from './schedule/store.ts';
import { forgottenReminders } from './settle/forgotten.ts';

/** Settles those whose SMS came to its end unnoticed, and deletes in small steps; two processes may run it at once. */
export async function purgeOldReminders(ctx: Context): Promise<void> {
  const { db, clock, config } = ctx;
  const before = new Date(clock.now().getTime() - config.remindersKeptDays * 86_400_000);
  await everyStep([
    () => workOff(ctx, forgottenReminders),
    () => inSteps((atMost) => deleteOldReminders(db, before, atMost)),
  ]);
}
