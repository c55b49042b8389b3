/** Deletes segments whose reports have come, or are no longer expected. */
import type { Context } from '#platform/context.ts';
import { everyStep } from '#platform/db/every-step.ts';
import { inSteps } from '#platform/db/in-steps.ts';
import { segmentDeletions } from './store.ts';

/** In small steps, so that each statement is short. */
export async function purgeSegments({ db }: Context): Promise<void> {
  await everyStep(segmentDeletions.map((step) => () => inSteps((atMost) => step(db, atMost))));
}
