/** The place of a booking: what it needs one for, and the one that it has after an update. */
import { type Need, type PlaceColumns, storedPlace } from '#availability/places/place.ts';
import { freshRules } from '#availability/places/rules.ts';
import { type Taking, takePlace } from '#availability/places/take.ts';
import { countedItems } from '#availability/wish.ts';
import type { ServiceCategory } from '#catalogue/categories.ts';
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { Problem } from '#errors.ts';
import type { BookingChange, LockedBooking } from './change/store.ts';
import type { NextState } from './rules.ts';

interface PlaceFields {
  readonly date: Date;
  readonly createdAt: Date;
  readonly services: object;
  readonly serviceCategory: string | null;
}

/** An item without a category counts as `others`. */
export function needOf({ date, createdAt, services, serviceCategory }: PlaceFields): Need {
  const items = (services as readonly { readonly category?: string | null }[]).map(({ category }) => ({
    id: null,
    category: category ?? 'others',
  }));
  return {
    date,
    createdAt,
    minutes: 0,
    items: countedItems(items, serviceCategory as ServiceCategory | null),
  };
}

const placed: readonly string[] = ['date', 'services', 'serviceCategory'];

/**
 * The columns of the place after an update, with the set-up that it was taken by; one that the update does not concern stays as it
 * is stored. Throws as `takePlace`.
 */
export async function nextPlace(
  { clock }: Pick<Context, 'clock'>,
  tx: Queryable,
  present: LockedBooking,
  { content, changed }: NextState,
  enforce: Taking['enforce'],
): Promise<PlaceColumns & Pick<BookingChange, 'setupVersion'>> {
  const { workshopId, createdAt } = present.booking;
  if (!changed.some((field) => placed.includes(field))) {
    const { occupiedFrom, occupiedUntil, countedServices, countedCategories, placeVersion, heldTo } = present;
    const counted = { countedServices, countedCategories };
    return { occupiedFrom, occupiedUntil, ...counted, placeVersion, heldTo, setupVersion: null };
  }
  const rules = await freshRules(tx, workshopId);
  if (rules === null) throw new Problem('030001');
  const place = await takePlace({ db: tx, clock }, rules, {
    ...{ workshopId, partnerId: null, enforce, own: storedPlace(present) },
    ...needOf({ ...content, createdAt: new Date(createdAt) }),
    stays: !changed.includes('date'),
  });
  return { ...place, setupVersion: rules.version };
}
