/** When a delivery is retried (specification: Webhooks 4). Machine time. */
import { jitteredPauseMs } from '#base/values/backoff.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pause after each failed attempt; after the last pause it is tried once more, and then it has failed. */
export const pausesMs: readonly number[] = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/** The pause in milliseconds after `tries` attempts (1 or more); null when none is left. */
export function nextInMs(tries: number, random?: () => number): number | null {
  return tries > pausesMs.length ? null : jitteredPauseMs(pausesMs, tries, random);
}
