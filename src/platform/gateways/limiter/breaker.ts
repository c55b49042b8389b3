/**
 * A circuit breaker: after some failures in a row it opens and gives no permits for a while; then it lets one probe at a time
 * through, and closes when a probe succeeds.
 */

export type BreakerState = 'closed' | 'halfOpen' | 'open';

/** The result of a use: the gateway works, fails, or was not used after all. */
export type Verdict = 'good' | 'bad' | 'none';

/** A permit for one use; to be settled once. */
export interface BreakerPermit {
  /** The breaker's state number when it gave the permit: a use from before a change of state says nothing about the new state. */
  readonly era: number;
}

export interface Breaker {
  state(): BreakerState;
  /** Null while it gives no permit. */
  tryAcquire(): BreakerPermit | null;
  /** True when this result has opened it. */
  settle(permit: BreakerPermit, verdict: Verdict): boolean;
  /** Milliseconds until asking for a permit is worthwhile; 0 for now. */
  opensInMs(): number;
}

export interface BreakerOptions {
  readonly nowMs: () => number;
  /** From 0 to 1, so that the processes of an installation do not all probe at once. */
  readonly random: () => number;
}

export const failuresToOpen = 5;
export const firstOpenMs = 5_000;
export const longestOpenMs = 60_000;
/** A probe is in flight, and may take a while. */
const probeMs = 1_000;

/** How long it stays open the n-th time in a row, from 1 on; up to a fifth less. */
function openForMs(times: number, random: number): number {
  return Math.min(firstOpenMs * 2 ** (times - 1), longestOpenMs) * (1 - random / 5);
}

export function createBreaker({ nowMs, random }: BreakerOptions): Breaker {
  let era = 0;
  let failures = 0;
  /** How often it has opened since it was last closed. */
  let openings = 0;
  let openUntilMs = 0;
  let isProbing = false;

  const isClosed = () => openings === 0;

  function open(): true {
    era++;
    failures = 0;
    isProbing = false;
    openings++;
    openUntilMs = nowMs() + openForMs(openings, random());
    return true;
  }

  function close(): void {
    era++;
    isProbing = false;
    openings = 0;
  }

  return {
    state() {
      if (isClosed()) return 'closed';
      return nowMs() < openUntilMs ? 'open' : 'halfOpen';
    },

    tryAcquire() {
      if (isClosed()) return { era };
      if (nowMs() < openUntilMs || isProbing) return null;
      isProbing = true;
      return { era };
    },

    settle(permit, verdict) {
      if (permit.era !== era) return false;
      if (isClosed()) {
        if (verdict === 'good') failures = 0;
        if (verdict === 'bad') failures++;
        return failures >= failuresToOpen && open();
      }
      if (verdict === 'good') close();
      isProbing = false;
      return verdict === 'bad' && open();
    },

    opensInMs() {
      if (isClosed()) return 0;
      return Math.max(openUntilMs - nowMs(), isProbing ? probeMs : 0, 0);
    },
  };
}
