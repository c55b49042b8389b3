/** Zones of workshops whose rules Node and PostgreSQL know differently: each has its own copy of the time zone database. */
import type { Queryable } from '#platform/db/database.ts';
import { differingZones } from '#product/workshops/zone-data/differ.ts';
import type { Finding } from './finding.ts';

export async function* checkZoneData(db: Queryable, now: Date): AsyncGenerator<Finding> {
  for (const { workshopId, at, message } of await differingZones(db, now)) {
    yield { kind: 'zoneData', workshopId, code: null, at, message, repaired: false };
  }
}
