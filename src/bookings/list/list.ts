/** GET /bookings: a page of a partner's bookings, or of the feed of their changes (areas, section 4). */
import type { Static } from 'typebox';
import type { Context } from '#context.ts';
import { invalidFields, Problem } from '#errors.ts';
import { feedCursorAt, readFeedCursor } from '#http/feed-cursor.ts';
import { cutPage, type Filters, pageOf } from '#http/paging.ts';
import { isId } from '#values/id.ts';
import { normaliseString } from '#values/text.ts';
import { readGate } from '#workshops/access/store.ts';
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
  const { workshopId } = filters;
  if (workshopId !== undefined && !(isId(workshopId) && (await readGate(db, partnerId, workshopId)))) {
    throw new Problem('030001');
  }
  const { limit = 50, cursor, updatedSince } = query;
  const since = updatedSince === undefined ? undefined : instantOf(updatedSince);
  const bound = textsOf({ ...filters, updatedSince: since });
  if (since === undefined) {
    const page = pageOf(query, bound);
    const rows = await listBookings(db, partnerId, filters, page.after, page.limit + 1);
    const { items, nextCursor } = cutPage(rows, page);
    return { bookings: items.map(({ booking }) => booking), nextCursor };
  }
  const position = cursor === undefined ? null : readFeedCursor(cursor, bound);
  const { items, ...end } = await readBookingFeed(db, partnerId, filters, {
    since,
    position,
    limit,
  });
  return { bookings: [...items], nextCursor: feedCursorAt(end, bound) };
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

/** The filters as a cursor is bound to them: an instant has one notation. */
function textsOf(filters: BookingFilters & { readonly updatedSince: Date | undefined }): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}
