/** Runs a function periodically, never twice at once. */

export interface Repeating {
  /** Stops it; resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs `work` after `firstMs` milliseconds, at once unless given, and then `everyMs` milliseconds after each end of a run. */
export function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
  firstMs = 0,
): Repeating {
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let running: Promise<void> = Promise.resolve();

  function run(): void {
    running = work()
      .then(() => undefined, failed)
      .then(() => {
        if (!stopping) timer = setTimeout(run, everyMs);
      });
  }
  if (firstMs === 0) run();
  else timer = setTimeout(run, firstMs);

  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
