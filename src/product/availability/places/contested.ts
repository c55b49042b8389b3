/**
 * The workshops where this process has seen a place refused in the last minute. There a creation checks what is free before it
 * writes; elsewhere it writes at once, in one round trip, and the database refuses what does not fit.
 */
import { LRUCache } from 'lru-cache';
import { type Database, homeOf } from '#platform/db/database.ts';
import { perDatabase } from '#platform/db/per-database.ts';

const forMs = 60_000;
const workshopsAtMost = 10_000;
const cacheOf = perDatabase(() => new LRUCache<string, true>({ max: workshopsAtMost, ttl: forMs }));

export function noteRefusal(db: Database, workshopId: string): void {
  cacheOf(homeOf(db)).set(workshopId, true);
}

export function isContested(db: Database, workshopId: string): boolean {
  return cacheOf(homeOf(db)).has(workshopId);
}
