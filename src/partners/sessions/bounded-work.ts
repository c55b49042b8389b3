/** Work that takes so much of the machine that only a little of it may go on at once. */
import { Problem } from '#errors.ts';

export interface Bounds {
  readonly atOnce: number;
  /** More than these are refused at once, rather than to wait for long. */
  readonly waitingAtMost: number;
}

/** Runs what it is given, first come first served; throws 503 000007 when too many wait. */
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
      // The place goes to the next one, or is free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
