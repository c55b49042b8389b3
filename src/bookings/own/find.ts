/** Finds bookings for staff: one by its id or code, or a workshop's bookings by date in its own zone. */
import type { Queryable } from '#db/database.ts';
import type { FieldError } from '#errors.ts';
import { InvalidInput, OperatorError } from '#operator-error.ts';
import { readCode } from '#values/code.ts';
import { isId } from '#values/id.ts';
import { parseInstant } from '#values/instant.ts';
import { parseLocalTime } from '#values/local-time.ts';
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
  readonly limit?: string;
  readonly after?: string;
}

export interface FoundBookings {
  readonly bookings: readonly WorkshopBooking[];
  /** The cursor of the next page; null at the end. */
  readonly nextAfter: string | null;
}

/** Throws InvalidInput that names every bad option, OperatorError when there is no such workshop. */
export async function findBookings(db: Queryable, now: Date, search: BookingSearch): Promise<FoundBookings> {
  const { workshopId, timezone } = await requireWorkshop(db, search.workshop);
  const errors: FieldError[] = [];
  const instant = (field: 'from' | 'to'): Date | null => {
    const text = search[field];
    if (text === undefined) return null;
    const at = parseLocalTime(text, timezone) ?? parseInstant(text);
    if (at === null) errors.push({ field, message: 'must be like 2030-03-03 or "2030-03-03 09:30"' });
    return at;
  };
  const [from, to] = [instant('from') ?? startOfDay(now, timezone), instant('to')];
  const statuses = bookingStatuses.filter((status) => (search.status ?? status) === status);
  if (statuses.length === 0) {
    errors.push({ field: 'status', message: `must be one of ${bookingStatuses.join(', ')}` });
  }
  const limit = Number(search.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    errors.push({ field: 'limit', message: 'must be a whole number from 1 to 1000' });
  }
  const { after = null } = search;
  if (after !== null && !isId(after)) errors.push({ field: 'after', message: 'is not an id' });
  if (errors.length > 0) throw new InvalidInput(errors);

  const found = await listWorkshopBookings(db, { workshopId, from, to, statuses, after, limit: limit + 1 });
  const bookings = found.slice(0, limit);
  return { bookings, nextAfter: found.length > limit ? (bookings.at(-1)?.id ?? null) : null };
}

function startOfDay(now: Date, timezone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone);
  return new Date(local.startOfDay().epochMilliseconds);
}
