/** What was told in the last seconds: a row is found again when it is written again, and by a wide look. */

/** Longer than it takes until the relay has written an event, and than two wide looks are apart. */
const keptMs = 10_000;

export interface Told {
  /** True once for each key; later again after it was forgotten. */
  isFirst(key: string): boolean;
  /** Forgets what is old. */
  forget(): void;
}

/** `now` is in milliseconds, for spans. */
export function createTold(now: () => number): Told {
  /** In the order in which they were told. */
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
