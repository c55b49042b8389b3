/** A job to be queued. */
export interface JobSpec {
  /** Its name in `work.ts`. */
  readonly job: string;
  /** Names the work by ids only, so that the same work has the same payload. */
  readonly payload: Readonly<Record<string, string>>;
  /** Machine time; absent means at once. */
  readonly runAt?: Date;
  /** Default 8: with the queue's backoff (e, e², … seconds) about half an hour. */
  readonly maxAttempts?: number;
}

export const defaultMaxAttempts = 8;
