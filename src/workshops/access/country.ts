/** The country in which a workshop's phone numbers are read; cached for seconds, so that creating a booking stays one round trip. */
import { LRUCache } from 'lru-cache';
import type { Context } from '#context.ts';
import { isId } from '#values/id.ts';
import { findCountry } from './store.ts';

/** Less than the 5 seconds in which a change has to hold. */
const cacheForMs = 4_000;
const cacheSize = 10_000;
const caches = new WeakMap<object, LRUCache<string, string>>();

function cacheOf({ db, clock }: Pick<Context, 'db' | 'clock'>): LRUCache<string, string> {
  let cache = caches.get(db);
  if (cache === undefined) {
    const now = () => clock.machineNow().getTime();
    cache = new LRUCache({ max: cacheSize, ttl: cacheForMs, ttlResolution: 0, perf: { now } });
    caches.set(db, cache);
  }
  return cache;
}

/** Null when the workshop is unknown or not linked to the partner; that answer is not cached. */
export async function workshopCountry(
  context: Pick<Context, 'db' | 'clock'>,
  partnerId: string,
  workshopId: unknown,
): Promise<string | null> {
  if (typeof workshopId !== 'string' || !isId(workshopId)) return null;
  const cache = cacheOf(context);
  const key = `${partnerId} ${workshopId}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const country = await findCountry(context.db, partnerId, workshopId);
  if (country !== null) cache.set(key, country);
  return country;
}
