/** Deletes the keys of forms that were sent more than a day ago. */
import type { Context } from '#platform/context.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { deleteOldKeys } from './store.ts';

/** In small steps; returns how many. */
export async function purgeFormKeys({ db }: Pick<Context, 'db'>): Promise<number> {
  return inBatches((atMost) => deleteOldKeys(db, atMost));
}
