/** The services of an order, filled from the workshop's catalogue. */
import { type Enriched, enrichItems } from '#catalogue/enrich.ts';
import type { SentItem } from '#catalogue/item.ts';
import { knownOffer, refreshOffer } from '#catalogue/offer.ts';
import type { Database } from '#db/database.ts';

/** The items of a new order by what this process knows of the catalogue; what that would refuse is judged by a fresh one. */
export async function newItems(
  db: Database,
  workshopId: string,
  sent: readonly SentItem[],
): Promise<Enriched> {
  const enriched = await enrichItems(sent, [], () => knownOffer(db, workshopId));
  if (enriched.found.length === 0) return enriched;
  return enrichItems(sent, [], () => refreshOffer(db, workshopId));
}
