/** A job to be queued. */
export interface JobSpec {
  /** Its name in `work.ts`. */
  readonly job: string;
  /** Names the work by ids only, so that the same work has the same payload. */
  readonly payload: Readonly<Record<string, string>>;
  /** Machine time; absent means at once. */
  readonly runAt?: Date;
  /** In place of `runAt`: so long after the database's own time. */
  readonly delayMs?: number;
  /** Default 8: with the queue's backoff (e, e², … seconds) about half an hour. */
  readonly maxAttempts?: number;
  /** What it sends through (`flags.ts`); absent for work that sends nothing. */
  readonly flags?: readonly string[];
  /** Of work that was put back: since when it has waited, by the machine's clock. */
  readonly waitsSince?: Date;
}

export const defaultMaxAttempts = 8;
