/** Dry runs use a core for some seconds each: they run one at a time, and few may wait, since each has its file in memory. */
import { Problem } from '#errors.ts';
import { createSemaphore } from '#platform/db/semaphore.ts';

const checks = createSemaphore(1);
/** Running or waiting, in this process. */
const atMost = { ofWorkshop: 3, inAll: 8 };
const present = new Map<string, number>();

/** Throws 429 when too many wait already. */
export async function inTurn<T>(workshopId: string, check: () => Promise<T>): Promise<T> {
  const its = present.get(workshopId) ?? 0;
  const all = [...present.values()].reduce((sum, count) => sum + count, 0);
  if (its >= atMost.ofWorkshop || all >= atMost.inAll) {
    const message = 'Other files are being checked: try again in a minute';
    throw new Problem(null, { message, headers: { 'retry-after': '60' } });
  }
  present.set(workshopId, its + 1);
  try {
    return await checks.run(check);
  } finally {
    const left = (present.get(workshopId) ?? 1) - 1;
    if (left === 0) present.delete(workshopId);
    else present.set(workshopId, left);
  }
}
