/** Counts a customer's answer to a quote under the limits of pages, in the commit of the answer. */
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { boundChange } from '#platform/pages/bounds/bound.ts';
import { countNotifyPhones } from '#product/workshops/store.ts';
import type { QuoteVersion } from '../store.ts';
import type { OpenedQuote } from './open.ts';

/** An acceptance notifies the customer of the booking that it makes; a decline notifies only the workshop. */
export const boundedAnswer =
  (
    context: Pick<Context, 'config' | 'log'>,
    { shop }: OpenedQuote,
    address: string,
  ): Alongside<QuoteVersion> =>
  async (tx, { quote, version }) => {
    const { id, bookingId } = quote;
    const { workshopId, country } = shop;
    const customer = bookingId === null ? null : quote.customer;
    const changed = [
      { subjectId: id, version },
      ...(bookingId === null ? [] : [{ subjectId: bookingId, version: 1 }]),
    ];
    const workshopSms = await countNotifyPhones(tx, workshopId);
    const visited = { workshopId, country, address, customer, workshopSms, isNew: false };
    await boundChange(tx, context, visited, changed);
  };
