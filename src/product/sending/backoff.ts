/** The pauses between attempts, in machine time. */
import { jitteredPauseMs } from '#base/values/backoff.ts';

/** The pauses before the second attempt and those after it: half an hour in all. */
const pausesMs = [5_000, 15_000, 45_000, 120_000, 300_000, 600_000, 900_000];

/** The pause in milliseconds after `tries` attempts (1 or more). */
export function backoffMs(tries: number, random?: () => number): number {
  return jitteredPauseMs(pausesMs, tries, random);
}
