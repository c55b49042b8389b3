/**
 * SQL that finds or creates the customers and cars of an imported file, in sets. Known values stay: only unset ones are filled, of
 * a merged customer on the kept row. Bookings and cars stay with the row of their phone.
 */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import { withPartner, workshopItself } from '../store.ts';
import { tagsAtMost } from '../tags.ts';

/** The customer of a row of the file. */
export interface ImportedCustomer {
  /** E.164; null: not given, and the customer matches nobody. */
  readonly phone: string | null;
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly address: string | null;
  readonly suburb: string | null;
  readonly postcode: string | null;
  readonly tags: readonly string[];
  /** False: the file does not say so; it opts nobody in. */
  readonly optedOut: boolean;
}

export interface CustomerRow extends ImportedCustomer {
  /** The id if the customer is created. */
  readonly id: string;
}

/** The values of a customer that a file may fill. */
export interface CustomerValues {
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly company: string | null;
  readonly address: string | null;
  readonly suburb: string | null;
  readonly postcode: string | null;
  readonly tags: readonly string[];
  readonly detailsFrom: readonly string[];
}

export interface StoredCustomer extends CustomerValues {
  readonly id: string;
  readonly version: number;
}

export interface FoundCustomer extends StoredCustomer {
  readonly phone: string;
  readonly isMade: boolean;
  /** The kept customer of this row; null: not merged. */
  readonly mergedInto: string | null;
}

const stored = [
  ...[
    'id',
    'version',
    'name',
    'first_name',
    'last_name',
    'email',
    'company',
    'address',
    'suburb',
    'postcode',
  ],
  ...['tags', 'details_from'],
]
  .map((name) => `customer.${name}`)
  .join(', ');

const columns = `id uuid, phone text, name text, first_name text, last_name text, email text, company text, address text, suburb text,
  postcode text, tags text[], opted_out boolean`;
const written = `id, workshop_id, phone, name, first_name, last_name, email, company, address, suburb, postcode, tags, opted_out_at,
  details_from, created_at, updated_at`;
/** The rows of the file, in the form of `written`. */
const brought = `SELECT id, $1::uuid AS workshop_id, phone, coalesce(name, phone) AS name, first_name, last_name, email, company, address,
         suburb, postcode, ARRAY(SELECT DISTINCT unnest(tags) ORDER BY 1) AS tags,
         CASE WHEN opted_out THEN $3::timestamptz END AS opted_out_at,
         ARRAY['${workshopItself}'::uuid] AS details_from, $3::timestamptz AS created_at, $3::timestamptz AS updated_at
    FROM jsonb_to_recordset($2::jsonb) AS c (${columns})`;
const rowsOf = (condition: string) =>
  `INSERT INTO customer (${written}) ${brought} WHERE ${condition} ORDER BY phone`;

/** The phone serves as the name until a name is known. */
const isNameless = `(customer.name IS NULL OR customer.name = customer.phone) AND excluded.name <> excluded.phone`;
const isUnset = (column: string) => `coalesce(customer.${column}, '') = ''`;
const isFilled = (column: string) => `(${isUnset(column)} AND excluded.${column} IS NOT NULL)`;
const allTags = `ARRAY(SELECT DISTINCT unnest(customer.tags || excluded.tags) ORDER BY 1)`;

/** Fills unset values; `excluded` has the values of the file. */
function fill(): string {
  const where = (column: string, holds: string, value: string) =>
    `${column} = CASE WHEN ${holds} THEN ${value} ELSE customer.${column} END`;
  return [
    ...['name', 'first_name', 'last_name'].map((name) => where(name, isNameless, `excluded.${name}`)),
    ...['email', 'company', 'address', 'suburb', 'postcode'].map((name) =>
      where(name, isFilled(name), `excluded.${name}`),
    ),
    where('tags', `NOT customer.tags @> excluded.tags AND cardinality(${allTags}) <= ${tagsAtMost}`, allTags),
    where('opted_out_at', 'customer.opted_out_at IS NULL', 'excluded.opted_out_at'),
    where(
      'details_from',
      `((${isNameless}) OR ${isFilled('email')} OR ${isFilled('company')})`,
      withPartner(`ARRAY['${workshopItself}'::uuid]`),
    ),
    'updated_at = excluded.updated_at',
  ].join(', ');
}

const withPhoneText = planByIndex(
  `${rowsOf('phone IS NOT NULL')} ON CONFLICT (workshop_id, phone) DO NOTHING RETURNING id`,
);
const withoutPhoneText = rowsOf('phone IS NULL');
const foundText = planByIndex(`SELECT ${stored}, phone, merged_into FROM customer
  WHERE workshop_id = $1 AND phone = ANY ($2::text[]) ORDER BY phone FOR NO KEY UPDATE`);

/**
 * Each phone once. Resolves to the customers with a phone, whose rows are locked, as they are before `fillCustomers`; one without a
 * phone is created with the given id.
 */
export async function importCustomers(
  tx: Queryable,
  workshopId: string,
  rows: readonly CustomerRow[],
  at: Date,
): Promise<FoundCustomer[]> {
  const values = [workshopId, recordset(rows), at];
  if (rows.some(({ phone }) => phone === null)) await tx.query(withoutPhoneText, values);
  const phones = rows.flatMap(({ phone }) => phone ?? []);
  if (phones.length === 0) return [];
  const made = new Set((await tx.query<{ id: string }>(withPhoneText, values)).map(({ id }) => id));
  const found = await tx.query<Omit<FoundCustomer, 'isMade'>>(foundText, [workshopId, phones]);
  return found.map((row) => ({ ...row, isMade: made.has(row.id) }));
}

