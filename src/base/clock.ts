/**
 * The two clocks (specification: Clocks). The business clock can be moved forward in the sandbox; its offset is kept in
 * the database and followed by every process. The machine clock can't. The only file that asks for the current time.
 */
export interface Clock {
  /** Business time: token lives, createdAt and updatedAt, everything due on a date. */
  now(): Date;
  /** Machine time: time-outs, mail dates. */
  machineNow(): Date;
  /** Sets the offset of the business clock, in seconds, as stored in the database. */
  setAdvance(seconds: number): void;
  advanceSeconds(): number;
}

export function systemClock(): Clock {
  let advanceSeconds = 0;
  return {
    now: () => new Date(Date.now() + advanceSeconds * 1000),
    machineNow: () => new Date(),
    setAdvance(seconds) {
      advanceSeconds = seconds;
    },
    advanceSeconds: () => advanceSeconds,
  };
}

/** Milliseconds of a monotonic clock of this process, which does not jump when the machine's time is set. For durations only. */
export const elapsedMs = (): number => performance.now();
