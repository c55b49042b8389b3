/** Deletes segments whose reports have come, or will not come any more. */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { deleteOldSegments } from './store.ts';

/** In small steps, so that each statement is short. */
export async function purgeSegments({ db }: Context): Promise<void> {
  await inSteps((atMost) => deleteOldSegments(db, atMost));
}
