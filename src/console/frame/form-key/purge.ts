/** Deletes the keys of forms that were sent more than a day ago. */
import type { Context } from '#platform/context.ts';
import { inSteps } from '#platform/db/in-steps.ts';
import { deleteOldKeys } from './store.ts';

/** In small steps; returns how many. */
export async function purgeFormKeys({ db }: Pick<Context, 'db'>): Promise<number> {
  return inSteps((atMost) => deleteOldKeys(db, atMost));
}
