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
/** How many attempts of one source may wait in this process; they take places from other requests. */
const waitingAtMost = 50;

export interface Source {
  /** Null when no partner has the id: all unknown ids of one network count together, in one row. */
  readonly partnerId: string | null;
  /**
   * Whether the partner has the app key. Failures with unknown keys have a separate ceiling, so that a caller who knows only a
   * partner's id can't block its sign-ins.
   */
  readonly keyKnown: boolean;
  /** The caller's IP address. */
  readonly address: string;
  /** Gets the RateLimit headers of the response, whatever its status. */
  readonly onLimit: (headers: Record<string, string>) => void;
}

interface Turn {
  last: Promise<unknown>;
  count: number;
}

/** Attempts of one source run one after the other, so that those in flight do not count as failures. */
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

/** Stores hashes, not addresses. Every process counts in the same row. */
function hashOf(...parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(parts.join(' ')).digest();
}

/** Runs `work`, counting its 401s as failures; throws 429 instead of running it after ten failures within a minute. */
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
