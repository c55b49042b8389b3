/** SQL that stores a customer whom staff add, with their car. */
import type { Queryable } from '#platform/db/database.ts';
import type { Values } from '#platform/db/parameters.ts';
import { statement } from '#platform/db/statement.ts';
import { upsertCar } from '../cars/store.ts';
import { noteChanged } from '../search/store.ts';
import { workshopItself } from '../store.ts';

const columns = {
  customerId: 'uuid',
  workshopId: 'uuid',
  name: 'text null',
  firstName: 'text null',
  lastName: 'text null',
  email: 'text null',
  /** E.164. */
  phone: 'text null',
  company: 'text null',
  carId: 'uuid',
  /** False: no car is known. */
  hasCar: 'boolean',
  carRego: 'text null',
  carYear: 'integer null',
  carMake: 'text null',
  carModel: 'text null',
  carBadge: 'text null',
  carVin: 'text null',
  now: 'timestamptz',
} as const;

export type AddedCustomer = Values<typeof columns>;

const add = statement(columns, ($) => {
  const car = upsertCar(`the_customer WHERE ${$('hasCar')}`, {
    ...{ newId: $('carId'), rego: $('carRego'), year: $('carYear'), make: $('carMake') },
    ...{ model: $('carModel'), badge: $('carBadge'), vin: $('carVin'), now: $('now') },
  });
  return `WITH the_customer AS (
      INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at, updated_at)
      VALUES (${$('customerId')}, ${$('workshopId')}, coalesce(${$('name')}, ${$('phone')}), ${$('firstName')}, ${$('lastName')},
              ${$('email')}, ${$('phone')}, ${$('company')}, ARRAY['${workshopItself}'::uuid], ${$('now')}, ${$('now')})
      ON CONFLICT (workshop_id, phone) DO NOTHING RETURNING id, workshop_id),
    the_car AS (${car})
    SELECT id FROM the_customer`;
});

/** False: a customer of the workshop has the phone, and nothing is stored. */
export async function insertAdded(tx: Queryable, customer: AddedCustomer): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(add.text, add.values(customer));
  await noteChanged(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.length > 0;
}
