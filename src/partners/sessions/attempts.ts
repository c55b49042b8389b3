/** Bounds failed sign-ins: ten a minute for one partner and address (decisions, section 3). Successes never count. */
import { createHash } from 'node:crypto';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { type RateLimit, rateLimitHeaders, tooManyRequests } from '#http/rate-limit.ts';
import { readResetMs, returnAttempt, takeAttempt } from './store.ts';

const signInLimit: RateLimit = { policy: 'failed-sign-ins', quota: 10, windowSeconds: 60 };

export interface Source {
  readonly partnerId: string | null;
  /** The caller's IP address. */
  readonly address: string;
  /** Is given the RateLimit headers of the answer, whatever it will be. */
  readonly onLimit: (headers: Record<string, string>) => void;
}

/** Attempts of one source wait for each other, so that those under way are not mistaken for failures. */
const queues = new Map<string, Promise<unknown>>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.catch(() => undefined);
  queues.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

/** Runs `work`, whose Problems are failures; throws 429 in its place after ten of them within a minute. */
export function limitFailures<T>(
  { db }: Pick<Context, 'db'>,
  { partnerId, address, onLimit }: Source,
  work: () => Promise<T>,
): Promise<T> {
  // No addresses are stored, only what can be compared. Every process counts in the same row.
  const source = createHash('sha256').update(`${partnerId} ${address}`).digest();

  return inTurn(source.toString('base64'), async () => {
    const taken = await takeAttempt(db, source, signInLimit.quota);
    if (taken === null) {
      const resetMs = await readResetMs(db, source);
      throw tooManyRequests(signInLimit, resetMs, 'Too many failed sign-ins; wait before the next one');
    }
    const tell = (failures: number) =>
      onLimit(rateLimitHeaders(signInLimit, signInLimit.quota - failures, taken.resetMs));
    try {
      const result = await work();
      await returnAttempt(db, source, taken.stamp);
      tell(taken.used - 1);
      return result;
    } catch (error) {
      if (error instanceof Problem) tell(taken.used);
      else await returnAttempt(db, source, taken.stamp);
      throw error;
    }
  });
}
