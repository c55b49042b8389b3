/** Long because fragments and statements of one table belong together. */

/** SQL of customers: reading and changing them, and fragments for larger statements that find or create one by phone. */

import { foundById } from '#base/operator-error.ts';
import { nilId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { filterParameters } from '#platform/db/filters.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import { noteChanged } from './search/store.ts';

export interface CustomerRecord {
  readonly customerId: string;
  readonly workshopId: string;
  /** The workshop's; ISO 3166. */
  readonly country: string;
  /** Null: not given, and there is no phone to serve as name. */
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  /** Null: erased (`erasedAt`), or not given. */
  readonly phone: string | null;
  readonly company: string | null;
  readonly address: string | null;
  readonly postcode: string | null;
  readonly suburb: string | null;
  readonly tags: string[];
  readonly optedOutAt: Date | null;
  /** When an e-mail to this address bounced permanently; null: never. */
  readonly emailBouncedAt: Date | null;
  /** The reason, in the words of a mail server. */
  readonly emailBounce: string | null;
  readonly erasedAt: Date | null;
  /** The older, kept customer; null: not merged into another. */
  readonly mergedInto: string | null;
  /** Rises with every change of these fields, for forms. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An SQL expression: whether e-mails to this address of the customer, a row that may be missing, have bounced permanently. */
export function hasBounced(customer: string, email: string): string {
  return `coalesce(lower(${customer}.bounced_email) = lower(${email}), false)`;
}

const whereBounced = (column: string) => `CASE WHEN ${hasBounced('customer', 'email')} THEN ${column} END`;

const customerColumns = `
  id AS customer_id, workshop_id, (SELECT country FROM workshop WHERE workshop.id = workshop_id) AS country,
  name, first_name, last_name, email, phone,
  company, address, postcode, suburb, tags, opted_out_at,
  ${whereBounced('email_bounced_at')} AS email_bounced_at, ${whereBounced('email_bounce')} AS email_bounce, erased_at, merged_into, version,
  created_at, updated_at`;

export interface CustomerFilter {
  readonly workshopId: string | null;
  /** E.164. */
  readonly phone: string | null;
  /** Partial matches; digits of a phone, a rego in its stored form. They need a workshop, whose customers are scanned. */
  readonly phonePart?: string | null;
  readonly namePart?: string | null;
  readonly regoPart?: string | null;
  /** The last customer of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

const customerFilters = {
  workshopId: { type: 'uuid', is: (value: string) => `workshop_id = ${value}` },
  phone: { type: 'text', is: (value: string) => `phone = ${value}` },
  phonePart: { type: 'text', is: (value: string) => `strpos(phone, ${value}) > 0` },
  namePart: { type: 'text', is: (value: string) => `strpos(lower(name), lower(${value})) > 0` },
  regoPart: {
    type: 'text',
    is: (value: string) =>
      `EXISTS (SELECT FROM car WHERE car.customer_id = customer.id
        AND car.workshop_id = customer.workshop_id AND strpos(rego, ${value}) > 0)`,
  },
};

/** Customers by id, oldest first. */
export async function listCustomers(db: Queryable, filter: CustomerFilter): Promise<CustomerRecord[]> {
  const { text, values } = customerListQuery(filter);
  return db.query<CustomerRecord>(text, values);
}

export function customerListQuery(filter: CustomerFilter) {
  const { conditions, values } = filterParameters(customerFilters, filter, 3);
  const text = `SELECT ${customerColumns} FROM customer
     WHERE ${[afterId('id', '$1'), ...conditions].join(' AND ')} ORDER BY id LIMIT $2`;
  return { text, values: [filter.after, filter.limit, ...values] };
}

export async function findCustomer(db: Queryable, id: string): Promise<CustomerRecord | null> {
  const [customer] = await db.query<CustomerRecord>(`SELECT ${customerColumns} FROM customer WHERE id = $1`, [
    id,
  ]);
  return customer ?? null;
}

/** Finds by a typed id. Throws OperatorError when there is no such customer. */
export const requireCustomer = (db: Queryable, id: string): Promise<CustomerRecord> =>
  foundById('customer', id, () => findCustomer(db, id));

/** `phone` is E.164. */
export async function findCustomerByPhone(
  db: Queryable,
  workshopId: string,
  phone: string,
): Promise<CustomerRecord | null> {
  const [customer] = await db.query<CustomerRecord>(
    `SELECT ${customerColumns} FROM customer WHERE phone = $2 AND workshop_id = $1`,
    [workshopId, phone],
  );
  return customer ?? null;
}

export interface NewCustomer {
  readonly id: string;
  readonly workshopId: string;
  readonly name: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string;
}

export async function insertCustomer(db: Queryable, customer: NewCustomer, at: Date): Promise<void> {
  const { id, workshopId, name, firstName, lastName, email, phone } = customer;
  await db.query(
    `INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [id, workshopId, name, firstName, lastName, email, phone, at],
  );
}

/**
 * Opts a customer out of SMS or in again, with all merged rows, and returns the phone of this one; undefined when nothing changes,
 * and the first time stays. The rows are locked.
 */
export async function changeOptOut(
  tx: Queryable,
  id: string,
  optedOut: boolean,
  at: Date,
): Promise<string | null | undefined> {
  const [row] = await tx.query<{ phone: string | null }>(
    `UPDATE customer SET opted_out_at = CASE WHEN $2::boolean THEN $3::timestamptz END, updated_at = $3
     WHERE id = $1 AND (opted_out_at IS NULL) = $2 RETURNING phone`,
    [id, optedOut, at],
  );
  return row?.phone;
}

/** Raises the version of all rows of a customer who has opted out and says STOP again; false: they have not opted out. */
export async function countStop(tx: Queryable, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE customer SET version = version + 1 WHERE id = ANY ($1::uuid[]) AND opted_out_at IS NOT NULL RETURNING true',
    [ids],
  );
  return rows.length > 0;
}

/** Removes the bounce mark of an address. */
export async function forgetBounce(tx: Queryable, id: string, at: Date): Promise<void> {
  await tx.query(
    `UPDATE customer SET bounced_email = NULL, email_bounced_at = NULL, email_bounce = NULL, updated_at = $2
      WHERE id = $1 AND bounced_email IS NOT NULL`,
    [id, at],
  );
}

/**
 * Overwrites the customer's personal details, and locks the row until the transaction ends: a concurrent booking waits, then
 * creates a new customer. Returns the previous phone and version; undefined when there is no such customer.
 */
export async function eraseCustomerRow(
  tx: Queryable,
  id: string,
  at: Date,
): Promise<Pick<CustomerRecord, 'phone' | 'version'> | undefined> {
  const [row] = await tx.query<Pick<CustomerRecord, 'phone' | 'version'>>(
    `SELECT phone, version FROM customer WHERE id = $1 FOR UPDATE`,
    [id],
  );
  await tx.query(
    `UPDATE customer SET name = 'Erased', first_name = NULL, last_name = NULL, email = NULL, phone = NULL, company = NULL,
       address = NULL, postcode = NULL, suburb = NULL, tags = '{}',
       bounced_email = NULL, email_bounced_at = NULL, email_bounce = NULL, erased_at = coalesce(erased_at, $2), updated_at = $2
     WHERE id = $1`,
    [id, at],
  );
  return row;
}

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

/** In `details_from`: details that the workshop itself entered, which no partner sees. */
export const workshopItself = nilId;

/** The column of the inserted row; but if its name is only the phone, that of the existing row. */
const ifNamed = (column: string) =>
  `CASE WHEN excluded.name = excluded.phone THEN customer.${column} ELSE excluded.${column} END`;

/** `details_from` with the partner added. */
export function withPartner(partner: string): string {
  return `CASE WHEN customer.details_from @> ${partner} THEN customer.details_from ELSE customer.details_from || ${partner} END`;
}

/**
 * Finds or creates the customer with the phone in the workshop of each row of `source` (a CTE with `workshop_id`) and returns `id,
 * workshop_id, phone`. The row takes the latest details; an absent name, company or e-mail stays, and the phone serves as the name
 * until a name is known. `source` may contain each customer only once; rows are locked in order of workshop and phone, so that
 * concurrent statements do not deadlock.
 */
export function upsertCustomer(source: string, $: CustomerParameters): string {
  return `INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, company, details_from, created_at, updated_at)
    SELECT ${$.newId}, workshop_id, coalesce(${$.name}, ${$.phone}), ${$.firstName}, ${$.lastName}, ${$.email}, ${$.phone}, ${$.company},
           ARRAY[${$.partnerId}], ${$.now}, ${$.now}
      FROM ${source} ORDER BY workshop_id, ${$.phone}
    ON CONFLICT (workshop_id, phone) DO UPDATE
      SET name = ${ifNamed('name')}, first_name = ${ifNamed('first_name')}, last_name = ${ifNamed('last_name')},
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
  /** Null: not given. */
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  /** Null: not given. */
  email: string | null;
  /** E.164. */
  phone: string;
  company: string | null;
  /** The partner that sent these details. */
  partnerId: string;
  now: Date;
}

/** Finds or creates the customer with the phone, locks the row, and resolves to its id. */
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
  if (row === undefined) throw new Error('a customer could neither be found nor created');
  return row.id;
}

/** Changed details of a customer; null: not changed, or cleared. The three names change together. */
export interface CustomerNews {
  id: string;
  workshopId: string;
  name: string | null;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  company: string | null;
  /** The partner that sent these details. */
  partnerId: string;
  now: Date;
}

/** Updates the customer's row with changed details, and locks it; an erased customer is not changed. */
export async function followCustomer(tx: Queryable, news: CustomerNews): Promise<void> {
  await tx.query(
    `UPDATE customer SET name = coalesce($2, name), first_name = CASE WHEN $2::text IS NULL THEN first_name ELSE $3 END,
       last_name = CASE WHEN $2::text IS NULL THEN last_name ELSE $4 END, email = coalesce(nullif($5, ''), email),
       company = coalesce($6, company), updated_at = $7, details_from = ${withPartner('ARRAY[$8::uuid]')}
     WHERE id = $1 AND workshop_id = $9 AND erased_at IS NULL`,
    [
      ...[
        news.id,
        news.name,
        news.firstName,
        news.lastName,
        news.email,
        news.company,
        news.now,
        news.partnerId,
      ],
      news.workshopId,
    ],
  );
}

/**
 * Writes what staff corrected: it counts as the workshop's own details, which partners that did not send them do not see. The phone
 * is E.164.
 */
export async function correctCustomerRow(
  tx: Queryable,
  id: string,
  { name, firstName, lastName, email, phone }: CorrectedDetails,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE customer SET name = $2, first_name = $3, last_name = $4, email = $5, phone = $6, updated_at = $7,
       details_from = ${withPartner('ARRAY[$8::uuid]')}
     WHERE id = $1`,
    [id, name, firstName, lastName, email, phone, at, workshopItself],
  );
  await noteChanged(tx, [id]);
}

export type CorrectedDetails = Pick<CustomerRecord, 'name' | 'firstName' | 'lastName' | 'email' | 'phone'>;

/** The name of a customer who is created; each part may be null. `partnerId`: who sent it. */
type NewName = Pick<CustomerParameters, 'name' | 'firstName' | 'lastName' | 'partnerId'>;

/**
 * Finds or creates the customer with the phone, which serves as the name until a name is known; returns `id, workshop_id, phone`.
 * An update that changes nothing locks the row, but not its key: others can write rows that refer to the customer meanwhile.
 */
export function ensureCustomer(
  source: string,
  $: Pick<CustomerParameters, 'newId' | 'phone' | 'now'> & Partial<NewName>,
): string {
  const { name = 'NULL::text', firstName = 'NULL', lastName = 'NULL', partnerId } = $;
  const detailsFrom =
    partnerId === undefined
      ? `'{}'::uuid[]`
      : `CASE WHEN ${name} IS NULL THEN '{}'::uuid[] ELSE ARRAY[${partnerId}] END`;
  return `INSERT INTO customer (id, workshop_id, name, first_name, last_name, phone, details_from, created_at, updated_at)
    SELECT ${$.newId}, workshop_id, coalesce(${name}, ${$.phone}), ${firstName}, ${lastName}, ${$.phone}, ${detailsFrom}, ${$.now}, ${$.now}
      FROM ${source}
    ON CONFLICT (workshop_id, phone) DO UPDATE SET updated_at = customer.updated_at
    RETURNING id, workshop_id, phone`;
}

const withPhoneText = `WITH place AS (SELECT $2::uuid AS workshop_id) ${ensureCustomer('place', {
  newId: '$1::uuid',
  phone: '$3::text',
  now: '$4::timestamptz',
})}`;

/** The id of the workshop's customer with this phone (E.164), created if missing; the row is locked. */
export async function customerWithPhone(
  tx: Queryable,
  of: { readonly newId: string; readonly workshopId: string; readonly phone: string; readonly now: Date },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(withPhoneText, [of.newId, of.workshopId, of.phone, of.now]);
  if (row === undefined) throw new Error('a customer could neither be found nor created');
  if (row.id === of.newId) await noteChanged(tx, [row.id]);
  return row.id;
}
