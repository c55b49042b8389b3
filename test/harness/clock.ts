/** Clocks for tests: both stand still until the test moves them. */
import type { Clock } from '#base/clock.ts';

export interface TestClock extends Clock {
  /** Moves both clocks forward, as time passing does. */
  advance(step: {
    readonly ms?: number;
    readonly seconds?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void;
}

/** A clock that starts at the given instant (default 2030-01-15T00:00:00Z) and moves by `advance` or `setAdvance` only. */
export function testClock(start: Date | string = '2030-01-15T00:00:00.000Z'): TestClock {
  let machineMs = new Date(start).getTime();
  let advanceSeconds = 0;
  return {
    now: () => new Date(machineMs + advanceSeconds * 1000),
    machineNow: () => new Date(machineMs),
    setAdvance(seconds) {
      advanceSeconds = seconds;
    },
    advanceSeconds: () => advanceSeconds,
    advance({ ms = 0, seconds = 0, hours = 0, days = 0 }) {
      machineMs += ms + (seconds + (hours + days * 24) * 3600) * 1000;
    },
  };
}
