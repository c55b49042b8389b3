/** Resets the business clock to machine time, and adjusts expiry times that lie ahead of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { resetAdvance } from '#platform/db/business-clock.ts';
import { followedWithinMs } from '#platform/db/business-clock-follower.ts';
import { keepNoLongerThanFrom } from '#platform/idempotency/store.ts';
import { shortenTokens } from '#product/partners/sessions/store.ts';
import { accessTokenLifeSeconds, refreshTokenLifeSeconds } from '#product/partners/sessions/tokens.ts';
import { judgeQuietAnew } from '#product/workshops/queues/store.ts';

/**
 * Resets business time to machine time, in every process. Tokens and stored responses that were issued while it was ahead would
 * stay valid until the clock reaches that time again, so their validity is cut to the usual one from now. All other dates stay
 * as they are. Returns how far the clock was ahead, in seconds. Idempotent.
 */
export async function setClockRight(context: ChangeContext): Promise<{ readonly wasAheadSeconds: number }> {
  const { db, clock } = context;
  const wasAheadSeconds = await resetAdvance(db);
  clock.setAdvance(0);
  // Until then other processes may still issue tokens by the moved clock.
  await sleep(followedWithinMs);
  const now = clock.machineNow();
  await change(context, async ({ tx }) => {
    await shortenTokens(tx, {
      now,
      accessAtMost: later(now, accessTokenLifeSeconds),
      refreshAtMost: later(now, refreshTokenLifeSeconds),
    });
    await keepNoLongerThanFrom(tx, now);
    await judgeQuietAnew(tx, null);
  });
  return { wasAheadSeconds };
}

const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);
