/** A bulkhead for expensive work: limits how much of it runs, and how much waits. */
import { Problem } from '#errors.ts';

export interface Bounds {
  readonly atOnce: number;
  /** Further calls are refused at once. */
  readonly waitingAtMost: number;
}

/** Runs calls in order of arrival; throws 503 000007 when too many wait. */
export type BoundedWork = <T>(work: () => Promise<T>) => Promise<T>;

export function boundedWork({ atOnce, waitingAtMost }: Bounds): BoundedWork {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < atOnce) running++;
    else if (waiting.length < waitingAtMost) await new Promise<void>((begin) => waiting.push(begin));
    else {
      throw new Problem('000007', {
        message: 'Too many sign-ins at once; try again',
        headers: { 'retry-after': '1' },
      });
    }
    try {
      return await work();
    } finally {
      // Passes the free place to the next waiting call.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
