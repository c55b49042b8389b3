/** Retries while PostgreSQL is unavailable: for writes that would be lost otherwise. */
import pRetry from 'p-retry';
import { DatabaseUnavailable } from './errors.ts';

/**
 * Runs `work` again while PostgreSQL is unavailable, for `forMs` after the first time, after pauses that grow from 50 ms to a second.
 * `work` must be idempotent: of a run that failed it is not known whether it took effect.
 */
export function retryWhileUnavailable<T>(work: () => Promise<T>, forMs = 10_000): Promise<T> {
  return pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: forMs,
    minTimeout: 50,
    maxTimeout: 1_000,
    shouldRetry: ({ error }) => error instanceof DatabaseUnavailable,
    // The pause does not keep a stopping process alive.
    unref: true,
  });
}
