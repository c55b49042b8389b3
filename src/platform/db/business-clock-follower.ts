/** Keeps this process's business clock at the offset that the database holds. */
import type { Logger } from 'pino';
import type { Clock } from '#base/clock.ts';
import { readAdvance } from './business-clock.ts';
import type { Queryable } from './database.ts';

const askEveryMs = 250;

/** By then every running process has polled the offset. */
export const followedWithinMs = 2 * askEveryMs;

/** Resolves after the first poll, to a function that ends the polling. */
export async function followBusinessClock(
  db: Queryable,
  clock: Clock,
  log: Logger,
): Promise<() => Promise<void>> {
  const look = async () => {
    const before = clock.advanceSeconds();
    const advance = await readAdvance(db);
    // This process moved the clock while the query ran: its result is stale, and the next poll replaces it.
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
