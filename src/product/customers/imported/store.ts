/**
 * SQL that finds or creates the customers of an imported file, in sets. Known values stay: only unset ones are filled, of a merged customer
 * on the kept row. Bookings and cars stay with the row of their phone.
 */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import { withPartner, workshopItself } from '../store.ts';
import { tagsAtMost } from '../tags.ts';

/** The values of a customer that a file may fill. */
export interface CustomerValues {
  /** E.164. */
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
  readonly detailsFrom: readonly string[];
}

/** The customer of a row of the file; one without a phone matches nobody. */
export interface ImportedCustomer extends Omit<CustomerValues, 'detailsFrom'> {
  /** False: the file does not say so; it opts nobody in. */
  readonly optedOut: boolean;
}

export interface CustomerRow extends ImportedCustomer {
  /** The id if the customer is created. */
  readonly id: string;
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
    'phone',
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
const foundText = planByIndex(`SELECT ${stored}, merged_into FROM customer
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
