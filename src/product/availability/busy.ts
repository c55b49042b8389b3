/**
 * The workshops whose usage had thousands of bookings when this process last read it: it is read in two concurrent halves, which
 * for fewer bookings would cost more than it saves.
 */
import { LRUCache } from 'lru-cache';
import { perDatabase } from '#platform/db/per-database.ts';
import type { UsageRows } from './usage.ts';

const bookingsAtLeast = 2_000;
const workshopsAtMost = 10_000;
const cacheOf = perDatabase(() => new LRUCache<string, true>({ max: workshopsAtMost }));

export function isBusy(db: object, workshopId: string): boolean {
  return cacheOf(db).has(workshopId);
}

export function noteUsage(db: object, workshopId: string, { begins }: UsageRows): void {
  const bookings = begins.reduce((sum, [, count]) => sum + count, 0);
  if (bookings >= bookingsAtLeast) cacheOf(db).set(workshopId, true);
  else cacheOf(db).delete(workshopId);
}
