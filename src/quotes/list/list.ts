/** GET /quotes: a page of a partner's quotes, or of the feed of their changes (areas, section 6). */
import { instantOf } from '#bookings/field.ts';
import type { Context } from '#context.ts';
import { normaliseString } from '#values/text.ts';
import { listOwn } from '#workshops/access/own-list.ts';
import type { ListQuotesQuery, Quote } from '../schema.ts';
import { listQuotes, type QuoteFilters, readQuoteFeed } from './store.ts';

export interface QuotePage {
  readonly quotes: Quote[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for a cursor of another list, 404 030001. */
export async function listOwnQuotes(
  { db }: Pick<Context, 'db'>,
  partnerId: string,
  { limit, cursor, updatedSince, ...query }: ListQuotesQuery,
): Promise<QuotePage> {
  const filters = filtersOf(query);
  const since = updatedSince === undefined ? null : instantOf(updatedSince);
  const workshopId = filters.workshopId ?? null;
  const request = { partnerId, workshopId, limit, cursor, since, filters: { ...filters } };
  const { items, nextCursor } = await listOwn<Quote>(db, request, {
    list: (after, atMost) => listQuotes(db, partnerId, filters, after, atMost),
    feed: (page) => readQuoteFeed(db, partnerId, filters, page),
  });
  return { quotes: [...items], nextCursor };
}

function filtersOf({ workshopId, status, externalId }: ListQuotesQuery): QuoteFilters {
  // In the form in which the compared value was stored; an empty value filters nothing.
  const reference = normaliseString(externalId ?? '') || undefined;
  return {
    ...(workshopId === undefined ? {} : { workshopId: workshopId.toLowerCase() }),
    ...(status === undefined ? {} : { status }),
    ...(reference === undefined ? {} : { externalId: reference }),
  };
}
