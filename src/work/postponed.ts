/** Work that could not even be tried. */
import { flagsOf, type Sending } from './flags.ts';

/** Nothing was done, and that was nobody's fault: the same job later, with as many attempts as before. */
export class Postponed extends Error {
  readonly delayMs: number;
  /** What it is marked with from now on; null: as it was. */
  readonly flags: readonly string[] | null;

  constructor(delayMs: number, flags: readonly string[] | null) {
    super(`put back for ${Math.round(delayMs)} ms`);
    this.delayMs = delayMs;
    this.flags = flags;
  }
}

const shortestMs = 1_000;
const longestMs = 60_000;

/**
 * A message that its gateway was not asked about, to be sent when that may be worth it: in a minute at the latest. Many
 * that were put back together do not come back together. `sending` is null where it is not known; then marks stay.
 */
export function notAsked(outcome: { readonly retryAfterMs?: number }, sending: Sending | null): Postponed {
  const waitMs = Math.min(Math.max(outcome.retryAfterMs ?? 0, shortestMs), longestMs);
  return new Postponed(waitMs * (1 + Math.random() / 2), sending && flagsOf(sending));
}
