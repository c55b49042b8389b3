/** SQL that finds or creates the customer and the car of an order, inside a statement over a set of calls. */
import { heldClaimCte } from '#platform/idempotency/store.ts';
import { upsertCar } from '../cars/store.ts';
import { upsertCustomer, workshopItself } from '../store.ts';

/** The parameters that such a statement needs, in addition to those of the claim, `partnerId`, `workshopId` and `now`. */
export const ownerColumns = {
  newCustomerId: 'uuid',
  customerName: 'text',
  customerFirstName: 'text null',
  customerLastName: 'text null',
  customerEmail: 'text',
  customerPhone: 'text',
  customerCompany: 'text null',
  newCarId: 'uuid',
  carRego: 'text',
  carYear: 'integer null',
  carMake: 'text null',
  carModel: 'text null',
  carBadge: 'text null',
  carVin: 'text null',
} as const;

/**
 * CTEs after `gate`: `held_claim`; `open`, the calls that may be written: with an active link, their claim still held, and
 * `further` true for the row of `gate`; `the_customer` and `the_car` of each; and `owner`, each call with the `id` of its customer.
 * To join: `the_car.customer_id = owner.id AND the_car.rego = owner.car_rego`. A set may contain each customer only once.
 */
export function ownerCtes(gate: string, further = 'true'): string {
  return `${openCtes(gate, further)},
    the_customer AS (${customerOf('open')}),
    owner AS MATERIALIZED (
      SELECT open.*, the_customer.id FROM open ${byPhone}),
    the_car AS (${carOf('owner')})`;
}

/**
 * The same for a workshop's own booking, whose calls also have `customer_id`, `keeps_name` and `is_apart`, and may lack name, phone and
 * rego. Without a phone, or with `is_apart`, the chosen customer is used, if they are the workshop's; with neither, a new customer is
 * created, whom no phone identifies. With `keeps_name` a known customer who has a name keeps it. A car without a rego is always a new
 * one. To join: `ownCar`.
 */
export function ownOwnerCtes(gate: string, further = 'true'): string {
  return `${openCtes(gate, further)},
    the_customer AS (${customerOf(`(SELECT * FROM open WHERE ${isByPhone}) AS open`, nameUnlessKept)}),
    walk_in AS (
      INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, company, details_from, created_at, updated_at)
      SELECT new_customer_id, workshop_id, customer_name, customer_first_name, customer_last_name, customer_email, customer_company,
             ARRAY['${workshopItself}'::uuid], "now", "now"
        FROM open WHERE customer_phone IS NULL AND customer_id IS NULL ORDER BY ordinal
      RETURNING id),
    owner AS MATERIALIZED (
      SELECT open.*, the_customer.id FROM open ${byPhone} AND ${isByPhone}
      UNION ALL SELECT open.*, walk_in.id FROM open JOIN walk_in ON walk_in.id = open.new_customer_id
      UNION ALL SELECT open.*, chosen.id FROM open
        JOIN customer chosen ON chosen.id = open.customer_id AND chosen.workshop_id = open.workshop_id AND chosen.erased_at IS NULL
       WHERE NOT (${isByPhone})),
    the_car AS (${carOf('owner')})`;
}

/** The customer of the call is found by the phone. */
const isByPhone = 'open.customer_phone IS NOT NULL AND NOT open.is_apart';

/** The customer's name is the one that was typed; null keeps that of a known customer. */
const nameUnlessKept = `CASE WHEN open.keeps_name AND EXISTS (
        SELECT FROM customer known WHERE known.phone = open.customer_phone AND known.workshop_id = open.workshop_id
           AND known.name <> known.phone)
      THEN NULL ELSE open.customer_name END`;

/** Joins `the_car` to `owner` of `ownOwnerCtes`. */
export const ownCar = `the_car.customer_id = owner.id
         AND CASE WHEN owner.car_rego IS NULL THEN the_car.id = owner.new_car_id ELSE the_car.rego = owner.car_rego END`;

function openCtes(gate: string, further: string): string {
  return `${gate},
    ${heldClaimCte('gate')},
    open AS MATERIALIZED (
      SELECT * FROM gate
       WHERE link_active AND ${further}
         AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal)))`;
}

const customerOf = (source: string, name = 'open.customer_name') =>
  upsertCustomer(source, {
    ...{ newId: 'open.new_customer_id', name },
    firstName: 'open.customer_first_name',
    lastName: 'open.customer_last_name',
    email: 'open.customer_email',
    phone: 'open.customer_phone',
    company: 'open.customer_company',
    partnerId: `coalesce(open.partner_id, '${workshopItself}'::uuid)`,
    now: 'open."now"',
  });

const byPhone =
  'JOIN the_customer ON the_customer.workshop_id = open.workshop_id AND the_customer.phone = open.customer_phone';

const carOf = (source: string) =>
  upsertCar(source, {
    newId: 'owner.new_car_id',
    rego: 'owner.car_rego',
    year: 'owner.car_year',
    make: 'owner.car_make',
    model: 'owner.car_model',
    badge: 'owner.car_badge',
    vin: 'owner.car_vin',
    now: 'owner."now"',
  });
