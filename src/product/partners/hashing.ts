/** How much argon2 runs in this process: of partners' secrets and people's PINs together. */
import { boundedWork } from './sessions/bounded-work.ts';

/**
 * An argon2 takes about 30 ms on one of the four threads that it shares with DNS look-ups and file access. Two at once leave
 * two threads, and 32 waiting calls wait for a second at most. Throws 503 000007 when more wait.
 */
export const hashing = boundedWork({ atOnce: 2, waitingAtMost: 32 });
