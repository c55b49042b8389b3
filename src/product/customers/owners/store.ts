/** SQL that finds or makes the customer and the car of what a partner sends, inside a statement over a set of calls. */
import { heldClaimCte } from '#platform/idempotency/store.ts';
import { upsertCar } from '../cars/store.ts';
import { upsertCustomer, workshopItself } from '../store.ts';

/** The parameters that such a statement takes for them, beside those of the claim, `partnerId`, `workshopId` and `now`. */
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
 * CTEs after `gate`: `held_claim`, and `open`, the calls that may be written: with an open link, their claim still held, and where `further` is true of the row of `gate`;
 * `the_customer` and `the_car` of each; and `owner`, each call with the `id` of its customer. To join: `the_car.customer_id = owner.id AND the_car.rego =
 * owner.car_rego`. A set may hold each customer once only.
 */
export function ownerCtes(gate: string, further = 'true'): string {
  return `${gate},
    ${heldClaimCte('gate')},
    open AS MATERIALIZED (
      SELECT * FROM gate
       WHERE link_active AND ${further}
         AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
    the_customer AS (${upsertCustomer('open', {
      newId: 'open.new_customer_id',
      name: 'open.customer_name',
      firstName: 'open.customer_first_name',
      lastName: 'open.customer_last_name',
      email: 'open.customer_email',
      phone: 'open.customer_phone',
      company: 'open.customer_company',
      partnerId: `coalesce(open.partner_id, '${workshopItself}'::uuid)`,
      now: 'open."now"',
    })}),
    owner AS MATERIALIZED (
      SELECT open.*, the_customer.id FROM open
        JOIN the_customer ON the_customer.workshop_id = open.workshop_id AND the_customer.phone = open.customer_phone),
    the_car AS (${upsertCar('owner', {
      newId: 'owner.new_car_id',
      rego: 'owner.car_rego',
      year: 'owner.car_year',
      make: 'owner.car_make',
      model: 'owner.car_model',
      badge: 'owner.car_badge',
      vin: 'owner.car_vin',
      now: 'owner."now"',
    })})`;
}
