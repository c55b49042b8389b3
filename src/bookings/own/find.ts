/** Finds bookings for staff: one by its id or code, or a workshop's bookings by date in its own zone. */
import type { Queryable } from '#db/database.ts';
import type { FieldError } from '#errors.ts';
import { InvalidInput, OperatorError } from '#operator-error.ts';
import { readCode } from '#values/code.ts';
import { isId } from '#values/id.ts';
import { parseTypedPeriod } from '#values/typed-time.ts';
import { requireWorkshop } from '#workshops/require.ts';
import { bookingStatuses } from '../schema.ts';
import { findWorkshopBooking, listWorkshopBookings, type WorkshopBooking } from './store.ts';

/** Throws OperatorError when there is no such booking. */
export async function requireBooking(db: Queryable, idOrCode: string): Promise<WorkshopBooking> {
  const booking = await findWorkshopBooking(
    db,
    isId(idOrCode) ? { id: idOrCode } : { code: readCode(idOrCode) },
  );
  if (booking === null) throw new OperatorError(`there is no booking ${idOrCode}`);
  return booking;
}

/** As typed. */
export interface BookingSearch {
  readonly workshop: string;
  readonly status?: string;
  /** In the workshop's zone, `2030-03-03` or `2030-03-03 09:30`, or RFC 3339. From the beginning of today unless given. */
  readonly from?: string;
  readonly to?: string;
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
  const { workshopId, timezone } = await requireWorkshop(db, search.workshop);
  const { from: typedFrom, to, errors: wrongTimes } = parseTypedPeriod(search, timezone);
  const from = typedFrom ?? startOfDay(now, timezone);
  const errors: FieldError[] = [...wrongTimes];
  const statuses = bookingStatuses.filter((status) => (search.status ?? status) === status);
  if (statuses.length === 0) {
    errors.push({ field: 'status', message: `must be one of ${bookingStatuses.join(', ')}` });
  }
  const { customer: customerId = null, partner: partnerId = null } = search;
  for (const [field, id] of Object.entries({ customer: customerId, partner: partnerId })) {
    if (id !== null && !isId(id)) errors.push({ field, message: 'is not an id' });
  }
  if (errors.length > 0) throw new InvalidInput(errors);
  const wanted = { workshopId, from, to, statuses, customerId, partnerId };
  return ({ cursor: after, limit }) => listWorkshopBookings(db, { ...wanted, after, limit });
}

function startOfDay(now: Date, timezone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone);
  return new Date(local.startOfDay().epochMilliseconds);
}