const lockText = planByIndex(`SELECT ${stored} FROM customer
  WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 ORDER BY phone, id FOR NO KEY UPDATE`);

/** Locks these customers, and resolves to what they hold. */
export function lockStored(
  tx: Queryable,
  workshopId: string,
  ids: readonly string[],
): Promise<StoredCustomer[]> {
  return tx.query<StoredCustomer>(lockText, [workshopId, ids]);
}

const fillText = planByIndex(`UPDATE customer SET ${fill()} FROM (${brought}) AS excluded
  WHERE customer.id = excluded.id AND customer.workshop_id = $1 RETURNING ${stored}`);

/** Fills unset values of known customers with the file's: each id once. Resolves to what they hold then. */
export async function fillCustomers(
  tx: Queryable,
  workshopId: string,
  rows: readonly CustomerRow[],
  at: Date,
): Promise<StoredCustomer[]> {
  return rows.length === 0 ? [] : tx.query<StoredCustomer>(fillText, [workshopId, recordset(rows), at]);
}

/** The car of a row of the file. */
export interface ImportedCar {
  /** Null: always another car. */
  readonly rego: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly year: number | null;
  readonly badge: string | null;
  readonly vin: string | null;
}

export interface CarRow extends ImportedCar {
  readonly id: string;
  readonly customerId: string;
}

/** The values of a car that a file may fill. */
export interface CarValues {
  readonly make: string | null;
  readonly model: string | null;
  readonly year: number | null;
  readonly badge: string | null;
  readonly vin: string | null;
}

export interface StoredCar extends CarValues {
  readonly id: string;
  /** Changes with each change of the row. */
  readonly mark: string;
}

export interface FoundCar extends StoredCar {
  readonly customerId: string;
  readonly rego: string | null;
  readonly isMade: boolean;
}

/** SQL: changes with each change of the car. */
export const carMark = `md5(jsonb_build_array(car.customer_id, car.rego, car.make, car.model, car.year, car.badge, car.vin,
  extract(epoch FROM car.updated_at))::text)`;
const storedCar = `car.id, car.make, car.model, car.year, car.badge, car.vin, ${carMark} AS mark`;
const carColumns =
  'id uuid, customer_id uuid, rego text, make text, model text, year integer, badge text, vin text';

const carsText =
  planByIndex(`INSERT INTO car (id, workshop_id, customer_id, rego, make, model, year, badge, vin, created_at, updated_at)
  SELECT id, $1, customer_id, rego, make, model, year, badge, vin, $3, $3
    FROM jsonb_to_recordset($2::jsonb) AS c (${carColumns}) ORDER BY customer_id, rego
  ON CONFLICT (customer_id, rego) DO NOTHING RETURNING ${storedCar}, car.customer_id, car.rego, true AS is_made`);
const foundCarsText = planByIndex(`SELECT ${storedCar}, car.customer_id, car.rego, false AS is_made FROM car
    JOIN jsonb_to_recordset($2::jsonb) AS c (customer_id uuid, rego text)
      ON car.customer_id = c.customer_id AND car.rego = c.rego AND car.workshop_id = $1
   ORDER BY car.customer_id, car.rego FOR NO KEY UPDATE OF car`);

/** Each rego of a customer once. Resolves to the cars as they are before `fillCars`; their rows are locked. */
export async function importCars(
  tx: Queryable,
  workshopId: string,
  rows: readonly CarRow[],
  at: Date,
): Promise<FoundCar[]> {
  if (rows.length === 0) return [];
  const made = await tx.query<FoundCar>(carsText, [workshopId, recordset(rows), at]);
  const ids = new Set(made.map(({ id }) => id));
  const known = rows.filter(({ id, rego }) => rego !== null && !ids.has(id));
  if (known.length === 0) return made;
  return [...made, ...(await tx.query<FoundCar>(foundCarsText, [workshopId, recordset(known)]))];
}

const details = ['make', 'model', 'year', 'badge', 'vin'];
const fillCarsText = planByIndex(`UPDATE car SET updated_at = $3,
    ${details.map((name) => `${name} = coalesce(car.${name}, c.${name})`).join(', ')}
    FROM jsonb_to_recordset($2::jsonb) AS c (${carColumns})
   WHERE car.id = c.id AND car.workshop_id = $1
     AND (${details.map((name) => `car.${name} IS NULL AND c.${name} IS NOT NULL`).join(' OR ')})
  RETURNING ${storedCar}`);

/** Fills unset values of known cars with the file's: each id once. Resolves to those that change, with what they hold then. */
export async function fillCars(
  tx: Queryable,
  workshopId: string,
  rows: readonly CarRow[],
  at: Date,
): Promise<StoredCar[]> {
  return rows.length === 0 ? [] : tx.query<StoredCar>(fillCarsText, [workshopId, recordset(rows), at]);
}

export interface KnownCar {
  /** E.164. */
  readonly phone: string;
  /** Null: a customer without cars. */
  readonly rego: string | null;
}

const knownText = planByIndex(`SELECT customer.phone, car.rego FROM customer
  LEFT JOIN car ON car.customer_id = customer.id AND car.workshop_id = customer.workshop_id
 WHERE customer.workshop_id = $1 AND customer.phone = ANY ($2::text[])`);

/** The workshop's customers with these phones: one row for each of their cars, at least one. */
export async function knownCars(
  db: Queryable,
  workshopId: string,
  phones: readonly string[],
): Promise<KnownCar[]> {
  return db.query<KnownCar>(knownText, [workshopId, phones]);
}
