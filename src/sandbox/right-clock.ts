/** Sets the business clock right again, and what was dated ahead of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#clock.ts';
import { resetAdvance } from '#db/business-clock.ts';
import { followedWithinMs } from '#db/business-clock-follower.ts';
import type { Database } from '#db/database.ts';
import { keepNoLongerThanFrom } from '#idempotency/store.ts';
import { shortenTokens } from '#partners/sessions/store.ts';
import { accessTokenLifeSeconds, refreshTokenLifeSeconds } from '#partners/sessions/tokens.ts';

/**
 * Business time is the machine's again, in every process. Tokens and kept answers that were given while it was ahead get their
 * usual life from now, where they would have lasted until the clock is there again. All other dates stay as they are. Returns
 * how far the clock was ahead, in seconds. Doing it again does no harm.
 */
export async function setClockRight(
  db: Database,
  clock: Clock,
): Promise<{ readonly wasAheadSeconds: number }> {
  const wasAheadSeconds = await resetAdvance(db);
  // Until then others may still give tokens by the time ahead.
  await sleep(followedWithinMs);
  const now = clock.machineNow();
  await db.transaction(async (tx) => {
    await shortenTokens(tx, {
      now,
      accessAtMost: later(now, accessTokenLifeSeconds),
      refreshAtMost: later(now, refreshTokenLifeSeconds),
    });
    await keepNoLongerThanFrom(tx, now);
  });
  return { wasAheadSeconds };
}

const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);
