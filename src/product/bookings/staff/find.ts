/** The staff's filters of bookings in addition to those of all records: a day, by default from today on, and partial matches. */
import type { FieldFault } from '#base/operator-error.ts';
import { dateAt, localDay } from '#base/values/local-day.ts';
import { partOfPhone } from '#base/values/phone-part.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { parseTypedDay, parseTypedPeriod, typedDayForms } from '#base/values/typed-time.ts';
import type { Workshop } from '#product/workshops/store.ts';

/** As typed. */
export interface BookingSearch {
  /** In the forms of `parseTypedTime`. Default: the beginning of today. */
  readonly from?: string;
  readonly to?: string;
  /** Instead of both: `today`, `tomorrow` or a date. */
  readonly day?: string;
  /** Partial, in any notation. */
  readonly rego?: string;
  readonly name?: string;
  readonly phone?: string;
}

/** The parsed filters, and the faults of the typed ones. */
export function readBookingSearch(
  search: BookingSearch,
  { timezone, country }: Pick<Workshop, 'timezone' | 'country'>,
  now: Date,
) {
  const { from, to, errors } = periodOf(search, timezone, now);
  const phone = search.phone === undefined ? null : partOfPhone(search.phone, country);
  if (search.phone !== undefined && phone === null)
    errors.push({ field: 'phone', message: 'must be a phone number, or at least 3 digits of one' });
  const rego = search.rego === undefined ? null : normaliseRego(search.rego);
  return { filters: { from, to, rego, name: search.name, phone: phone?.digits }, errors };
}

/** From the beginning of today on, unless something else was typed. */
function periodOf(search: BookingSearch, timezone: string, now: Date) {
  const { from, to, errors } = parseTypedPeriod(search, timezone, now);
  const faults: FieldFault[] = [...errors];
  const day = parseTypedDay(search.day ?? 'today', timezone, now);
  const { start, end } = localDay(day ?? dateAt(now.getTime(), timezone), timezone);
  if (day === null) faults.push({ field: 'day', message: `must be ${typedDayForms}` });
  if (search.day === undefined) return { from: from ?? new Date(start), to, errors: faults };
  if (search.from !== undefined || search.to !== undefined)
    faults.push({ field: 'day', message: 'stands in place of a period', code: 'dayAndPeriod' });
  return { from: new Date(start), to: new Date(end), errors: faults };
}
