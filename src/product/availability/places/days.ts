/** The rows of days, written before the first booking of each: a creation then finds its day, and fails no batch by the lack of it. */

import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/db/database.ts';
import { perDatabase } from '#platform/db/per-database.ts';
import type { DayPlan } from '../day.ts';
import type { KnownRules } from './rules.ts';
import { writeDay } from './store.ts';

const daysAtMost = 50_000;
/** By workshop, version of the rules, and first instant: the writes of this process, under way or done. */
const writesOf = perDatabase((_: Database) => new LRUCache<string, Promise<boolean>>({ max: daysAtMost }));

/**
 * Writes the row of a day, once in this process for each version of the rules, unless the partner may not act at the workshop. A row that is deleted later is written again by
 * `OutdatedRules`, after the database has refused a booking for the lack of it.
 */
export function ensureDay(
  db: Database,
  workshopId: string,
  { version, schedule }: Pick<KnownRules, 'version' | 'schedule'>,
  plan: DayPlan,
  partnerId: string | null,
): Promise<boolean> {
  const writes = writesOf(db);
  const key = `${workshopId} ${version} ${plan.day.start}`;
  const known = writes.get(key);
  if (known !== undefined) return known;
  const written = writeDay(db, workshopId, version, schedule.slotMinutes, plan, partnerId);
  writes.set(key, written);
  const forget = () => writes.delete(key);
  written.then((isOpen) => isOpen || forget(), forget);
  return written;
}
