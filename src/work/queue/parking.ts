/**
 * Keeps long backlogs out of the queue's way. To find a job that may be taken, the queue reads past all that are due and
 * may not, one by one; so of jobs whose gateway takes no more, only the oldest stay due, and the others follow them.
 */
import type { Context } from '#context.ts';
import type { Admission } from './admission.ts';
import { park, takeBack, waitingSends } from './store.ts';

/** Enough for what any gateway takes until the next look. */
export const dueAtMost = 2_000;

export async function parkBacklogs({ db, log }: Context, { isClosed }: Admission): Promise<void> {
  for (const { passage, due, parked } of await waitingSends(db)) {
    if (parked > 0 && due < dueAtMost) {
      await takeBack(db, passage, dueAtMost);
    } else if (due > 2 * dueAtMost && isClosed(passage)) {
      const count = await park(db, passage, dueAtMost);
      log.info({ passage, count }, 'jobs were parked: their gateway takes no more for now');
    }
  }
}
