/**
 * The workshops where this process has seen a place refused in the last minute. There a creation asks what is free before it writes;
 * elsewhere it writes at once, which is one round trip, and the database refuses what does not fit.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '#db/database.ts';

const forMs = 60_000;
const workshopsAtMost = 10_000;
const caches = new WeakMap<object, LRUCache<string, true>>();

function cacheOf(db: Database): LRUCache<string, true> {
  let cache = caches.get(db);
  if (cache === undefined) {
    cache = new LRUCache({ max: workshopsAtMost, ttl: forMs });
    caches.set(db, cache);
  }
  return cache;
}

export function noteRefusal(db: Database, workshopId: string): void {
  cacheOf(db).set(workshopId, true);
}

export function isContested(db: Database, workshopId: string): boolean {
  return cacheOf(db).has(workshopId);
}
