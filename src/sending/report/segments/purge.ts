/** Deletes segments whose reports have come, or will not come any more. */
import type { Context } from '#context.ts';
import { deleteOldSegments } from './store.ts';

const atOnce = 1_000;

/** In small steps, so that each statement is short. */
export async function purgeSegments({ db }: Context): Promise<void> {
  while ((await deleteOldSegments(db, atOnce)) >= atOnce);
}
