/** The country that explains a workshop's phone numbers, remembered for a few seconds to keep bookings at one round trip. */
import type { Context } from '#context.ts';
import { findCountry } from './store.ts';

/** Less than the 5 seconds in which a change has to hold. */
const cacheForMs = 4_000;
const cacheSize = 10_000;
const caches = new WeakMap<object, Map<string, { until: number; country: string }>>();

/** Null when the workshop is unknown or not linked to the partner; that answer is never remembered. */
export async function workshopCountry(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  partnerId: string,
  workshopId: string,
): Promise<string | null> {
  const cache = caches.get(db) ?? new Map<string, { until: number; country: string }>();
  caches.set(db, cache);
  const nowMs = clock.machineNow().getTime();
  const key = `${partnerId} ${workshopId}`;
  const known = cache.get(key);
  if (known !== undefined && known.until > nowMs) return known.country;
  const country = await findCountry(db, partnerId, workshopId);
  if (country === null) return null;
  if (cache.size >= cacheSize) cache.clear();
  cache.set(key, { until: nowMs + cacheForMs, country });
  return country;
}
