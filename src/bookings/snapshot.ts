/** The wire form of a booking, built by the database: one shape for answers, events and replays (document, 2.1). */
import { instantJson } from '#db/json.ts';
import { fieldsJson } from './columns.ts';

/** A jsonb expression over a booking row `b` and its car row `c`, of which `rego` is enough. */
export function bookingJson(b: string, c: string): string {
  return `jsonb_build_object(
    'id', ${b}.id, 'code', ${b}.code, 'carId', ${b}.car_id, 'customerId', ${b}.customer_id, 'workshopId', ${b}.workshop_id,
    'status', ${b}.status, 'date', ${instantJson(`${b}.date`)}, ${fieldsJson(b)}, 'cancelReason', ${b}.cancel_reason,
    'createdAt', ${instantJson(`${b}.created_at`)}, 'updatedAt', ${instantJson(`${b}.updated_at`)},
    'car', ${carJson(b, c)}, 'customer', ${customerJson(b)})`;
}

/** How long the services of a booking row `b` take together, in minutes; 0: not known. */
export const minutesOf = (b: string): string =>
  `(SELECT coalesce(sum(minutes), 0)::int FROM unnest(${b}.service_minutes) AS minutes)`;

/** The car as the partner sent it, of a row `b` with `car_id`, `customer_id` and the columns `car_…`, and its car row `c`. */
export function carJson(b: string, c: string): string {
  return `jsonb_build_object('id', ${b}.car_id, 'customerId', ${b}.customer_id, 'rego', ${c}.rego, 'year', ${b}.car_year,
      'make', ${b}.car_make, 'model', ${b}.car_model, 'badge', ${b}.car_badge, 'vin', ${b}.car_vin)`;
}

/** The customer as the partner sent them, of a row `b` with `customer_id`, `workshop_id` and the columns `contact_…`. */
export function customerJson(b: string): string {
  return `jsonb_build_object('id', ${b}.customer_id, 'workshopId', ${b}.workshop_id, 'name', ${b}.contact_name,
      'firstName', ${b}.contact_first_name, 'lastName', ${b}.contact_last_name, 'email', nullif(${b}.contact_email, ''),
      'phone', nullif(${b}.contact_phone, ''), 'company', ${b}.contact_company, 'address', null, 'postcode', null, 'suburb', null)`;
}
