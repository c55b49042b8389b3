/** SQL that finds or makes a workshop's customer by phone, and that customer's car by rego: mostly fragments for larger statements. */
import type { Queryable } from '#db/database.ts';

interface CustomerParameters {
  readonly newId: string;
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly company: string;
  readonly partnerId: string;
  readonly now: string;
}

/** Stands in `details_from` for what the workshop knows by itself: details that are no partner's to be shown. */
export const workshopItself = '00000000-0000-0000-0000-000000000000';

/** `details_from` with one more partner. */
function withPartner(partner: string): string {
  return `CASE WHEN customer.details_from @> ${partner} THEN customer.details_from ELSE customer.details_from || ${partner} END`;
}

/**
 * Finds or makes the customer with the phone in the workshop of each row of `source` (a CTE with `workshop_id`) and returns
 * `id, workshop_id, phone`. The row follows the latest details; a company or an e-mail that is not sent stays. No customer may stand in
 * `source` twice; they are held in order of workshop and phone, so statements over several do not deadlock.
 */
export function upsertCustomer(source: string, $: CustomerParameters): string {
  return `INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at, updated_at)
    SELECT ${$.newId}, workshop_id, ${$.name}, ${$.firstName}, ${$.lastName}, ${$.email}, ${$.phone}, ${$.company},
           ARRAY[${$.partnerId}], ${$.now}, ${$.now}
      FROM ${source} ORDER BY workshop_id, ${$.phone}
    ON CONFLICT (workshop_id, phone) DO UPDATE
      SET name = excluded.name, first_name = excluded.first_name, last_name = excluded.last_name,
          email = coalesce(nullif(excluded.email, ''), customer.email),
          company = coalesce(excluded.company, customer.company), updated_at = excluded.updated_at,
          details_from = CASE WHEN excluded.company IS NULL AND customer.company IS NOT NULL
            THEN ${withPartner('excluded.details_from')} ELSE excluded.details_from END
    RETURNING id, workshop_id, phone`;
}

const findOrMakeText = `WITH here AS (SELECT $2::uuid AS workshop_id) ${upsertCustomer('here', {
  newId: '$1::uuid',
  name: '$3::text',
  firstName: '$4::text',
  lastName: '$5::text',
  email: '$6::text',
  phone: '$7::text',
  company: '$8::text',
  partnerId: '$9::uuid',
  now: '$10::timestamptz',
})}`;

export interface CustomerContact {
  newId: string;
  workshopId: string;
  name: string;
  firstName: string | null;
  lastName: string | null;
  email: string;
  /** E.164. */
  phone: string;
  company: string | null;
  /** Whose details these are. */
  partnerId: string;
  now: Date;
}

/** Finds or makes the customer with the phone, holds the row, and resolves to its id. */
export async function findOrMakeCustomer(tx: Queryable, contact: CustomerContact): Promise<string> {
  const { newId, workshopId, name, firstName, lastName, email, phone, company, partnerId, now } = contact;
  const [row] = await tx.query<{ id: string }>(findOrMakeText, [
    newId,
    workshopId,
    name,
    firstName,
    lastName,
    email,
    phone,
    company,
    partnerId,
    now,
  ]);
  if (row === undefined) throw new Error('a customer could not be found or made');
  return row.id;
}

/** Details of a customer that have changed; null for those that have not, or were cleared. The names go together. */
export interface CustomerNews {
  id: string;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  company: string | null;
  /** Whose details these are. */
  partnerId: string;
  now: Date;
}

/** Lets the customer's row follow, and holds it; an erased one stays as it is. */
export async function followCustomer(tx: Queryable, news: CustomerNews): Promise<void> {
  await tx.query(
    `UPDATE customer SET name = coalesce($2, name), first_name = CASE WHEN $2::text IS NULL THEN first_name ELSE $3 END,
       last_name = CASE WHEN $2::text IS NULL THEN last_name ELSE $4 END, email = coalesce($5, email),
       company = coalesce($6, company), updated_at = $7, details_from = ${withPartner('ARRAY[$8::uuid]')}
     WHERE id = $1 AND erased_at IS NULL`,
    [news.id, news.name, news.firstName, news.lastName, news.email, news.company, news.now, news.partnerId],
  );
}

/**
 * Finds or makes the customer with the phone, whose number stands for a name until one is known; returns `id, workshop_id, phone`. The row is
 * held, by a change of nothing, but not its key: rows that refer to the customer can be written meanwhile.
 */
export function ensureCustomer(
  source: string,
  $: Pick<CustomerParameters, 'newId' | 'phone' | 'now'>,
): string {
  return `INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
    SELECT ${$.newId}, workshop_id, ${$.phone}, ${$.phone}, ${$.now}, ${$.now} FROM ${source}
    ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
    RETURNING id, workshop_id, phone`;
}

interface CarParameters {
  readonly newId: string;
  readonly rego: string;
  readonly year: string;
  readonly make: string;
  readonly model: string;
  readonly badge: string;
  readonly vin: string;
  readonly now: string;
}

/**
 * Finds or makes the car with the rego of each customer in `source` (a CTE with `id, workshop_id`) and returns the whole
 * row. Details that are sent replace those that are known. The sort comes after all of `source`: no car is held before the
 * last customer is.
 */
export function upsertCar(source: string, $: CarParameters): string {
  return `INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, badge, vin, created_at, updated_at)
    SELECT ${$.newId}, workshop_id, id, ${$.rego}, ${$.year}, ${$.make}, ${$.model}, ${$.badge}, ${$.vin}, ${$.now}, ${$.now}
      FROM ${source} ORDER BY id, ${$.rego}
    ON CONFLICT (customer_id, rego) DO UPDATE
      SET year = coalesce(excluded.year, car.year), make = coalesce(excluded.make, car.make),
          model = coalesce(excluded.model, car.model), badge = coalesce(excluded.badge, car.badge),
          vin = coalesce(excluded.vin, car.vin), updated_at = excluded.updated_at
    RETURNING *`;
}

/**
 * Moves the car to the customer in `source` (a CTE with `id`) when no other booking needs it where it is and that
 * customer has no such car yet; returns the whole row, or none.
 */
export function moveCar(source: string, $: { carId: string; bookingId: string; now: string }): string {
  return `UPDATE car SET customer_id = target.id, updated_at = ${$.now} FROM ${source} AS target
     WHERE car.id = ${$.carId} AND car.customer_id <> target.id
       AND NOT EXISTS (SELECT FROM booking other WHERE other.car_id = car.id AND other.id <> ${$.bookingId})
       AND NOT EXISTS (SELECT FROM car twin WHERE twin.customer_id = target.id AND twin.rego = car.rego)
    RETURNING car.*`;
}
