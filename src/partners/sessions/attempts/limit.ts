/**
 * Bounds failed sign-ins: ten a minute for one partner and network (decisions, section 3), and a hundred for one partner over all
 * networks. Successes never count.
 */
import { createHash } from 'node:crypto';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { type RateLimit, rateLimitHeaders, tooManyRequests } from '#http/rate-limit.ts';
import { networkOf } from '#values/network.ts';
import { readResetMs, recordFailure, returnAttempt, takeAttempt } from './store.ts';

const signInLimit: RateLimit = { policy: 'failed-sign-ins', quota: 10, windowSeconds: 60 };
const partnerQuota = 100;
/** Attempts of one source that wait for their turn in this process; they hold places of others' requests. */
const waitingAtMost = 50;

export interface Source {
  /** Null when no partner has the id: all unknown ids of one network count together, so that they leave one row. */
  readonly partnerId: string | null;
  /**
   * Whether the partner has the app key. Failures with keys that it does not have fill a ceiling of their own: who knows a
   * partner's id and no key of it can't keep it from signing in.
   */
  readonly keyKnown: boolean;
  /** The caller's IP address. */
  readonly address: string;
  /** Is given the RateLimit headers of the answer, whatever it will be. */
  readonly onLimit: (headers: Record<string, string>) => void;
}

interface Turn {
  last: Promise<unknown>;
  count: number;
}

/** Attempts of one source wait for each other, so that those under way are not mistaken for failures. */
const turns = new Map<string, Turn>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(key) ?? { last: Promise.resolve(), count: 0 };
  if (turn.count > waitingAtMost) {
    throw new Problem('000007', { message: 'Too many sign-ins at once', headers: { 'retry-after': '1' } });
  }
  turns.set(key, turn);
  turn.count++;
  const mine = turn.last.then(work, work);
  turn.last = mine.catch(() => undefined);
  try {
    return await mine;
  } finally {
    turn.count--;
    if (turn.count === 0) turns.delete(key);
  }
}

/** No addresses are stored, only what can be compared. Every process counts in the same row. */
function hashOf(...parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(parts.join(' ')).digest();
}

/** Runs `work`, whose 401s are failures; throws 429 in its place after ten of them within a minute. */
export function limitFailures<T>(
  { db }: Pick<Context, 'db'>,
  { partnerId, keyKnown, address, onLimit }: Source,
  work: () => Promise<T>,
): Promise<T> {
  const source = hashOf(partnerId, networkOf(address));
  const ceiling = partnerId === null ? null : hashOf('partner', partnerId, keyKnown);
  const quotas = { source, quota: signInLimit.quota, ceiling, ceilingQuota: partnerQuota };

  return inTurn(source.toString('base64'), async () => {
    const taken = await takeAttempt(db, quotas);
    if (taken === null) {
      const resetMs = await readResetMs(db, quotas);
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
      if (!(error instanceof Problem && error.status === 401)) {
        await returnAttempt(db, source, taken.stamp);
        throw error;
      }
      tell(taken.used);
      if (ceiling) await recordFailure(db, ceiling, partnerQuota);
      throw error;
    }
  });
}
