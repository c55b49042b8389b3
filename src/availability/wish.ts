/** What is asked for, or booked: how long it takes, and which daily limits it counts under (areas, section 2: Daily limits). */
import type { ServiceCategory } from '#catalogue/categories.ts';

/** A service of the catalogue, or an item of the partner's own, which has no id and no duration. */
export interface WishedService {
  readonly id: string | null;
  /** One of the four, or a partner's own word, under which nothing is limited. */
  readonly category: string;
  /** 0 when the catalogue names none. */
  readonly durationMinutes: number;
}

export interface Limits {
  /** By the id of a service that has a limit of its own; 0 is none at all. */
  readonly services: ReadonlyMap<string, number>;
  /** By category; one that is absent has no limit. */
  readonly categories: ReadonlyMap<string, number>;
}

/** A limit that a wish counts under. `key` is the service's id, or the category. */
export interface HeldLimit {
  readonly kind: 'service' | 'category';
  readonly key: string;
  readonly limit: number;
}

export interface Wish {
  /** Of its services together. */
  readonly minutes: number;
  /** Those of services first. */
  readonly limits: readonly HeldLimit[];
}

/**
 * A service with a limit counts under that; the others under their categories, once for each; without any service it is
 * `category` that counts, if there is one.
 */
export function wishFor(
  services: readonly WishedService[],
  category: ServiceCategory | null,
  limits: Limits,
): Wish {
  const own = services.filter(({ id }) => id !== null && limits.services.has(id));
  const others = services.filter((service) => !own.includes(service)).map((service) => service.category);
  const categories = services.length === 0 && category !== null ? [category] : others;
  const held = (kind: HeldLimit['kind'], keys: readonly (string | null)[], known: Limits['services']) =>
    [...new Set(keys)].flatMap((key) => {
      const limit = key === null ? undefined : known.get(key);
      return key === null || limit === undefined ? [] : [{ kind, key, limit }];
    });
  return {
    minutes: services.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0),
    limits: [
      ...held(
        'service',
        own.map(({ id }) => id),
        limits.services,
      ),
      ...held('category', categories, limits.categories),
    ],
  };
}
