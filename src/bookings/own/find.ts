/** Finds bookings for staff: one by its id or code, or a workshop's bookings by date in its own zone. */
import type { Queryable } from '#db/database.ts';
import { type FieldFault, found, InvalidInput } from '#operator-error.ts';
import { readCode } from '#values/code.ts';
import { isId } from '#values/id.ts';
import { dateAt, localDay } from '#values/local-day.ts';
import { partOfPhone } from '#values/phone-part.ts';
import { normaliseRego } from '#values/rego.ts';
import { parseTypedDay, parseTypedPeriod, typedDayForms } from '#values/typed-time.ts';
import { requireWorkshop } from '#workshops/store.ts';
import { bookingStatuses } from '../schema.ts';
import { findWorkshopBooking, listWorkshopBookings, type WorkshopBooking } from './store.ts';

/** Throws OperatorError when there is no such booking. */
export async function requireBooking(db: Queryable, idOrCode: string): Promise<WorkshopBooking> {
  const booking = await findWorkshopBooking(
    db,
    isId(idOrCode) ? { id: idOrCode } : { code: readCode(idOrCode) },
  );
  return found('booking', idOrCode, booking);
}

/** As typed. */
export interface BookingSearch {
  readonly workshop: string;
  readonly status?: string;
  /** As `parseTypedTime` takes them. From the beginning of today unless given. */
  readonly from?: string;
  readonly to?: string;
  /** In place of both: `today`, `tomorrow` or a date. */
  readonly day?: string;
  /** Parts, in any form in which people write them. */
  readonly rego?: string;
  readonly name?: string;
  readonly phone?: string;
  /** Ids. */
  readonly customer?: string;
  readonly partner?: string;
}

/**
 * What reads pages of the bookings: `limit` of those after the booking `cursor`, by date. Throws InvalidInput that names every bad
 * option, OperatorError when there is no such workshop.
 */
export async function findBookings(
  db: Queryable,
  now: Date,
  search: BookingSearch,
): Promise<(rows: { readonly cursor: string | null; readonly limit: number }) => Promise<WorkshopBooking[]>> {
  const { workshopId, timezone, country } = await requireWorkshop(db, search.workshop);
  const { from, to, errors } = periodOf(search, timezone, now);
  const statuses = bookingStatuses.filter((status) => (search.status ?? status) === status);
  if (statuses.length === 0) {
    errors.push({ field: 'status', message: `must be one of ${bookingStatuses.join(', ')}` });
  }
  const { customer: customerId = null, partner: partnerId = null } = search;
  for (const [field, id] of Object.entries({ customer: customerId, partner: partnerId })) {
    if (id !== null && !isId(id)) errors.push({ field, message: 'is not an id' });
  }
  const phone = search.phone === undefined ? null : partOfPhone(search.phone, country);
  if (search.phone !== undefined && phone === null)
    errors.push({ field: 'phone', message: 'must be a phone number, or at least 3 digits of one' });
  const { name = null } = search;
  const rego = search.rego === undefined ? null : normaliseRego(search.rego);
  if (errors.length > 0) throw new InvalidInput(errors);
  const parts = { rego, name, phone: phone?.digits };
  const wanted = { workshopId, from, to, statuses, customerId, partnerId, ...parts };
  return ({ cursor: after, limit }) => listWorkshopBookings(db, { ...wanted, after, limit });
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
