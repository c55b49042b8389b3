/** Time for limiters that passes only when the test says so. */
import type { Timers } from '#platform/gateways/limiter/timers.ts';

export interface TestTimers extends Timers {
  /** Lets that many milliseconds pass: timers run in their order, each with everything that follows from it at once. */
  pass(ms: number): Promise<void>;
}

/** Lets promises that are settled go their way. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function testTimers(): TestTimers {
  let nowMs = 0;
  let count = 0;
  const due = new Map<number, { readonly at: number; readonly run: () => void }>();
  return {
    nowMs: () => nowMs,
    after(delayMs, run) {
      const id = count++;
      due.set(id, { at: nowMs + delayMs, run });
      return () => void due.delete(id);
    },
    async pass(ms) {
      const until = nowMs + ms;
      await settle();
      for (;;) {
        const [next] = [...due].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at);
        if (next === undefined) break;
        const [id, { at, run }] = next;
        due.delete(id);
        nowMs = Math.max(nowMs, at);
        run();
        await settle();
      }
      nowMs = until;
      await settle();
    },
  };
}
