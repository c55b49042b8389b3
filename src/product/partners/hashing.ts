/** Limits the argon2 work of this process: partners' secrets and people's PINs together. */
import { boundedWork } from './sessions/bounded-work.ts';

/**
 * One argon2 hash takes about 30 ms on one of the four threads that it shares with DNS look-ups and file access. Two concurrent
 * ones leave two threads, and 32 queued calls wait at most a second. Throws 503 000007 when more would wait.
 */
export const hashing = boundedWork({ atOnce: 2, waitingAtMost: 32 });
