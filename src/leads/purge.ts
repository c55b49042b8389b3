/** Deletes calls that are older than PITLANE_CALL_LEADS_KEPT_DAYS. */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { deleteOldCalls } from './store.ts';

/** Deletes in small steps; two processes may run it at once. */
export async function purgeOldCalls({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  await inSteps((atMost) => deleteOldCalls(db, config.callLeadsKeptDays, atMost));
}
