/** Deletes reminders that came to their end longer ago than PITLANE_REMINDERS_KEPT_DAYS. */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { deleteOldReminders } from './schedule/store.ts';

/** Deletes in small steps; two processes may run it at once. */
export async function purgeOldReminders({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = new Date(clock.now().getTime() - config.remindersKeptDays * 86_400_000);
  await inSteps((atMost) => deleteOldReminders(db, before, atMost));
}
