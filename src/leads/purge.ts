/** Deletes calls that are older than PITLANE_CALL_LEADS_KEPT_DAYS. */
import type { Context } from '#context.ts';
import { deleteOldCalls } from './store.ts';

const atOnce = 1_000;

/** Deletes in small steps; two processes may run it at once. */
export async function purgeOldCalls({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  while ((await deleteOldCalls(db, config.callLeadsKeptDays, atOnce)) === atOnce);
}
