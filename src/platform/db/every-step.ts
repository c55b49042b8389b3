/** Several pieces of work none of which stops another. */

/** Waits until all have ended, also after one was rejected; then throws what the first of those was rejected with. */
export async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  throwFirst(await Promise.allSettled(works));
}

/** Runs each step in turn, also after one has thrown; then throws what the first of those threw. */
export async function everyStep(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const results: PromiseSettledResult<unknown>[] = [];
  for (const step of steps) results.push(...(await Promise.allSettled([step()])));
  throwFirst(results);
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
