/** The pauses between attempts. Machine time. */

/** The pauses before the second attempt and those after it: half an hour in all. */
const pausesMs = [5_000, 15_000, 45_000, 120_000, 300_000, 600_000, 900_000];

/**
 * The pause after so many attempts, 1 or more; up to a fifth longer at random, so that messages that failed together are not
 * retried together.
 */
export function backoffMs(tries: number, random: () => number = Math.random): number {
  const pauseMs = pausesMs[Math.min(tries, pausesMs.length) - 1] ?? 0;
  return pauseMs * (1 + random() / 5);
}
