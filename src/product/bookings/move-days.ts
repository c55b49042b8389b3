/** The free times to which a booking can be moved. */

import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { readMoveDays } from '#product/availability/places/moves.ts';
import { storedPlace } from '#product/availability/places/place.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import { readPlacedBooking } from './change/store.ts';
import { needOf } from './place.ts';

/** The days from one local date to another, both included. Throws 404 060001. */
export async function moveDays(
  context: Pick<Context, 'db' | 'clock'>,
  bookingId: string,
  from: string,
  to: string,
): Promise<AvailabilityDay[]> {
  const present = await readPlacedBooking(context.db, null, bookingId);
  if (present === null) throw new Problem('060001');
  const { booking, serviceMinutes } = present;
  const { workshopId, services, serviceCategory } = booking;
  const [date, createdAt] = [new Date(booking.date), new Date(booking.createdAt)];
  const need = needOf({ date, createdAt, services, serviceMinutes, serviceCategory });
  return readMoveDays(context, { workshopId, need, own: storedPlace(present) }, from, to);
}
