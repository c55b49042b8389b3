/** A customer requests the work of an expired quote again: a new request of the same partner, of which the workshop is notified. */
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { once } from '#platform/idempotency/once.ts';
import type { Visitor } from '#platform/pages/visitor.ts';
import { boundVisit, countedAt } from '#product/customer-pages/bounded.ts';
import { createQuoteWith } from '../create.ts';
import type { CreateQuoteBody, Quote } from '../schema.ts';
import type { OpenedQuote } from './open.ts';

/** Whether it has ended, and can be requested again: a partner's, since the workshop's own was never asked for. */
export const mayAskAgain = ({ quote, isOpen, partnerId }: OpenedQuote) =>
  isOpen && partnerId !== null && (quote.status === 'declined' || quote.status === 'expired');

/** Returns the code of the new quote. For each quote there is one new quote a day, however often it is requested. Throws 429. */
export async function askAgain(
  context: Context,
  opened: OpenedQuote,
  { address, actor }: Visitor,
): Promise<string> {
  const { quote, partnerId, shop } = opened;
  if (partnerId === null) throw new Problem('050001');
  const request = { partnerId, path: '/q/again', body: {}, key: `page again ${quote.id}` };
  const made = await once(context, request, (claim) =>
    createQuoteWith(
      context,
      {
        ...{ partnerId, actor, claim, found: [] },
        body: bodyOf(quote),
        phone: quote.customer.phone,
        items: quote.services.map((item, n) => ({ item, minutes: opened.serviceMinutes[n] ?? 0 })),
      },
      (tx, { id: subjectId }) =>
        boundVisit(tx, context, countedAt(shop, address, null), [{ subjectId, version: 1 }]),
    ),
  );
  const { code } = made.replayed ? (made.body as { quote: Quote }).quote : made.result;
  return code;
}

function bodyOf({ workshopId, customer, car, notes, externalId }: Quote): CreateQuoteBody {
  return {
    workshopId,
    ...{
      customerName: customer.name,
      customerPhone: customer.phone ?? '',
      customerEmail: customer.email ?? '',
    },
    ...{ customerCompany: customer.company, notes, externalId, services: [] },
    ...{ carRego: car.rego, carYear: car.year, carMake: car.make, carModel: car.model },
    ...{ carBadge: car.badge, carVin: car.vin },
  };
}
