/** SQL that finds or makes the customer and the car of what a partner sends, inside a statement over a set of calls. */
import { heldClaimCte } from '#idempotency/store.ts';
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
 * owner."carRego"`. A set may hold each customer once only.
 */
export function ownerCtes(gate: string, further = 'true'): string {
  return `${gate},
    ${heldClaimCte('gate')},
    open AS MATERIALIZED (
      SELECT gate.*, "workshopId" AS workshop_id FROM gate
       WHERE active AND ${further} AND ("claimOwner" IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
    the_customer AS (${upsertCustomer('open', {
      newId: 'open."newCustomerId"',
      name: 'open."customerName"',
      firstName: 'open."customerFirstName"',
      lastName: 'open."customerLastName"',
      email: 'open."customerEmail"',
      phone: 'open."customerPhone"',
      company: 'open."customerCompany"',
      partnerId: `coalesce(open."partnerId", '${workshopItself}'::uuid)`,
      now: 'open."now"',
    })}),
    owner AS MATERIALIZED (
      SELECT open.*, the_customer.id FROM open
        JOIN the_customer ON the_customer.workshop_id = open.workshop_id AND the_customer.phone = open."customerPhone"),
    the_car AS (${upsertCar('owner', {
      newId: 'owner."newCarId"',
      rego: 'owner."carRego"',
      year: 'owner."carYear"',
      make: 'owner."carMake"',
      model: 'owner."carModel"',
      badge: 'owner."carBadge"',
      vin: 'owner."carVin"',
      now: 'owner."now"',
    })})`;
}
