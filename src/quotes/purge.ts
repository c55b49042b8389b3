/** Deletes quotes without a booking that have not changed for PITLANE_QUOTES_KEPT_DAYS; one that may still be accepted stays. */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { deleteOldQuotes } from './change/store.ts';

/** Deletes in small steps; two processes may run it at once. */
export async function purgeOldQuotes({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = new Date(clock.now().getTime() - config.quotesKeptDays * 86_400_000);
  await inSteps((atMost) => deleteOldQuotes(db, before, atMost));
}
