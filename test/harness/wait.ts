/** Waiting for the thing itself; and the one error of a wait that ended in vain, by which a busy machine is told from a wrong answer. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What was waited for did not come in time: a condition, a process, a port. Nothing else: what came and is wrong is an AssertionError.
 * `scripts/test/forgive.ts` knows it by its name.
 */
export class WaitEnded extends Error {
  override readonly name = 'WaitEnded';
}

/**
 * Looks again every `everyMs` until it holds; throws WaitEnded, with `what` was waited for, after `withinMs`. A condition that throws ends
 * the wait with its error.
 */
export async function until(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
  everyMs = 20,
): Promise<void> {
  const deadline = AbortSignal.timeout(withinMs);
  while (!(await holds())) {
    if (deadline.aborted)
      throw new WaitEnded(`waited ${withinMs / 1000} s in vain: ${typeof what === 'string' ? what : what()}`);
    await pause(everyMs);
  }
}
