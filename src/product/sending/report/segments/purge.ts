/** Deletes segments whose reports have come, or are no longer expected. */
import type { Context } from '#platform/context.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { runAll } from '#platform/db/run-all.ts';
import { segmentDeletions } from './store.ts';

/** In small steps, so that each statement is short. */
export async function purgeSegments({ db }: Context): Promise<void> {
  await runAll(segmentDeletions.map((step) => () => inBatches((atMost) => step(db, atMost))));
}
