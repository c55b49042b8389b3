/** The place of a booking: what it needs, and which place it has after an update. */

import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import {
  type Enforce,
  type Need,
  type PlaceColumns,
  storedPlace,
} from '#product/availability/places/place.ts';
import { freshRules, type KnownRules } from '#product/availability/places/rules.ts';
import { takePlace } from '#product/availability/places/take.ts';
import { countedItems } from '#product/availability/wish.ts';
import type { BookingChange, LockedBooking } from './change/store.ts';
import type { NextState } from './rules.ts';
import type { ServiceColumns } from './services.ts';

interface PlaceFields extends Pick<ServiceColumns, 'services' | 'serviceMinutes' | 'serviceCategory'> {
  readonly date: Date;
  readonly createdAt: Date;
}

/** An item without a category counts as `others`. */
export function needOf({ date, createdAt, services, serviceMinutes, serviceCategory }: PlaceFields): Need {
  const items = services.map(({ catalogId, category }) => ({
    id: catalogId,
    category: category ?? 'others',
  }));
  const minutes = serviceMinutes.reduce((sum, each) => sum + each, 0);
  return { date, createdAt, minutes, items: countedItems(items, serviceCategory) };
}

/** The stored place. */
export function placeOfBooking(present: LockedBooking): PlaceColumns {
  const { occupiedFrom, occupiedUntil, countedServices, countedCategories, placeVersion, heldTo } = present;
  return { occupiedFrom, occupiedUntil, countedServices, countedCategories, placeVersion, heldTo };
}

interface NextPlace {
  readonly present: LockedBooking;
  readonly next: NextState;
  readonly services: ServiceColumns;
  readonly enforce: Enforce;
  /** The reason of staff for taking the place against the rules. */
  readonly anyway: string | null;
  /** The rules under which the place was found free in this change; null: it was not looked for. */
  readonly free: KnownRules | null;
}

const placed: readonly string[] = ['date', 'services', 'serviceCategory'];

/**
 * The columns of the place after an update, and the version of the set-up that it was taken under; a place that the update does not
 * affect stays as stored. While the booking stays on its day, the reason of a place taken against the rules stays too, and the
 * booking keeps its share of that day's slots and limits even if the rules have changed. Throws as `takePlace`.
 */
export async function nextPlace(
  tx: Queryable,
  now: Date,
  { present, next, services, enforce, anyway, free }: NextPlace,
): Promise<PlaceColumns & Pick<BookingChange, 'setupVersion' | 'anywayReason'>> {
  const { workshopId, createdAt } = present.booking;
  const { content, changed } = next;
  if (!changed.some((field) => placed.includes(field))) {
    return { ...placeOfBooking(present), anywayReason: present.anywayReason, setupVersion: null };
  }
  const rules = free ?? (await freshRules(tx, workshopId));
  if (rules === null) throw new Problem('030001');
  const place = await takePlace(tx, now, rules, {
    ...{ workshopId, partnerId: null, enforce, own: storedPlace(present), isFree: free !== null },
    ...needOf({ ...services, date: content.date, createdAt: new Date(createdAt) }),
    stays: !changed.includes('date'),
  });
  const dayOf = (at: Date | null) => at && rules.dayOf(at.getTime()).day.date;
  const isSameDay = dayOf(place.occupiedFrom) === dayOf(present.occupiedFrom);
  const anywayReason = anyway ?? (isSameDay ? present.anywayReason : null);
  return { ...place, anywayReason, setupVersion: rules.version };
}
