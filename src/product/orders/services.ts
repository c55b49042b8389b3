/** The services of an order, filled from the workshop's catalogue. */

import type { Database } from '#platform/db/database.ts';
import { type Enriched, enrichItems } from '#product/catalogue/enrich.ts';
import type { SentItem } from '#product/catalogue/item.ts';
import { knownOffer, refreshOffer } from '#product/catalogue/offer.ts';

/** The items of a new order, from the cached catalogue; a refusal is checked again with a fresh one. */
export async function newItems(
  db: Database,
  workshopId: string,
  sent: readonly SentItem[],
): Promise<Enriched> {
  const enriched = await enrichItems(sent, [], () => knownOffer(db, workshopId));
  if (enriched.found.length === 0) return enriched;
  return enrichItems(sent, [], () => refreshOffer(db, workshopId));
}
