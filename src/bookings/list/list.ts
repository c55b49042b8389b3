/** GET /bookings: a page of a partner's bookings, or of the feed of their changes. */
import type { Static } from 'typebox';
import type { Context } from '#context.ts';
import { commonFilters } from '#http/list-filters.ts';
import { listOwn } from '#workshops/access/own-list.ts';
import type { Booking, ListBookingsQuery } from '../schema.ts';
import { bookingRows } from './store.ts';

export interface BookingPage {
  readonly bookings: Booking[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for dates that end before they begin and for a cursor of another list, 404 030001. */
export async function listOwnBookings(
  context: Pick<Context, 'db' | 'sealing'>,
  partnerId: string,
  query: Static<typeof ListBookingsQuery>,
): Promise<BookingPage> {
  const { status } = query;
  const filters = { ...commonFilters(query), ...(status === undefined ? {} : { status }) };
  const { items, nextCursor } = await listOwn(context, bookingRows, partnerId, query, filters);
  return { bookings: items, nextCursor };
}
