/** The proposed time of a booking, read from an address or a form; it changes nothing. */
import type { FieldFault } from '#base/operator-error.ts';
import { addDays } from '#base/values/local-day.ts';
import { notTyped, parseTypedTime } from '#base/values/typed-time.ts';
import { type Form, readDate } from '#platform/pages/form.ts';
import type { WorkshopBooking } from '#product/bookings/record.ts';
import { typedTimes } from '#product/bookings/staff/typed.ts';
import { typedWhen, type When, whenAt, whenTyped } from './when.ts';

export interface Proposed {
  /** The values of the fields; for an unreadable proposal the present time of the booking. */
  readonly when: When;
  /** Why it is not a usable local time: skipped, shown twice, or invalid. */
  readonly faults: readonly FieldFault[];
}

/**
 * `at`: an instant, as RFC 3339 or typed, which is exact also where clocks show a time twice; with `days` what clocks show then, that many
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
