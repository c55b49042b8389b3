/** Remembers the changes that were sent in the last seconds: a row is found again when it is written again, and by a wide query. */

/** Longer than the relay takes to write an event, and than the pause between two wide queries. */
const keptMs = 10_000;

export interface RecentlySent {
  /** True the first time for each key, and again after the key was forgotten. */
  isFirst(key: string): boolean;
  /** Forgets what is old. */
  forget(): void;
}

/** `now`: a monotonic clock in milliseconds. */
export function createRecentlySent(now: () => number): RecentlySent {
  /** In the order in which they were sent. */
  const sent = new Map<string, number>();
  return {
    isFirst(key) {
      if (sent.has(key)) return false;
      sent.set(key, now());
      return true;
    },
    forget() {
      const until = now() - keptMs;
      for (const [key, atMs] of sent) {
        if (atMs > until) return;
        sent.delete(key);
      }
    },
  };
}
