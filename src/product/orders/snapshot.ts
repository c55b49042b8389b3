/** The wire form of an order's car and customer, built by the database. */

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
