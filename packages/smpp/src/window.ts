/** Bounds how many requests may wait for a response at once on one connection. */

export interface Window {
  /**
   * Resolves to a function that gives the place back (further calls do nothing), or to null after `withinMs` or when the signal
   * aborts. The rest of a message that has begun goes first; else first come, first served.
   */
  enter(withinMs: number, signal: AbortSignal, of: 'begun' | 'new'): Promise<(() => void) | null>;
}

export function createWindow(size: number): Window {
  let taken = 0;
  const waiting = { begun: new Set<() => void>(), new: new Set<() => void>() };

  function occupy(): () => void {
    let isHeld = true;
    taken++;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      taken--;
      const [next] = waiting.begun.size > 0 ? waiting.begun : waiting.new;
      next?.();
    };
  }

  return {
    enter(withinMs, signal, of) {
      if (signal.aborted) return Promise.resolve(null);
      // While anybody waits, all places are taken.
      if (taken < size) return Promise.resolve(occupy());
      return new Promise((resolve) => {
        function end(result: (() => void) | null): void {
          waiting[of].delete(admit);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(result);
        }
        const admit = () => end(occupy());
        const giveUp = () => end(null);
        const timer = setTimeout(giveUp, withinMs);
        signal.addEventListener('abort', giveUp, { once: true });
        waiting[of].add(admit);
      });
    },
  };
}
