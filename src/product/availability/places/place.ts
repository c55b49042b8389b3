/**
 * The place of a booking: what it occupies, what it counts for, and which rules apply to it (specification: Availability 5, 6 and
 * 7).
 */
import { isDeepStrictEqual } from 'node:util';
import { occupiedBy, occupiedFrom } from '../day.ts';
import { type Usage, usageOf } from '../usage.ts';
import { type CountedItem, type Limits, limitsHeld, type Wish } from '../wish.ts';
import type { KnownRules } from './rules.ts';

/** The stored form. Without services its two lists have one entry for its category, or none. */
export interface Place {
  readonly occupiedFrom: Date;
  readonly occupiedUntil: Date;
  readonly countedServices: readonly (string | null)[];
  readonly countedCategories: readonly string[];
}

/** The columns of a booking's place: all null when it has none. */
export interface PlaceColumns {
  readonly occupiedFrom: Date | null;
  readonly occupiedUntil: Date | null;
  readonly countedServices: readonly (string | null)[] | null;
  readonly countedCategories: readonly string[] | null;
  /** The version of the rules that it was computed with. */
  readonly placeVersion: number | null;
  readonly heldTo: HeldTo | null;
}

/** Free slots and daily limits, or only limits. */
export type HeldTo = 'slots' | 'limits';

/**
 * Whether a booking needs a free slot: `asSet` as the workshop has set it, `always` even if the workshop enforces nothing; `never`,
 * without limits too, when its staff book anyway.
 */
export type Enforce = 'asSet' | 'always' | 'never';

/** The date and services that a booking needs a place for. */
export interface Need {
  readonly date: Date;
  /** The booking's creation: a date in the past at that time takes no place. */
  readonly createdAt: Date;
  /** The duration of its services together. */
  readonly minutes: number;
  readonly items: readonly CountedItem[];
  /** The booking has this date already. */
  readonly stays?: boolean;
}

/**
 * Null: it takes no place, since its date was in the past when it was created. A booking that keeps its date begins with its `own`
 * place.
 */
export function placeFor(rules: KnownRules, need: Need, own: Place | null = null): Place | null {
  const { date, createdAt, minutes, items, stays } = need;
  if (date < createdAt) return null;
  const at = date.getTime();
  const { from, until } =
    stays === true && own !== null
      ? occupiedFrom(rules.schedule, own.occupiedFrom.getTime(), minutes)
      : occupiedBy(rules.schedule, rules.dayOf(at), at, minutes);
  return {
    occupiedFrom: new Date(from),
    occupiedUntil: new Date(until),
    countedServices: items.map(({ id }) => id),
    countedCategories: items.map(({ category }) => category),
  };
}

export function wishOf(rules: KnownRules, { minutes, items }: Need): Wish {
  return { minutes, limits: limitsHeld(items, rules.limits) };
}

export function heldTo(rules: KnownRules, wish: Wish, enforce: Enforce): HeldTo | null {
  if (enforce === 'never') return null;
  if (rules.enforced || enforce === 'always') return 'slots';
  return wish.limits.length > 0 ? 'limits' : null;
}

export const noPlace: PlaceColumns = {
  occupiedFrom: null,
  occupiedUntil: null,
  countedServices: null,
  countedCategories: null,
  placeVersion: null,
  heldTo: null,
};

/** The stored place from the columns of a booking; null when it has none. */
export function storedPlace(columns: PlaceColumns): Place | null {
  const { occupiedFrom, occupiedUntil, countedServices, countedCategories } = columns;
  if (occupiedFrom === null || occupiedUntil === null) return null;
  return {
    ...{ occupiedFrom, occupiedUntil },
    ...{ countedServices: countedServices ?? [], countedCategories: countedCategories ?? [] },
  };
}

export const isSamePlace = (one: Place | null, other: Place | null) => isDeepStrictEqual(one, other);

/** The usage of one place. `date` is the local date of its start. */
export function usageOfPlace(place: Place, date: string, limits: Limits): Usage {
  const services = place.countedServices.map((id, n) => ({ id, category: place.countedCategories[n] ?? '' }));
  return usageOf({
    begins: [[place.occupiedFrom.getTime(), 1]],
    ends: [[place.occupiedUntil.getTime(), 1]],
    booked: limitsHeld(services, limits).map(({ key }) => ({ date, key, bookings: 1 })),
  });
}
