/** Counts a customer's answer to a quote under the limits of pages, in the commit of the answer. */
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { boundVisit, countedAt } from '#product/customer-pages/bounded.ts';
import type { QuoteVersion } from '../store.ts';
import type { OpenedQuote } from './open.ts';

/** An acceptance notifies the customer of the booking that it makes; a decline notifies only the workshop. */
export const boundedResponse =
  (
    context: Pick<Context, 'config' | 'log'>,
    { shop }: OpenedQuote,
    address: string,
  ): Alongside<QuoteVersion> =>
  (tx, { quote, version }) => {
    const { id, bookingId } = quote;
    const customer = bookingId === null ? null : quote.customer;
    const changed = [
      { subjectId: id, version },
      ...(bookingId === null ? [] : [{ subjectId: bookingId, version: 1 }]),
    ];
    return boundVisit(tx, context, countedAt(shop, address, customer), changed);
  };
