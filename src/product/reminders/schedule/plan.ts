/** Schedules the reminder after a completed booking when its workshop has `reminderMonths` (specification: Service reminders 7). */

import { newId } from '#base/values/id.ts';
import type { Planner } from '#platform/events/reaction.ts';
import { newReminderCode } from '#product/bookings/reminder-code/code.ts';
import { carOf, catalogueServiceOf, customerOf } from '../known.ts';
import { insertFollowing, readCompleted } from './store.ts';

/** `months` after the booking's local date, at 10:00 local time. */
export function dueAfter(bookingDate: Date, months: number, timezone: string): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(bookingDate.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .add({ months });
  return new Date(day.toZonedDateTime({ timeZone: timezone, plainTime: '10:00' }).epochMilliseconds);
}

/** One for each booking of a partner, unless it would be due already or the car has a later booking. */
export const scheduleReminders: Planner = async (tx, events, { clock }) => {
  const now = clock.now();
  const completed = await readCompleted(
    tx,
    events.map(({ id }) => id),
  );
  const rows = completed
    .map(({ booking, months, timezone, ...its }) => ({
      ...its,
      id: newId(),
      code: newReminderCode(),
      customerId: booking.customerId,
      carId: booking.carId,
      lastBookingId: booking.id,
      lastServiceId: catalogueServiceOf(booking),
      customer: customerOf(booking),
      car: carOf(booking),
      dueAt: dueAfter(new Date(booking.date), months, timezone),
    }))
    .filter(({ dueAt }) => dueAt > now);
  if (rows.length > 0) await insertFollowing(tx, rows, now);
};
