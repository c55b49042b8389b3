/** When a booking would be, as an address or a form says: nothing is changed by it. */
import type { FieldFault } from '#base/operator-error.ts';
import { addDays } from '#base/values/local-day.ts';
import { notTyped, parseTypedTime } from '#base/values/typed-time.ts';
import { type Form, readDate } from '#platform/pages/form.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { typedTimes } from '#product/bookings/staff/typed.ts';
import { typedWhen, type When, whenAt, whenTyped } from './when.ts';

export interface Proposed {
  /** As the fields show it; where it can't be read, when the booking is now. */
  readonly when: When;
  /** What speaks against it as a time of the workshop's clocks: skipped, shown twice, or no time at all. */
  readonly faults: readonly FieldFault[];
}

/**
 * `at`: an instant, as RFC 3339 or typed, which is exact also where clocks show a time twice; with `days` what clocks show then, so many
 * days later. Else `date` and `time` (and `which` of two), each as it is now where it is absent.
 */
export function proposed(
  { at = '', days = '0', date = '', time = '', which }: Form,
  booking: Pick<WorkshopBooking, 'date' | 'timezone'>,
  now: Date,
): Proposed {
  const { timezone } = booking;
  const own = whenAt(new Date(booking.date), timezone);
  const unread = (field: string, message: string) => ({ when: own, faults: [{ field, message }] });
  if (!/^-?\d{1,3}$/.test(days)) return unread('days', 'must be a whole number from -999 to 999');
  const instant = at === '' ? null : parseTypedTime(at, timezone, now);
  if (at !== '' && instant === null) return unread('to', notTyped);
  const isOwn = date === '' && time === '';
  const from =
    instant === null
      ? isOwn
        ? own
        : { date: date || own.date, time: time || own.time, which }
      : whenAt(instant, timezone);
  const day = readDate(from.date);
  if (day === undefined) return unread('to', notTyped);
  const when =
    days === '0' || at === ''
      ? whenTyped(from, timezone, now)
      : { date: addDays(day, Number(days)), time: from.time };
  const { errors } = typedTimes({ to: typedWhen({ ...when }) }, ['to'], { timezone, now, asksClock: true });
  return { when, faults: errors };
}
