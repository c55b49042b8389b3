/** What is asked for, or booked: how long it takes, and which daily limits it counts under (areas, section 2: Daily limits). */
import type { ServiceCategory } from '#catalogue/categories.ts';

/** What counts under limits: a service of the catalogue, or an item without an id. */
export interface CountedItem {
  readonly id: string | null;
  /** One of the four, or a partner's own word, under which nothing is limited. */
  readonly category: string;
}

export interface WishedService extends CountedItem {
  /** 0 when the catalogue names none. */
  readonly durationMinutes: number;
}

export interface Limits {
  /** By the id of a service that has a limit of its own; 0 is none at all. */
  readonly services: ReadonlyMap<string, number>;
  /** By category; one that is absent has no limit. */
  readonly categories: ReadonlyMap<string, number>;
}

/** A limit that something counts under. `key` is the service's id, or the category. */
export interface HeldLimit {
  readonly kind: 'service' | 'category';
  readonly key: string;
  readonly limit: number;
}

export interface Wish {
  /** Of its services together. */
  readonly minutes: number;
  readonly limits: readonly HeldLimit[];
}

/** What a booking stores of what it counts for: its services, else an item of `category`, if there is one. */
export function countedItems(
  services: readonly CountedItem[],
  category: ServiceCategory | null,
): CountedItem[] {
  if (services.length === 0) return category === null ? [] : [{ id: null, category }];
  return services.map((service) => ({ id: service.id, category: service.category }));
}

/** A service with a limit counts under that, the others under their categories; under each once. Services come first. */
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
