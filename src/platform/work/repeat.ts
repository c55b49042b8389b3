/** Runs a function periodically, never twice at once. */

export interface Repeating {
  /** Stops it; resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs `work` at once, and then `everyMs` milliseconds after each end of a run. */
export function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
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
  run();

  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
