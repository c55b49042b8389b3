/** Keeps this process's business clock at the offset that the database holds. */
import type { Logger } from 'pino';
import type { Clock } from '#clock.ts';
import { readAdvance } from './business-clock.ts';
import type { Queryable } from './database.ts';

const askEveryMs = 250;

/** By then every process has looked, unless it is stuck. */
export const followedWithinMs = 2 * askEveryMs;

/** Resolves after the first look; the function that it resolves to ends the following. */
export async function followBusinessClock(
  db: Queryable,
  clock: Clock,
  log: Logger,
): Promise<() => Promise<void>> {
  const look = async () => {
    const before = clock.advanceSeconds();
    const advance = await readAdvance(db);
    // Read before a move and told after it, it would set the clock back; the next look knows better.
    if (clock.advanceSeconds() === before) clock.setAdvance(advance);
  };
  await look();
  let asking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    asking = look().catch((err: unknown) => log.warn({ err }, 'the business clock could not be read'));
  }, askEveryMs);
  return async () => {
    clearInterval(timer);
    await asking;
  };
}
