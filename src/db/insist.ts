/** For what would be lost if it were not written now. */
import { setTimeout as pause } from 'node:timers/promises';
import { elapsedMs } from '#clock.ts';
import { DatabaseUnavailable } from './database.ts';

const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Runs `work` again while PostgreSQL is away, for `forMs` after the first time. It must do no harm twice: of a time that
 * failed it is not known whether it took effect.
 */
export async function insist<T>(work: () => Promise<T>, forMs = 10_000): Promise<T> {
  const untilMs = elapsedMs() + forMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || elapsedMs() > untilMs) throw error;
      // A process that stops meanwhile is not held up.
      await pause(pauseMs, undefined, { ref: false });
    }
  }
}
