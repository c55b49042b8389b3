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

export interface FoundCustomer {
  readonly id: string;
  readonly phone: string;
  readonly isMade: boolean;
  /** The kept customer of this row; null: not merged. */
  readonly mergedInto: string | null;
}

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

/** Fills unset values where the condition holds; `excluded` has the values of the file. */
function fill(condition: string): string {
  const where = (column: string, holds: string, value: string) =>
    `${column} = CASE WHEN ${condition} AND ${holds} THEN ${value} ELSE customer.${column} END`;
  return [
    ...['name', 'first_name', 'last_name'].map((name) => where(name, isNameless, `excluded.${name}`)),
    ...['email', 'company', 'address', 'suburb', 'postcode'].map((name) =>
      where(name, isFilled(name), `excluded.${name}`),
    ),
    where('tags', `cardinality(${allTags}) <= ${tagsAtMost}`, allTags),
    where('opted_out_at', 'customer.opted_out_at IS NULL', 'excluded.opted_out_at'),
    where(
      'details_from',
      `((${isNameless}) OR ${isFilled('email')} OR ${isFilled('company')})`,
      withPartner(`ARRAY['${workshopItself}'::uuid]`),
    ),
    'updated_at = excluded.updated_at',
  ].join(', ');
}

const withPhoneText = planByIndex(`${rowsOf('phone IS NOT NULL')}
  ON CONFLICT (workshop_id, phone) DO UPDATE SET ${fill('customer.merged_into IS NULL')}
  RETURNING id, phone, xmax = 0 AS is_made, merged_into`);

const withoutPhoneText = rowsOf('phone IS NULL');

/**
 * Each phone once. Resolves to the customers with a phone, whose rows are locked; one without a phone is created with the given id.
 * A merged row is not filled here: `fillKept` fills the kept one.
 */
export async function importCustomers(
  tx: Queryable,
  workshopId: string,
  rows: readonly CustomerRow[],
  at: Date,
): Promise<FoundCustomer[]> {
  const values = [workshopId, recordset(rows), at];
  if (rows.some(({ phone }) => phone === null)) await tx.query(withoutPhoneText, values);
  return rows.some(({ phone }) => phone !== null) ? tx.query<FoundCustomer>(withPhoneText, values) : [];
}

export interface GivenPhone {
  readonly customerId: string;
  /** E.164. */
  readonly phone: string;
}

const giveText = planByIndex(`WITH given AS (
    UPDATE customer SET phone = g.phone, updated_at = $3
      FROM jsonb_to_recordset($2::jsonb) AS g (customer_id uuid, phone text)
     WHERE customer.id = g.customer_id AND customer.workshop_id = $1 AND customer.phone IS NULL AND customer.erased_at IS NULL
       AND NOT EXISTS (SELECT FROM customer known WHERE known.phone = g.phone AND known.workshop_id = $1)
    RETURNING customer.id)
  DELETE FROM customer_apart USING given WHERE customer_id = given.id`);

/** Gives customers without a phone the one that their row has now; each phone once. As `givePhone` of the walk-ins. */
export async function givePhones(
  tx: Queryable,
  workshopId: string,
  given: readonly GivenPhone[],
  at: Date,
): Promise<void> {
  if (given.length > 0) await tx.query(giveText, [workshopId, recordset(given), at]);
}

const keptText = planByIndex(`UPDATE customer SET ${fill('true')} FROM (${brought}) AS excluded
  WHERE customer.id = excluded.id AND customer.workshop_id = $1`);

/** Fills unset values of kept customers with the file's values for their merged rows: each kept id once. */
export async function fillKept(
  tx: Queryable,
  workshopId: string,
  rows: readonly CustomerRow[],
  at: Date,
): Promise<void> {
  if (rows.length > 0) await tx.query(keptText, [workshopId, recordset(rows), at]);
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

export interface FoundCar {
  readonly id: string;
  readonly customerId: string;
  readonly rego: string | null;
  readonly isMade: boolean;
}

const known = ['make', 'model', 'year', 'badge', 'vin'].map(
  (name) => `${name} = coalesce(car.${name}, excluded.${name})`,
);
const carsText =
  planByIndex(`INSERT INTO car (id, workshop_id, customer_id, rego, make, model, year, badge, vin, created_at, updated_at)
  SELECT id, $1, customer_id, rego, make, model, year, badge, vin, $3, $3
    FROM jsonb_to_recordset($2::jsonb)
      AS c (id uuid, customer_id uuid, rego text, make text, model text, year integer, badge text, vin text) ORDER BY customer_id, rego
  ON CONFLICT (customer_id, rego) DO UPDATE SET ${known.join(', ')}, updated_at = excluded.updated_at
  RETURNING id, customer_id, rego, xmax = 0 AS is_made`);

/** Each rego of a customer once. */
export async function importCars(
  tx: Queryable,
  workshopId: string,
  rows: readonly CarRow[],
  at: Date,
): Promise<FoundCar[]> {
  return rows.length === 0 ? [] : tx.query<FoundCar>(carsText, [workshopId, recordset(rows), at]);
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
