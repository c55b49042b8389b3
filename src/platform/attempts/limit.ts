/**
 * Bounds attempts in the database, so over all processes: of sign-ins and guesses, the failed ones of one source, and those of all
 * sources together; or every attempt of one source.
 */
import { createHash } from 'node:crypto';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type RateLimit, rateLimitHeaders, tooManyRequests } from '#platform/http/rate-limit.ts';
import {
  type Attempt,
  type Quotas,
  readResetMs,
  recordFailure,
  returnAttempt,
  takeAttempt,
} from './store.ts';

/** How many attempts of one source may wait in this process; they take places from other requests. */
const waitingAtMost = 50;

export interface Bound {
  readonly limit: RateLimit;
  /** The words that the caller of an attempt over the limit reads, by the milliseconds until there is room again. */
  readonly refusal: string | ((resetMs: number) => string);
  /** The parts of a source (who tries what): attempts with the same parts count together. Only a digest of them is stored. */
  readonly source: readonly unknown[];
  /** Gets the RateLimit headers of the response, whatever its status; a refusal brings its own. */
  readonly onLimit?: ((headers: Record<string, string>) => void) | undefined;
}

export interface FailureBound extends Bound {
  /** Failures of all sources that name the same parts count together, at most `quota` within the window. */
  readonly ceilings?: readonly { readonly of: readonly unknown[]; readonly quota: number }[];
  /** The quota of a source while one of the ceilings is reached; 0 when absent. */
  readonly quotaPastCeiling?: number;
}

/** A limit of attempts that are counted before their outcome is known. */
export interface AttemptBound extends FailureBound {
  /** The status of a failure. Another error, such as one of the service, is no failure of the caller. */
  readonly failure: 401 | 404;
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
    throw new Problem('000007', { message: 'Too many attempts at once', headers: { 'retry-after': '1' } });
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

function hashOf(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(parts.join(' ')).digest();
}

function quotasOf({ limit, source, ceilings = [], quotaPastCeiling = 0 }: FailureBound): Quotas {
  return {
    windowSeconds: limit.windowSeconds,
    source: hashOf(source),
    quota: limit.quota,
    ceilings: ceilings.map(({ of, quota }) => ({ source: hashOf(of), quota })),
    quotaPastCeiling,
  };
}

/** Throws 429 once the source's quota is used up. */
async function take(db: Queryable, { limit, refusal }: Bound, quotas: Quotas): Promise<Attempt> {
  const taken = await takeAttempt(db, quotas);
  if (taken !== null) return taken;
  const resetMs = await readResetMs(db, quotas);
  throw tooManyRequests(limit, resetMs, typeof refusal === 'string' ? refusal : refusal(resetMs));
}

/** Runs `work`, counting its failures; throws 429 instead of running it once the source's quota is used up. */
export function limitFailures<T>(
  { db }: Pick<Context, 'db'>,
  bound: AttemptBound,
  work: () => Promise<T>,
): Promise<T> {
  const { limit, failure, onLimit } = bound;
  const quotas = quotasOf(bound);
  const { source } = quotas;

  return inTurn(source.toString('base64'), async () => {
    const taken = await take(db, bound, quotas);
    const tell = (failures: number) =>
      onLimit?.(rateLimitHeaders(limit, limit.quota - failures, taken.resetMs));
    try {
      const result = await work();
      await returnAttempt(db, source, taken.stamp);
      tell(taken.used - 1);
      return result;
    } catch (error) {
      if (!(error instanceof Problem && error.status === failure)) {
        await returnAttempt(db, source, taken.stamp);
        throw error;
      }
      tell(taken.used);
      await recordFailures(db, quotas);
      throw error;
    }
  });
}

/** Counts a failure that has happened; throws 429 once the source's quota is used up. */
export async function countFailure({ db }: Pick<Context, 'db'>, bound: FailureBound): Promise<void> {
  const quotas = quotasOf(bound);
  await take(db, bound, quotas);
  await recordFailures(db, quotas);
}

async function recordFailures(db: Queryable, quotas: Quotas): Promise<void> {
  if (quotas.ceilings.length > 0) await recordFailure(db, quotas);
}

/**
 * Counts an attempt whatever its outcome, unless the transaction in `db` is rolled back; throws 429 once the quota of the source
 * is used up.
 */
export async function countAttempt({ db }: { readonly db: Queryable }, bound: Bound): Promise<void> {
  const { limit, onLimit } = bound;
  const taken = await take(db, bound, quotasOf(bound));
  onLimit?.(rateLimitHeaders(limit, limit.quota - taken.used, taken.resetMs));
}
