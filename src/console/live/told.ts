/** Remembers the changes that were sent in the last seconds: a row is found again when it is written again, and by a wide query. */

/** Longer than the relay takes to write an event, and than the pause between two wide queries. */
const keptMs = 10_000;

export interface Told {
  /** True the first time for each key, and again after the key was forgotten. */
  isFirst(key: string): boolean;
  /** Forgets what is old. */
  forget(): void;
}

/** `now`: a monotonic clock in milliseconds. */
export function createTold(now: () => number): Told {
  /** In the order in which they were sent. */
  const told = new Map<string, number>();
  return {
    isFirst(key) {
      if (told.has(key)) return false;
      told.set(key, now());
      return true;
    },
    forget() {
      const until = now() - keptMs;
      for (const [key, atMs] of told) {
        if (atMs > until) return;
        told.delete(key);
      }
    },
  };
}
