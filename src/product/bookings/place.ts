/** The place of a booking: what it needs one for, and the one that it has after an update. */

import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import {
  type Enforce,
  type Need,
  type PlaceColumns,
  storedPlace,
} from '#product/availability/places/place.ts';
import { freshRules } from '#product/availability/places/rules.ts';
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

/** As it is stored. */
export function placeOfBooking(present: LockedBooking): PlaceColumns {
  const { occupiedFrom, occupiedUntil, countedServices, countedCategories, placeVersion, heldTo } = present;
  return { occupiedFrom, occupiedUntil, countedServices, countedCategories, placeVersion, heldTo };
}

interface NextPlace {
  readonly present: LockedBooking;
  readonly next: NextState;
  readonly services: ServiceColumns;
  readonly enforce: Enforce;
}

const placed: readonly string[] = ['date', 'services', 'serviceCategory'];

/**
 * The columns of the place after an update, with the set-up that it was taken by; one that the update does not concern stays as it
 * is stored. Throws as `takePlace`.
 */
export async function nextPlace(
  { clock }: Pick<Context, 'clock'>,
  tx: Queryable,
  { present, next, services, enforce }: NextPlace,
): Promise<PlaceColumns & Pick<BookingChange, 'setupVersion'>> {
  const { workshopId, createdAt } = present.booking;
  const { content, changed } = next;
  if (!changed.some((field) => placed.includes(field))) {
    return { ...placeOfBooking(present), setupVersion: null };
  }
  const rules = await freshRules(tx, workshopId);
  if (rules === null) throw new Problem('030001');
  const place = await takePlace({ db: tx, clock }, rules, {
    ...{ workshopId, partnerId: null, enforce, own: storedPlace(present) },
    ...needOf({ ...services, date: content.date, createdAt: new Date(createdAt) }),
    stays: !changed.includes('date'),
  });
  return { ...place, setupVersion: rules.version };
}
