/** The pauses of a loop, each of which ends after its time or when the loop is woken. */
import { systemTimers, type Timers } from '#platform/gateways/limiter/timers.ts';

export interface Pauses {
  /** Resolves after `ms` milliseconds, at the next `endAll` at the latest. */
  pause(ms: number): Promise<void>;
  /** Ends all that are pending. */
  endAll(): void;
  /** How many are pending. */
  pending(): number;
}

/** Ended pauses are removed, so that the set does not grow with a loop that never ends. */
export function startPauses(after: Timers['after'] = systemTimers.after): Pauses {
  const pending = new Set<() => void>();
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          pending.delete(end);
          cancel();
          resolve();
        };
        const cancel = after(ms, end);
        pending.add(end);
      }),
    endAll() {
      for (const end of [...pending]) end();
    },
    pending: () => pending.size,
  };
}
