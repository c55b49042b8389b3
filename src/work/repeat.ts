/** Runs something again and again, never twice at once. */

export interface Repeating {
  /** Ends it; resolves when the run at hand has ended. */
  stop(): Promise<void>;
}

/** Runs `work` now and then every `everyMs` milliseconds, from the end of one run to the start of the next. */
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
