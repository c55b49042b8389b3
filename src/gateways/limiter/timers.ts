/** Time as limiters take it, so that tests can move it. */
import { elapsedMs } from '#clock.ts';

export interface Timers {
  /** Milliseconds; only differences mean anything. */
  nowMs(): number;
  /** Runs once after so many milliseconds, unless what it returns is called before. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  nowMs: elapsedMs,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
