/** Runs work in lanes: each lane runs a number of pieces at once, in the given order. */

export interface Lane {
  readonly slots: number;
  readonly pieces: readonly (() => Promise<void>)[];
}

/** Resolves when all lanes are done; rejects with the first failure, and begins nothing after it. */
export async function runLanes(lanes: readonly Lane[]): Promise<void> {
  let failed = false;
  const work = async (queue: (() => Promise<void>)[]) => {
    for (let piece = queue.shift(); piece !== undefined && !failed; piece = queue.shift()) {
      await piece().catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(
    lanes.flatMap(({ slots, pieces }) => {
      const queue = [...pieces];
      return Array.from({ length: slots }, () => work(queue));
    }),
  );
}
