/** A customer requests the work of an ended quote again: a new request of the same partner, or of the workshop's own, of which the workshop is notified. */
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { type Claim, once } from '#platform/idempotency/once.ts';
import { finishClaim } from '#platform/idempotency/store.ts';
import type { Visitor } from '#platform/pages/visitor.ts';
import { boundVisit, countedAt } from '#product/customer-pages/bounded.ts';
import { type CreateQuote, createQuote, makeOwnQuote } from '../create.ts';
import type { CreateQuoteBody, Quote } from '../schema.ts';
import type { OpenedQuote } from './open.ts';

/** Whether it has ended, and can be requested again. */
export const mayAskAgain = ({ quote, isOpen }: OpenedQuote) =>
  isOpen && (quote.status === 'declined' || quote.status === 'expired');

/** Returns the code of the new quote. For each quote there is one new quote a day, however often it is requested. Throws 429. */
export async function askAgain(context: Context, opened: OpenedQuote, visitor: Visitor): Promise<string> {
  const { quote, partnerId } = opened;
  const request = {
    ...{ partnerId: partnerId ?? quote.workshopId, path: '/q/again', body: {} },
    key: `page again ${quote.id}`,
  };
  const made = await once(context, request, (claim) => makeAgain(context, opened, visitor, claim));
  const { code } = made.replayed ? (made.body as { quote: Quote }).quote : made.result;
  return code;
}

/** Null: the claim was lost. Also throws ClaimLost. */
async function makeAgain(
  context: Context,
  opened: OpenedQuote,
  { address, actor }: Visitor,
  claim: Claim,
): Promise<Quote | null> {
  const { quote, partnerId, shop } = opened;
  const { workshopId, customerId } = quote;
  const request: Omit<CreateQuote, 'partnerId' | 'claim'> = {
    ...{ actor, found: [], body: bodyOf(quote), phone: quote.customer.phone },
    items: quote.services.map((item, n) => ({ item, minutes: opened.serviceMinutes[n] ?? 0 })),
  };
  return change(context, async ({ tx, within }) => {
    const own = { customerId, hidesNumbers: 'filledIn', price: null } as const;
    const again =
      partnerId === null
        ? await makeOwnQuote(within, { ...request, ...own, partnerId, claim: null })
        : await createQuote(within, { ...request, partnerId, claim });
    if (again === null) return null;
    await boundVisit(tx, context, countedAt(shop, address, null), [{ subjectId: again.id, version: 1 }]);
    if (partnerId === null) await finishClaim(tx, workshopId, claim, 201, { success: true, quote: again });
    return again;
  });
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
