/** Fills sent service items from the workshop's catalogue (specification: Services 2 and 3). */
import type { FieldError } from '#errors.ts';
import { customItem, isSameItem, type SentItem, type ServiceItem } from './item.ts';
import type { Offer } from './offer.ts';
import type { Service } from './store.ts';

/** A stored item with the minutes of its service; 0: the catalogue has no duration, or it is custom. */
export interface StoredItem {
  readonly item: ServiceItem;
  readonly minutes: number;
}

export interface Enriched {
  /** In the order in which they were sent; items with a fault are left out. */
  readonly stored: readonly StoredItem[];
  /** The version of the catalogue that was used; null when no item needed it. */
  readonly version: number | null;
  /** Faults of items, by their path: `services[2].catalogId`. */
  readonly found: readonly FieldError[];
}

/**
 * The items of a request. An item that equals a `present` one, each of which matches once, stays as stored. `offerOf` returns the
 * catalogue; it is called only if another item names a service. Null: there is no such workshop.
 */
export async function enrichItems(
  sent: readonly SentItem[],
  present: readonly StoredItem[],
  offerOf: () => Promise<Offer | null>,
): Promise<Enriched> {
  const left = [...present];
  const echoed = sent.map((item) => {
    const at = left.findIndex((stored) => isSameItem(item, stored.item));
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  });
  const isAsked = sent.some(
    (item, n) => echoed[n] === null && (item.catalogId ?? item.catalogCode ?? null) !== null,
  );
  const offer = isAsked ? await offerOf() : null;

  const found: FieldError[] = [];
  const stored = sent.flatMap((item, n) => {
    const made = echoed[n] ?? enriched(item, offer);
    if ('item' in made) return [made];
    found.push({ field: `services[${n}].${made.field}`, message: made.message });
    return [];
  });
  return { stored, version: offer?.version ?? null, found };
}

function enriched(sent: SentItem, offer: Offer | null): StoredItem | FieldError {
  const { catalogId = null, catalogCode = null, title = null } = sent;
  if (catalogId !== null) {
    const service = offer?.byId.get(catalogId.toLowerCase());
    if (service !== undefined) return fromCatalogue(sent, service);
    return { field: 'catalogId', message: 'is not a service that this workshop offers' };
  }
  const service = catalogCode === null ? undefined : offer?.byCode.get(catalogCode);
  if (service !== undefined) return fromCatalogue(sent, service);
  if (catalogCode === null && title === null)
    return { field: 'title', message: 'is required where neither catalogId nor catalogCode is sent' };
  return { item: customItem(sent), minutes: 0 };
}

/** The partner sets only the cost. */
function fromCatalogue(sent: SentItem, service: Service): StoredItem {
  const { _id, catalogCode, title, category, cost, maxCost, icon, color, durationMinutes } = service;
  return {
    item: {
      ...{ catalogId: _id, catalogCode, title, category },
      ...{ cost: sent.cost ?? cost, maxCost, icon, color, source: 'catalog' },
    },
    minutes: durationMinutes ?? 0,
  };
}
