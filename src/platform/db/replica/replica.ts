/** A replica of the database, for reads that may be old: how old its data is, and reading it. */
import type { Logger } from 'pino';
import { elapsedMs } from '#base/clock.ts';
import { within } from '#base/within.ts';
import type { Database, Queryable } from '../database.ts';
import { isTurnedAway } from '../errors.ts';
import { openPool } from '../pool.ts';
import { setUp } from '../session-settings.ts';
import { createReached } from './position.ts';
import { BehindPooler, inSession, inSnapshotOf } from './snapshot.ts';
import { behindAtMostMs, type Judged, judge, statesInWords } from './state.ts';
import { lookAtPrimary, lookAtReplica, type PrimarySeen, type ReplicaSeen } from './store.ts';

/** Reads at once; one more connection is for looking at it. */
const readsAtMost = 5;
const connectWithinMs = 1_000;
const lookWithinMs = 2_000;

/** The outcome of reads that may be old. All but `replica` were made on the primary. */
export const readOutcomes = ['replica', 'unused', 'busy', 'tooOld', 'failed'] as const;
export type ReadOutcome = (typeof readOutcomes)[number];

export interface Allowed {
  /** How old the data may be when the read begins: 10 s at most. */
  readonly maxAgeMs: number;
  /** How long the read may take. */
  readonly withinMs?: number;
}

export interface Replica {
  seen(): Judged;
  /** How many reads had each outcome. */
  readonly counts: Readonly<Record<ReadOutcome, number>>;
  /** Looks at both servers; never throws. */
  look(): Promise<void>;
  /**
   * Runs `read` in one snapshot of the replica, which can't write. Null: it has to be read on the primary, since the replica is too old, busy or gone, or
   * `read` has failed there. Never throws.
   */
  read<T>(allowed: Allowed, read: (db: Queryable) => Promise<T>): Promise<{ readonly value: T } | null>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  readonly url: string;
  readonly primary: Pick<Database, 'query'>;
  readonly log: Logger;
  readonly applicationName: string;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const usualReadMs = 5_000;

class TooOld extends Error {}

/** Opens a pool of its own; no connection is made before the first look, and nothing is read before the second. */
export function openReplica({
  url,
  primary,
  log,
  applicationName,
  now = elapsedMs,
}: ReplicaOptions): Replica {
  const pool = openPool({ url, size: readsAtMost + 1, applicationName, onConnect: setUp, connectWithinMs });
  const reached = createReached(behindAtMostMs + 1_000);
  const counts = { replica: 0, unused: 0, busy: 0, tooOld: 0, failed: 0 };
  let judged: Judged = { state: 'unseen', ageMs: null };
  let leader: PrimarySeen | null = null;
  let reading = 0;

  function judgedAs(next: Judged): void {
    const isNew = next.state !== judged.state;
    judged = next;
    if (!isNew || next.state === 'unseen') return;
    const line = `the replica of the database: ${statesInWords[next.state]}`;
    if (next.state === 'used') log.info(line);
    else log.warn(line);
  }

  /** Null: the primary does not answer, and nobody knows what it has. */
  async function askPrimary(): Promise<PrimarySeen | null> {
    const seen = await within(lookWithinMs, lookAtPrimary(primary)).catch(() => null);
    if (seen === null) return null;
    // After a failover what the former leader had reached says nothing.
    if (seen.timeline !== leader?.timeline || seen.system !== leader.system) reached.forget();
    leader = seen;
    return seen;
  }

  async function look(): Promise<void> {
    const replica = await askReplica();
    const atMs = now();
    const seen = await askPrimary();
    const next: Judged =
      typeof replica === 'string' ? { state: replica, ageMs: null } : judge(replica, seen, reached, now());
    // The primary's position counts once the replica was seen not to have more by then.
    if (typeof replica === 'string' || next.state === 'ahead') reached.forget();
    else if (seen !== null) reached.add(atMs, seen.lastEnd);
    judgedAs(next);
  }

  const askReplica = (): Promise<ReplicaSeen | 'gone' | 'turnsAway' | 'pooled'> =>
    within(lookWithinMs, inSession(pool, lookWithinMs, lookAtReplica)).catch((error: unknown) =>
      error instanceof BehindPooler ? 'pooled' : isTurnedAway(error) ? 'turnsAway' : 'gone',
    );

  /** The server of each connection is asked itself: there may be several behind one address. */
  async function admit(server: Queryable, maxAgeMs: number): Promise<void> {
    const its = await lookAtReplica(server);
    const needed = reached.neededFor(Math.min(maxAgeMs, behindAtMostMs), now());
    const isIts = its.isStandby && its.system === leader?.system && its.timeline === leader.timeline;
    if (!isIts || needed === null || its.replayed < needed) throw new TooOld();
  }

  return {
    seen: () => judged,
    counts,
    look,
    async read(allowed, read) {
      const { maxAgeMs, withinMs = usualReadMs } = allowed;
      const isUsed = judged.state === 'used';
      if (!isUsed || reading >= readsAtMost) {
        counts[isUsed ? 'busy' : 'unused']++;
        return null;
      }
      reading++;
      const bounds = { withinMs, admitWithinMs: lookWithinMs };
      const its = inSnapshotOf(pool, { ...bounds, admit: (server) => admit(server, maxAgeMs) }, read).finally(
        () => reading--,
      );
      try {
        const value = await within(connectWithinMs + withinMs, its);
        counts.replica++;
        return { value };
      } catch (err) {
        const isOld = err instanceof TooOld;
        counts[isOld ? 'tooOld' : 'failed']++;
        if (!isOld) log.info({ err }, 'a read of the replica failed, and is repeated on the primary');
        return null;
      }
    },
    close: () => pool.end(),
  };
}
