/** The country in which a workshop's phone numbers are read; cached for seconds, so that creating a booking stays one round trip. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { isId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { perDatabase } from '#platform/db/per-database.ts';
import { findCountry } from './store.ts';

/** Less than the 5 seconds within which a change has to take effect. */
const cacheForMs = 4_000;
const cacheSize = 10_000;
const cacheOf = perDatabase((_db: Database, clock: Clock) => {
  const now = () => clock.machineNow().getTime();
  return new LRUCache<string, string>({ max: cacheSize, ttl: cacheForMs, ttlResolution: 0, perf: { now } });
});

/** Null when the workshop is unknown or not linked to the partner; this result is not cached. */
export async function workshopCountry(
  context: Pick<Context, 'db' | 'clock'>,
  partnerId: string,
  workshopId: unknown,
): Promise<string | null> {
  if (typeof workshopId !== 'string' || !isId(workshopId)) return null;
  const cache = cacheOf(context.db, context.clock);
  const key = `${partnerId} ${workshopId}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const country = await findCountry(context.db, partnerId, workshopId);
  if (country !== null) cache.set(key, country);
  return country;
}
