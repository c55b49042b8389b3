/** A booking for somebody who stands at the desk (specification: The workshop's own bookings 12). */
import type { FieldFault } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { dateAt } from '#base/values/local-day.ts';
import type { Queryable } from '#platform/db/database.ts';
import { changeAttendance, recordAttended } from './attendance.ts';

const quarterMs = 15 * 60_000;

/** When it begins unless another time is chosen: the next quarter of an hour. */
export const nextQuarter = (now: Date): Date => new Date(Math.ceil(now.getTime() / quarterMs) * quarterMs);

/** Somebody is here today, and not on another day; `at` is null when no valid time was typed. */
export function hereFaults(at: Date | null, timezone: string, now: Date): FieldFault[] {
  const isToday = at === null || dateAt(at.getTime(), timezone) === dateAt(now.getTime(), timezone);
  return isToday
    ? []
    : [{ field: 'here', message: 'is for a time of today: clear it, or choose another time' }];
}

/** Marks that the customer has come, in the commit that makes the booking. */
export async function markHere(
  tx: Queryable,
  booking: { readonly workshopId: string; readonly id: string },
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): Promise<void> {
  const change = { workshopId: booking.workshopId, bookingId: booking.id, actor };
  await recordAttended(tx, change, await changeAttendance(tx, { ...change, state: 'here' }, at), at);
}
