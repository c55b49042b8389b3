/** The clock and timers of limiters, so that tests can move time. */
import { elapsedMs } from '#base/clock.ts';

export interface Timers {
  /** Milliseconds; only differences mean anything. */
  nowMs(): number;
  /** Runs once after that number of milliseconds, unless the returned function is called before. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  nowMs: elapsedMs,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
