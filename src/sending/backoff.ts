/** When a message is tried again. Machine time. */

/** Pauses before the second try and those after it: half an hour in all. */
const pausesMs = [5_000, 15_000, 45_000, 120_000, 300_000, 600_000, 900_000];

/** The pause after so many tries, 1 or more; up to a fifth longer, so that what failed together does not come back together. */
export function backoffMs(tries: number, random: () => number = Math.random): number {
  const pauseMs = pausesMs[Math.min(tries, pausesMs.length) - 1] ?? 0;
  return pauseMs * (1 + random() / 5);
}
