/** GET /bookings: a page of a partner's bookings, or of the feed of their changes (areas, section 4). */
import type { Static } from 'typebox';
import type { Context } from '#context.ts';
import { invalidFields } from '#errors.ts';
import { normaliseString } from '#values/text.ts';
import { listOwn } from '#workshops/access/own-list.ts';
import { instantOf } from '../field.ts';
import type { Booking, ListBookingsQuery } from '../schema.ts';
import { type BookingFilters, listBookings, readBookingFeed } from './store.ts';

export interface BookingPage {
  readonly bookings: Booking[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for dates that end before they begin and for a cursor of another list, 404 030001. */
export async function listOwnBookings(
  { db }: Pick<Context, 'db'>,
  partnerId: string,
  query: Static<typeof ListBookingsQuery>,
): Promise<BookingPage> {
  const filters = filtersOf(query);
  const { limit, cursor, updatedSince } = query;
  const since = updatedSince === undefined ? null : instantOf(updatedSince);
  const workshopId = filters.workshopId ?? null;
  const request = { partnerId, workshopId, limit, cursor, since, filters: { ...filters } };
  const { items, nextCursor } = await listOwn<Booking>(db, request, {
    list: (after, atMost) => listBookings(db, partnerId, filters, after, atMost),
    feed: (page) => readBookingFeed(db, partnerId, filters, page),
  });
  return { bookings: [...items], nextCursor };
}

function filtersOf(query: Static<typeof ListBookingsQuery>): BookingFilters {
  const { workshopId, status } = query;
  // In the form in which the compared value was stored; an empty value filters nothing.
  const externalId = normaliseString(query.externalId ?? '') || undefined;
  const [from, to] = [query.from, query.to].map((text) => (text === undefined ? undefined : instantOf(text)));
  if (from !== undefined && to !== undefined && to < from) {
    throw invalidFields([{ field: 'to', message: 'must not be before from' }]);
  }
  return {
    ...(workshopId === undefined ? {} : { workshopId: workshopId.toLowerCase() }),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(externalId === undefined ? {} : { externalId }),
  };
}
