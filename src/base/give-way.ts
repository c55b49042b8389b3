/** Gives the event loop a turn within loops over long input, so that nothing that others send makes everybody wait. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { elapsedMs } from './clock.ts';

/** The longest that a loop keeps the event loop, beside what one of its steps takes. */
const goMs = 10;

/**
 * For one loop: what it returns is called and awaited in each step, at the beginning, where no `continue` passes it by. It waits for a turn once
 * 10 ms have passed since the last; else it costs some tenths of a microsecond.
 */
export function givingWay(): () => Promise<void> | undefined {
  let sinceMs = elapsedMs();
  return () => {
    if (elapsedMs() - sinceMs < goMs) return undefined;
    return nextTurn().then(() => {
      sinceMs = elapsedMs();
    });
  };
}
