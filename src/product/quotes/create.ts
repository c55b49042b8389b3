/**
 * Requests a quote: POST /quotes, or a customer on the page of an expired one. One statement writes customer, car, quote and event.
 */

import type { Actor } from '#base/values/actor.ts';
import { newCode } from '#base/values/code.ts';
import { isId, newId } from '#base/values/id.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { type FieldError, Problem } from '#errors.ts';
import { type ChangeContext, change, changeAtOnce } from '#platform/change/change.ts';
import { actorValues } from '#platform/events/record.ts';
import type { Claim } from '#platform/idempotency/once.ts';
import { OutdatedRules } from '#product/availability/places/again.ts';
import { apart, settleChosen } from '#product/bookings/own-customer.ts';
import type { StoredItem } from '#product/catalogue/enrich.ts';
import { acceptedPhone } from '#product/orders/accepted-phone.ts';
import { customerNames } from '#product/orders/customer-names.ts';
import { valuesOf } from '#product/orders/field.ts';
import { carFields, orderFields } from '#product/orders/fields.ts';
import { newItems } from '#product/orders/services.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import type { CreateQuoteBody, Quote } from './schema.ts';
import {
  type CreatedRow,
  insertOwnQuote,
  insertOwnRequest,
  insertQuote,
  type NewQuote,
  type OwnQuote,
} from './store.ts';

/** The code of the customer's page: 32^10 values, and guesses are rate-limited. */
const codeLength = 10;

export interface CreateQuote {
  readonly partnerId: string;
  readonly actor: Actor;
  readonly body: CreateQuoteBody;
  /** E.164; null when it is invalid, or when there is no such workshop. */
  readonly phone: string | null;
  /** Faults of the phone; those of services are added. */
  readonly found: readonly FieldError[];
  readonly claim: Claim | null;
  /** Services that are already filled; they replace those of the body. */
  readonly items?: readonly StoredItem[];
}

type Insert = (quote: NewQuote) => Promise<CreatedRow | null>;

/** Resolves to null when the idempotency claim was lost. Throws, in this order, 404 030001, 403 000004 and 400 000001. */
export function createQuote(context: ChangeContext, request: CreateQuote): Promise<Quote | null> {
  return create(context, request, (quote) => insertQuote(context.db, quote));
}

/** A quote of the workshop's own. */
export interface CreateOwnQuote extends Omit<CreateQuote, 'partnerId' | 'claim'> {
  readonly partnerId: null;
  readonly claim: null;
  /** A chosen customer of the workshop; null: whoever has the phone, or a new one. */
  readonly customerId: string | null;
  /** As in `CreateBooking`. */
  readonly hidesNumbers: 'typed' | 'filledIn' | null;
  /** Null: its customer asks for it, and it waits for a price. */
  readonly price:
    | (Pick<OwnQuote, 'lines' | 'total' | 'message' | 'validUntil' | 'notifyCustomer'> & {
        readonly urlOf: (code: string) => string | null;
      })
    | null;
}

/** One event tells the customer of the price, or the workshop of the request. Throws as `createQuote`. */
export function makeOwnQuote(context: ChangeContext, request: CreateOwnQuote): Promise<Quote> {
  const { customerId, hidesNumbers, price } = request;
  return change(context, async ({ tx, within }) => {
    const made = await create(within, request, async (quote) => {
      const own = { ...quote, customerId, keepsName: true, isApart: false };
      const whose = hidesNumbers === null ? own : await apart(tx, own, hidesNumbers);
      await settleChosen(tx, whose);
      return price === null
        ? insertOwnRequest(within.db, whose)
        : insertOwnQuote(within.db, { ...whose, ...price, url: price.urlOf(quote.code) });
    });
    if (made === null) throw new Error('a quote without a claim was not made');
    return made;
  });
}

async function create(
  context: ChangeContext,
  request: CreateQuote | CreateOwnQuote,
  insert: Insert,
): Promise<Quote | null> {
  const { partnerId, body, claim } = request;
  const { db, clock } = context;
  const workshopId = body.workshopId.toLowerCase();
  if (!isId(workshopId)) throw new Problem('030001');
  const quote = {
    ...{ partnerId, workshopId },
    ...customerNames(body.customerName),
    customerEmail: body.customerEmail,
    carRego: normaliseRego(body.carRego),
    ...valuesOf(orderFields, body),
    ...valuesOf(carFields, body),
    quoteId: newId(),
    newCustomerId: newId(),
    newCarId: newId(),
    eventId: newId(),
    notifyWorkshop: body.skipNotification !== true,
    now: clock.now(),
    ...actorValues(request.actor),
    idempotencyKey: claim?.idempotencyKey ?? null,
    claimOwner: claim?.claimOwner ?? null,
  };
  return changeAtOnce(context, async () => {
    const { stored, version, found } =
      request.items === undefined
        ? await newItems(db, workshopId, body.services)
        : { stored: request.items, version: null, found: [] };
    const made = await insert({
      ...quote,
      code: newCode(codeLength),
      customerPhone: await acceptedPhone(db, request, found),
      services: stored.map(({ item }) => item),
      serviceMinutes: stored.map(({ minutes }) => minutes),
      setupVersion: version,
    });
    requireLink(made);
    if (!made.setupIsCurrent) throw new OutdatedRules(workshopId, null);
    return made.quote;
  });
}
