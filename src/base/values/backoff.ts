/** Pauses between the attempts of one piece of work. */

/**
 * The pause after that number of attempts, 1 or more, of a list of pauses; the last stands for all further ones. Up to a fifth longer at
 * random, so that what failed together is not retried together.
 */
export function jitteredPauseMs(
  pausesMs: readonly number[],
  attempts: number,
  random: () => number = Math.random,
): number {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;
  return pauseMs * (1 + random() / 5);
}
