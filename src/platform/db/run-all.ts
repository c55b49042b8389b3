/** Runs several pieces of work; a failing one does not stop the others. */

/** Waits until all have ended, also after one was rejected; then throws the first rejection. */
export async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  throwFirst(await Promise.allSettled(works));
}

/** Runs each step in turn, also after one has thrown; then throws the first error. */
export async function runAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const results: PromiseSettledResult<unknown>[] = [];
  for (const step of steps) results.push(...(await Promise.allSettled([step()])));
  throwFirst(results);
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
