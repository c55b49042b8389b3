/** GET /quotes: a page of a partner's quotes, or of the feed of their changes. */
import type { Context } from '#context.ts';
import { commonFilters } from '#http/list-filters.ts';
import { listOwn } from '#workshops/access/own-list.ts';
import type { ListQuotesQuery, Quote } from '../schema.ts';
import { quoteRows } from './store.ts';

export interface QuotePage {
  readonly quotes: Quote[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for a cursor of another list, 404 030001. */
export async function listOwnQuotes(
  context: Pick<Context, 'db' | 'sealing'>,
  partnerId: string,
  query: ListQuotesQuery,
): Promise<QuotePage> {
  const { status } = query;
  const filters = { ...commonFilters(query), ...(status === undefined ? {} : { status }) };
  const { items, nextCursor } = await listOwn(context, quoteRows, partnerId, query, filters);
  return { quotes: items, nextCursor };
}
