/** Bounds how many run at once; the others wait, first come, first served. */
export interface Semaphore {
  /** Runs `work` when it is its turn, and lets the next begin when it has ended, with an error too. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(atMost: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < atMost) running++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
