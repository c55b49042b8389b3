/** Counts a customer's answer to a quote under the limits of pages, in the commit of the answer. */
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { boundVisit, countedAt } from '#product/customer-pages/bounded.ts';
import type { QuoteVersion } from '../store.ts';
import type { OpenedQuote } from './open.ts';

/** An acceptance notifies the customer of the booking that it makes; a decline notifies only the workshop. Throws 429. */
export function boundResponse(
  tx: Queryable,
  context: Pick<Context, 'config' | 'log'>,
  { shop }: OpenedQuote,
  address: string,
  { quote, version }: QuoteVersion,
): Promise<void> {
  const { id, bookingId } = quote;
  const customer = bookingId === null ? null : quote.customer;
  const changed = [
    { subjectId: id, version },
    ...(bookingId === null ? [] : [{ subjectId: bookingId, version: 1 }]),
  ];
  return boundVisit(tx, context, countedAt(shop, address, customer), changed);
}
