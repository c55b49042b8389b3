/** Checks that stored places match their bookings. */

import { type ChangeContext, change } from '#platform/change/change.ts';
import {
  isSamePlace,
  noPlace,
  type Place,
  type PlaceColumns,
  placeFor,
  storedPlace,
} from '#product/availability/places/place.ts';
import type { KnownRules } from '#product/availability/places/rules.ts';
import { needOf } from '#product/bookings/place.ts';
import type { Finding } from './finding.ts';
import { bookingsSince, lockPlaced, misplacedSince, type PlacedBooking, storePlace } from './store.ts';

const pageSize = 500;
const longestSlotMs = 24 * 60 * 60_000;

export interface CheckPlaces {
  readonly workshopId: string;
  readonly rules: KnownRules;
  /** Bookings of earlier dates are left out: past times are neither counted nor offered. */
  readonly since: Date;
  readonly repair: boolean;
}

/** Every wrong place. Repaired ones are computed again by the present set-up; no rule is checked for that. */
export async function* checkPlaces(
  context: ChangeContext,
  check: CheckPlaces,
): AsyncGenerator<Finding, number> {
  const { db } = context;
  const { workshopId, since } = check;
  let seen = 0;
  const findings = async (bookings: readonly PlacedBooking[]) => {
    seen += bookings.length;
    const wrong = bookings.filter((booking) => placeFault(check.rules, booking) !== null);
    return Promise.all(wrong.map((booking) => findingOf(context, check, booking)));
  };
  yield* await findings(await misplacedSince(db, workshopId, since));
  let after: PlacedBooking | null = null;
  do {
    const page: PlacedBooking[] = await bookingsSince(db, { workshopId, since, after, limit: pageSize });
    yield* await findings(page);
    after = page.length < pageSize ? null : (page.at(-1) ?? null);
  } while (after !== null);
  return seen;
}

async function findingOf(
  context: ChangeContext,
  { workshopId, rules, repair }: CheckPlaces,
  booking: PlacedBooking,
): Promise<Finding> {
  const message = placeFault(rules, booking) ?? '';
  if (repair)
    await change(context, async ({ tx }) => {
      const present = await lockPlaced(tx, booking.id);
      if (present !== null && placeFault(rules, present) !== null)
        await storePlace(tx, booking.id, placeOf(rules, present));
    });
  return { kind: 'place', workshopId, code: booking.code, at: booking.date, message, repaired: repair };
}

/** The correct place of a booking; null: none. */
function rightPlace(rules: KnownRules, booking: PlacedBooking): Place | null {
  return booking.status === 'cancelled' ? null : placeFor(rules, needOf(booking));
}

function placeOf(rules: KnownRules, booking: PlacedBooking): PlaceColumns {
  const place = rightPlace(rules, booking);
  return place === null ? noPlace : { ...place, placeVersion: rules.version, heldTo: null };
}

/**
 * The fault of a stored place; null when it is correct. A place of an older set-up may have another duration than it would have
 * now.
 */
function placeFault(rules: KnownRules, booking: PlacedBooking): string | null {
  const { date, status, placeVersion } = booking;
  const [stored, right] = [storedPlace(booking), rightPlace(rules, booking)];
  if (isSamePlace(stored, right)) return null;
  if (stored === null) return 'has no place';
  if (right === null)
    return status === 'cancelled'
      ? 'is cancelled and has a place'
      : 'was past when it was made and has a place';
  const counted = ({ countedServices, countedCategories }: Place) =>
    JSON.stringify([countedServices, countedCategories]);
  if (counted(stored) !== counted(right)) return 'counts for other services than it has';
  const before = date.getTime() - stored.occupiedFrom.getTime();
  if (before < 0 || before >= longestSlotMs || date >= stored.occupiedUntil)
    return 'has its place at another time';
  // Its start may be that of an older set-up: an update keeps it where the date stays.
  const length = (place: Place) => place.occupiedUntil.getTime() - place.occupiedFrom.getTime();
  return placeVersion === rules.version && length(stored) !== length(right)
    ? 'has its place for another time than it takes'
    : null;
}
