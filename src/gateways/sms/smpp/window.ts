/** How many requests may be without their answer at once. */

export interface Window {
  /**
   * Resolves to what gives the place back (once; more often is harmless), or to null after `withinMs` or when the signal
   * aborts. First come, first served.
   */
  enter(withinMs: number, signal: AbortSignal): Promise<(() => void) | null>;
  /** Resolves when no place is taken. */
  idle(): Promise<void>;
}

export function createWindow(size: number): Window {
  let taken = 0;
  const waiting = new Set<() => void>();
  const idlers = new Set<() => void>();

  function place(): () => void {
    let isHeld = true;
    taken++;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      taken--;
      const [next] = waiting;
      next?.();
      if (taken > 0) return;
      for (const resolve of idlers) resolve();
      idlers.clear();
    };
  }

  return {
    enter(withinMs, signal) {
      if (signal.aborted) return Promise.resolve(null);
      if (taken < size && waiting.size === 0) return Promise.resolve(place());
      return new Promise((resolve) => {
        function end(result: (() => void) | null): void {
          waiting.delete(admit);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(result);
        }
        const admit = () => end(place());
        const giveUp = () => end(null);
        const timer = setTimeout(giveUp, withinMs);
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(admit);
      });
    },
    idle: () => (taken === 0 ? Promise.resolve() : new Promise((resolve) => idlers.add(resolve))),
  };
}
