/**
 * A requested or stored combination of services: how long it takes, and which daily limits it counts under (specification:
 * Availability 5 and 6).
 */
import type { ServiceCategory } from '#product/catalogue/categories.ts';

/** An item that counts under limits: a service of the catalogue, or an item without an id. */
export interface CountedItem {
  readonly id: string | null;
  /** One of the four, or a partner's own word, which has no limit. */
  readonly category: string;
}

export interface WishedService extends CountedItem {
  /** 0 when the catalogue has no duration. */
  readonly durationMinutes: number;
}

export interface Limits {
  /** By the id of a service with its own limit; 0 allows no booking. */
  readonly services: ReadonlyMap<string, number>;
  /** By category; an absent category has no limit. */
  readonly categories: ReadonlyMap<string, number>;
}

/** A limit that an item counts under. `key` is the service's id, or the category. */
export interface HeldLimit {
  readonly kind: 'service' | 'category';
  readonly key: string;
  readonly limit: number;
}

export interface Wish {
  /** The duration of its services together. */
  readonly minutes: number;
  readonly limits: readonly HeldLimit[];
}

/** The counted items that a booking stores: its services, else an item of `category`, if there is one. */
export function countedItems(
  services: readonly CountedItem[],
  category: ServiceCategory | null,
): CountedItem[] {
  if (services.length === 0) return category === null ? [] : [{ id: null, category }];
  return services.map((service) => ({ id: service.id, category: service.category }));
}

/** A service with its own limit counts under that, other services under their categories, once each, as in `limit_keys.sql`. Services come first. */
export function limitsHeld(items: readonly CountedItem[], limits: Limits): HeldLimit[] {
  const isOwn = ({ id }: CountedItem) => id !== null && limits.services.has(id);
  const held = (kind: HeldLimit['kind'], keys: readonly (string | null)[], known: Limits['services']) =>
    [...new Set(keys)].flatMap((key) => {
      const limit = key === null ? undefined : known.get(key);
      return key === null || limit === undefined ? [] : [{ kind, key, limit }];
    });
  const own = items.filter(isOwn).map(({ id }) => id);
  const categories = items.filter((item) => !isOwn(item)).map((item) => item.category);
  return [...held('service', own, limits.services), ...held('category', categories, limits.categories)];
}

export function wishFor(
  services: readonly WishedService[],
  category: ServiceCategory | null,
  limits: Limits,
): Wish {
  return {
    minutes: services.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0),
    limits: limitsHeld(countedItems(services, category), limits),
  };
}
