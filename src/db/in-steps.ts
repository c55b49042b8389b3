/** Work on many rows as a series of short statements or transactions. */

/**
 * Repeats a step until it finds fewer rows than it may take; returns how many it took in all. `step` takes `atMost` rows (1,000
 * unless given), commits, and returns how many it took.
 */
export async function inSteps(step: (atMost: number) => Promise<number>, atMost = 1_000): Promise<number> {
  for (let taken = 0; ; ) {
    const count = await step(atMost);
    taken += count;
    if (count < atMost) return taken;
  }
}
