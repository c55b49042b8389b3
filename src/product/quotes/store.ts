/** SQL of quotes: request and read. Pricing, accepting and declining are in `change/store.ts`. */

import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { actorColumns, actorIn, insertEvents } from '#platform/events/record.ts';
import { claimColumns, finishClaimCte } from '#platform/idempotency/store.ts';
import { earlierDetails } from '#product/bookings/store.ts';
import { ownerColumns, ownerCtes } from '#product/customers/owners/store.ts';
import { partOf } from '#product/orders/field.ts';
import { orderFields } from '#product/orders/fields.ts';
import { setupIsCurrent } from '#product/orders/store.ts';
import { linkGateCte } from '#product/workshops/access/store.ts';
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
  partnerId: 'uuid',
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

/** Absent details are filled from the partner's own earlier booking of the car, as for a booking. */
const details = ['year', 'make', 'model', 'badge', 'vin']
  .map((name) => `coalesce(owner.car_${name}, earlier.car_${name}) AS car_${name}`)
  .join(', ');

/**
 * Customer, car, quote and event, with the stored result of a claim, in one statement for all concurrent calls; null when the
 * partner has no such workshop.
 */
export const insertQuote = gather<NewQuote, CreatedRow>({
  columns: createColumns,
  build: ({ input }) => `WITH ${input},
    ${ownerCtes(linkGateCte, setupIsCurrent)},
    content AS MATERIALIZED (
      SELECT ordinal, event_id, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
             quote_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
             NULL::uuid AS booking_id, external_id, 'requested' AS status, customer_name AS contact_name,
             customer_first_name AS contact_first_name, customer_last_name AS contact_last_name, customer_email AS contact_email,
             customer_phone AS contact_phone, customer_company AS contact_company, ${details}, services, service_minutes, notes,
             '[]'::jsonb AS lines, NULL::numeric AS total, NULL::text AS message, NULL::timestamptz AS valid_until, NULL::text AS url,
             1 AS version, now AS created_at, now AS updated_at
        FROM owner JOIN the_car ON the_car.customer_id = owner.id AND the_car.rego = owner.car_rego
        LEFT JOIN ${earlierDetails('the_car', 'owner.partner_id')} ON true),
    made AS (INSERT INTO quote (${quoteColumns}) SELECT ${quoteColumns} FROM content),
    snapshot AS MATERIALIZED (SELECT content.*, ${quoteJson('content', 'content')} AS quote FROM content),
    recorded AS (
      ${insertEvents({
        ...{ from: 'snapshot', id: 'event_id', kind: `'quote.requested'`, at: 'created_at' },
        payload: { quote: 'quote', notifyCustomer: 'false', notifyWorkshop: 'notify_workshop' },
        by: actorIn('snapshot'),
      })}),
    ${finishClaimCte('snapshot', 201, `jsonb_build_object('success', true, 'quote', snapshot.quote)`)}
    SELECT ordinal, true AS link_active, true AS setup_is_current, quote FROM snapshot
    UNION ALL SELECT ordinal, link_active, ${setupIsCurrent}, NULL FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open)`,
  partnerOf: ({ partnerId }) => partnerId,
  keyOf: ({ workshopId, customerPhone }) => `${workshopId.toLowerCase()} ${customerPhone}`,
});

/** The same for one call, in the caller's transaction. */
export const insertQuoteIn = insertQuote.within;

export interface QuoteVersion {
  quote: Quote;
  version: number;
}
