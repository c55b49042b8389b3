/** The place of a booking whose change is undone. */

import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import {
  isSamePlace,
  type Place,
  type PlaceColumns,
  storedPlace,
} from '#product/availability/places/place.ts';
import { freshRules } from '#product/availability/places/rules.ts';
import { takePlace } from '#product/availability/places/take.ts';
import type { LockedBooking } from '../change/store.ts';
import { needOf, placeOfBooking } from '../place.ts';
import type { BookingRow } from './store.ts';

/**
 * The columns of the previous place, and the version of the set-up that it was taken under; null: any. When the change did not
 * affect the place, the present one stays. Throws as `takePlace` when others have the place now.
 */
export async function placeAgain(
  tx: Queryable,
  now: Date,
  present: LockedBooking,
  previous: BookingRow,
): Promise<PlaceColumns & { readonly setupVersion: number | null }> {
  const own = storedPlace(present);
  if (isSamePlace(own, placeBefore(previous))) return { ...placeOfBooking(present), setupVersion: null };
  const { workshopId } = present.booking;
  const rules = await freshRules(tx, workshopId);
  if (rules === null) throw new Problem('030001');
  const { services, service_minutes: serviceMinutes, service_category: serviceCategory } = previous;
  const date = new Date(previous.date);
  const place = await takePlace(tx, now, rules, {
    ...{
      workshopId,
      partnerId: null,
      enforce: previous.anyway_reason === null ? 'asSet' : 'never',
      own,
      comesBack: true,
    },
    ...needOf({ date, createdAt: new Date(previous.created_at), services, serviceMinutes, serviceCategory }),
    stays: date.getTime() === Date.parse(present.booking.date),
  });
  return { ...place, setupVersion: rules.version };
}

function placeBefore(row: BookingRow): Place | null {
  const { occupied_from: from, occupied_until: until } = row;
  if (from === null || until === null) return null;
  return {
    occupiedFrom: new Date(from),
    occupiedUntil: new Date(until),
    countedServices: row.counted_services ?? [],
    countedCategories: row.counted_categories ?? [],
  };
}
