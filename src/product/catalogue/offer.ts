/** The services that a workshop offers, to fill requests. Cached by the version of the workshop's set-up. */
import { LRUCache } from 'lru-cache';
import { type Database, homeOf, type Queryable } from '#platform/db/database.ts';
import { perDatabase } from '#platform/db/per-database.ts';
import { readActiveServices, type Service } from './store.ts';

export interface Offer {
  /** The `setup_version` of the workshop that it was read with. */
  readonly version: number;
  readonly byId: ReadonlyMap<string, Service>;
  readonly byCode: ReadonlyMap<string, Service>;
}

const servicesAtMost = 50_000;
const cacheOf = perDatabase(
  () =>
    new LRUCache<string, Offer>({ maxSize: servicesAtMost, sizeCalculation: ({ byId }) => byId.size + 1 }),
);

/** Null when there is no such workshop. */
export async function readOffer(db: Queryable, workshopId: string): Promise<Offer | null> {
  const found = await readActiveServices(db, workshopId);
  if (found === null) return null;
  const { version, services } = found;
  return {
    version,
    byId: new Map(services.map((service) => [service._id, service])),
    byCode: new Map(services.map((service) => [service.catalogCode, service])),
  };
}

/** Reads it again, and caches it for `knownOffer`. */
export async function refreshOffer(db: Database, workshopId: string): Promise<Offer | null> {
  const offer = await readOffer(db, workshopId);
  if (offer !== null) cacheOf(homeOf(db)).set(workshopId, offer);
  return offer;
}

/**
 * The cached catalogue, which another process may have changed: a caller that writes with it compares the version in its statement,
 * and one that refuses with it calls `refreshOffer` first.
 */
export async function knownOffer(db: Database, workshopId: string): Promise<Offer | null> {
  return cacheOf(homeOf(db)).get(workshopId) ?? refreshOffer(db, workshopId);
}
