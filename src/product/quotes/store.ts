/** SQL of quotes: request and read. Pricing, accepting and declining are in `change/store.ts`. */

import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { actorColumns, actorIn, insertEvents } from '#platform/events/record.ts';
import { claimColumns, finishClaimCte } from '#platform/idempotency/store.ts';
import { earlierDetails } from '#product/bookings/store.ts';
import { ownCar, ownerColumns, ownerCtes, ownOwnerCtes } from '#product/customers/owners/store.ts';
import { partOf } from '#product/orders/field.ts';
import { orderFields } from '#product/orders/fields.ts';
import { setupIsCurrent } from '#product/orders/store.ts';
import { linkGateCte, workshopGateCte } from '#product/workshops/access/store.ts';
import type { Quote } from './schema.ts';
import { quoteJson } from './snapshot.ts';

const createColumns = {
  ...ownerColumns,
  ...partOf(orderFields, 'type'),
  services: 'jsonb',
  serviceMinutes: 'integer[]',
  /** The version of the workshop's set-up that the services were filled from; null: none. */
  setupVersion: 'integer null',
  quoteId: 'uuid',
  code: 'text',
  eventId: 'uuid',
  /** Null: the workshop's own. */
  partnerId: 'uuid null',
  workshopId: 'uuid',
  notifyWorkshop: 'boolean',
  now: 'timestamptz',
  ...actorColumns,
  ...claimColumns,
} as const;

export type NewQuote = RowValues<typeof createColumns>;

export interface CreatedRow {
  linkActive: boolean;
  setupIsCurrent: boolean;
  /** Null when the link is off, the set-up has changed, or the idempotency claim was lost to another request. */
  quote: Quote | null;
}

const quoteColumns = `id, code, partner_id, workshop_id, customer_id, car_id, booking_id, external_id, status, contact_name,
  contact_first_name, contact_last_name, contact_email, contact_phone, contact_company, car_year, car_make, car_model, car_badge,
  car_vin, services, service_minutes, notes, lines, total, message, valid_until, url, version, created_at, updated_at`;

/** The details of the car, those that were sent first. */
const details = (known: (name: string) => string) =>
  ['year', 'make', 'model', 'badge', 'vin']
    .map((name) => `coalesce(owner.car_${name}, ${known(name)}) AS car_${name}`)
    .join(', ');

/** How the quotes of a partner and those of a workshop itself differ. */
interface Made {
  /** The gate, and customer and car. */
  readonly ctes: string;
  /** Joins `the_car` to `owner`. */
  readonly car: string;
  /** The details that were not sent, with the FROM item that has them. */
  readonly details: string;
  readonly earlier: string;
  readonly status: string;
  /** The price, and whether the customer is notified of it. */
  readonly price: string;
  readonly kind: string;
  readonly notifyCustomer: string;
}

const byPartner: Made = {
  ctes: ownerCtes(linkGateCte, setupIsCurrent),
  car: 'the_car.customer_id = owner.id AND the_car.rego = owner.car_rego',
  // As for a booking, those of the partner's own earlier booking of the car.
  details: details((name) => `earlier.car_${name}`),
  earlier: `LEFT JOIN ${earlierDetails('the_car', 'owner.partner_id')} ON true`,
  ...{ status: `'requested'`, kind: `'quote.requested'`, notifyCustomer: 'false' },
  price: `'[]'::jsonb AS lines, NULL::numeric AS total, NULL::text AS message, NULL::timestamptz AS valid_until, NULL::text AS url`,
};

const ofWorkshop: Made = {
  ctes: ownOwnerCtes(workshopGateCte, setupIsCurrent),
  car: ownCar,
  details: details((name) => `the_car.${name}`),
  earlier: '',
  ...{ status: `'quoted'`, kind: `'quote.quoted'`, notifyCustomer: 'notify_customer' },
  price:
    'owner.lines, owner.total::numeric AS total, owner.message, owner.valid_until, owner.url, owner.notify_customer',
};

const createText = (input: string, made: Made): string => `WITH ${input},
    ${made.ctes},
    content AS MATERIALIZED (
      SELECT ordinal, event_id, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
             quote_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
             NULL::uuid AS booking_id, external_id, ${made.status} AS status, customer_name AS contact_name,
             customer_first_name AS contact_first_name, customer_last_name AS contact_last_name, customer_email AS contact_email,
             customer_phone AS contact_phone, customer_company AS contact_company, ${made.details}, services, service_minutes, notes,
             ${made.price},
             1 AS version, now AS created_at, now AS updated_at
        FROM owner JOIN the_car ON ${made.car} ${made.earlier}),
    made AS (INSERT INTO quote (${quoteColumns}) SELECT ${quoteColumns} FROM content),
    snapshot AS MATERIALIZED (SELECT content.*, ${quoteJson('content', 'content')} AS quote FROM content),
    recorded AS (
      ${insertEvents({
        ...{ from: 'snapshot', id: 'event_id', kind: made.kind, at: 'created_at' },
        payload: { quote: 'quote', notifyCustomer: made.notifyCustomer, notifyWorkshop: 'notify_workshop' },
        by: actorIn('snapshot'),
      })}),
    ${finishClaimCte('snapshot', 201, `jsonb_build_object('success', true, 'quote', snapshot.quote)`)}
    SELECT ordinal, true AS link_active, true AS setup_is_current, quote FROM snapshot
    UNION ALL SELECT ordinal, link_active, ${setupIsCurrent}, NULL FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open)`;

/**
 * Customer, car, quote and event, with the stored result of a claim, in one statement for all concurrent calls; null when the
 * partner has no such workshop.
 */
export const insertQuote = gather<NewQuote, CreatedRow>({
  columns: createColumns,
  build: ({ input }) => createText(input, byPartner),
  partnerOf: ({ partnerId }) => partnerId ?? '',
  keyOf: ({ workshopId, customerPhone }) => `${workshopId.toLowerCase()} ${customerPhone}`,
});

/** A customer of an ended quote of the workshop's own asks for it again: it waits for a price. */
const askedOfWorkshop: Made = {
  ...ofWorkshop,
  ...{ status: byPartner.status, kind: byPartner.kind, price: byPartner.price, notifyCustomer: 'false' },
};

const ownRequestColumns = {
  ...createColumns,
  customerId: 'uuid null',
  keepsName: 'boolean',
  isApart: 'boolean',
} as const;
/** The row of a quote of the workshop's own; the customer is found as for a booking of its own. */
export type OwnQuoteRequest = RowValues<typeof ownRequestColumns>;

/** In the caller's change: one event, which tells the workshop of the request. Null when there is no such workshop. */
export const insertOwnRequest = gather<OwnQuoteRequest, CreatedRow>({
  columns: ownRequestColumns,
  build: ({ input }) => createText(input, askedOfWorkshop),
  partnerOf: () => '',
});

const ownColumns = {
  ...ownRequestColumns,
  lines: 'jsonb',
  /** A decimal. */
  total: 'text',
  message: 'text null',
  validUntil: 'timestamptz',
  url: 'text null',
  notifyCustomer: 'boolean',
} as const;
/** The same, priced at once. */
export type OwnQuote = RowValues<typeof ownColumns>;

/** In the caller's change: one event, which tells the customer of the price. Null when there is no such workshop. */
export const insertOwnQuote = gather<OwnQuote, CreatedRow>({
  columns: ownColumns,
  build: ({ input }) => createText(input, ofWorkshop),
  partnerOf: () => '',
});

export interface QuoteVersion {
  quote: Quote;
  version: number;
}
