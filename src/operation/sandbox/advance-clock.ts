/** Moves the business clock forward: POST /sandbox/clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { invalidFields } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { advance } from '#platform/db/business-clock.ts';
import { followedWithinMs } from '#platform/db/business-clock-follower.ts';
import { judgeQuietAnew } from '#product/workshops/queues/store.ts';
import { advanceAtMostSeconds } from './schema.ts';

/** Resolves when every process has followed. Throws 400 000001 when the clock would be further than ten years ahead. */
export async function advanceClock({ db, clock }: Context, seconds: number): Promise<void> {
  const total = await advance(db, seconds, advanceAtMostSeconds);
  if (total === null) {
    const message = `would move the clock further than ${advanceAtMostSeconds} seconds all in all`;
    throw invalidFields([{ field: 'advanceSeconds', message }]);
  }
  // Responses of the database may overtake each other; the clock never goes back.
  clock.setAdvance(Math.max(total, clock.advanceSeconds()));
  await sleep(followedWithinMs);
  await judgeQuietAnew(db, null);
}
