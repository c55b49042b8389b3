/** Opens a booking by the code of its manage link; a wrong code counts as a guess. */

import { readCode } from '#base/values/code.ts';
import type { Context } from '#platform/context.ts';
import { boundedGuess } from '#platform/pages/guesses.ts';
import { findManagedBooking, type ManagedBooking } from '#product/bookings/manage-link/store.ts';
import { findPageWorkshop } from '#product/customer-pages/store.ts';
import { isOn, type ShownBooking } from './booking-page.ts';

export interface OpenedBooking extends ShownBooking, ManagedBooking {
  /** Whether its customer may move or cancel it: the workshop allows it, and it is neither finished nor past. */
  readonly mayChange: boolean;
}

/** Throws 404 and 429. */
export async function openBooking(
  context: Pick<Context, 'db' | 'clock'>,
  typed: string,
  address: string,
): Promise<OpenedBooking> {
  const code = readCode(typed);
  const found = await boundedGuess(context, { of: 'manage-link', address }, () =>
    findManagedBooking(context.db, code),
  );
  const { booking } = found;
  const shop = await findPageWorkshop(context.db, booking.workshopId);
  const isAhead = new Date(booking.date) > context.clock.now();
  return { ...found, code, shop, mayChange: shop.customerMayChange && isOn(booking) && isAhead };
}
