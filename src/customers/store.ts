/** SQL of customers and cars, as the operator sees and changes them. */
import type { Queryable } from '#db/database.ts';

export interface CustomerRecord {
  readonly customerId: string;
  readonly workshopId: string;
  readonly name: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  readonly address: string | null;
  readonly postcode: string | null;
  readonly suburb: string | null;
  readonly optedOutAt: Date | null;
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const customerColumns = `
  id AS "customerId", workshop_id AS "workshopId", name, first_name AS "firstName", last_name AS "lastName", email, phone,
  company, address, postcode, suburb, opted_out_at AS "optedOutAt", erased_at AS "erasedAt", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

export interface CustomerFilter {
  readonly workshopId: string | null;
  /** E.164. */
  readonly phone: string | null;
  /** The id of the last customer of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** Customers by id, oldest first. */
export async function listCustomers(db: Queryable, filter: CustomerFilter): Promise<CustomerRecord[]> {
  return db.query<CustomerRecord>(
    `SELECT ${customerColumns} FROM customer
     WHERE ($1::uuid IS NULL OR workshop_id = $1) AND ($2::text IS NULL OR phone = $2) AND ($3::uuid IS NULL OR id > $3)
     ORDER BY id LIMIT $4`,
    [filter.workshopId, filter.phone, filter.after, filter.limit],
  );
}

export async function findCustomer(db: Queryable, id: string): Promise<CustomerRecord | null> {
  const [customer] = await db.query<CustomerRecord>(`SELECT ${customerColumns} FROM customer WHERE id = $1`, [
    id,
  ]);
  return customer ?? null;
}

export interface CarRecord {
  readonly carId: string;
  readonly rego: string;
  readonly year: number | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly badge: string | null;
  readonly vin: string | null;
}

export async function listCarsOf(db: Queryable, customerId: string): Promise<CarRecord[]> {
  return db.query<CarRecord>(
    `SELECT id AS "carId", rego, year, make, model, badge, vin FROM car WHERE customer_id = $1 ORDER BY created_at, id`,
    [customerId],
  );
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

export interface NewCar {
  readonly id: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly rego: string;
  readonly year: number;
  readonly make: string;
  readonly model: string;
}

export async function insertCar(db: Queryable, car: NewCar, at: Date): Promise<void> {
  const { id, workshopId, customerId, rego, year, make, model } = car;
  await db.query(
    `INSERT INTO car (id, workshop_id, customer_id, rego, year, make, model, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [id, workshopId, customerId, rego, year, make, model, at],
  );
}

/** Opts a customer out of SMS or in again; false when it was so before, and then the first time stays. */
export async function changeOptOut(tx: Queryable, id: string, optedOut: boolean, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE customer SET opted_out_at = CASE WHEN $2::boolean THEN $3::timestamptz END, updated_at = $3
     WHERE id = $1 AND (opted_out_at IS NULL) = $2 RETURNING id`,
    [id, optedOut, at],
  );
  return rows.length > 0;
}

/**
 * Overwrites what tells who the customer is, and holds the row until the transaction ends: a booking that arrives
 * meanwhile waits, then makes a customer of its own. Returns the phone that the row had; undefined when there is none.
 */
export async function eraseCustomerRow(
  tx: Queryable,
  id: string,
  at: Date,
): Promise<string | null | undefined> {
  const [row] = await tx.query<{ phone: string | null }>(
    `SELECT phone FROM customer WHERE id = $1 FOR UPDATE`,
    [id],
  );
  await tx.query(
    `UPDATE customer SET name = 'Erased', first_name = NULL, last_name = NULL, email = NULL, phone = NULL, company = NULL,
       address = NULL, postcode = NULL, suburb = NULL, erased_at = coalesce(erased_at, $2), updated_at = $2
     WHERE id = $1`,
    [id, at],
  );
  return row?.phone;
}

/**
 * Overwrites registrations and VINs; the numbering keeps a customer's cars apart. Among them may be cars that were erased
 * before: of theirs, or of somebody erased whose booking is theirs now.
 */
export async function eraseCarsOf(tx: Queryable, customerId: string, at: Date): Promise<void> {
  await tx.query(
    `WITH its AS (
       SELECT id, created_at, substring(rego FROM '^ERASED([0-9]{1,9})$')::bigint AS number FROM car WHERE customer_id = $1
     ), numbered AS (
       SELECT id, coalesce(number, (SELECT coalesce(max(number), 0) FROM its)
         + row_number() OVER (PARTITION BY number IS NULL ORDER BY created_at, id)) AS number FROM its
     )
     UPDATE car SET rego = 'ERASED' || numbered.number, vin = NULL, updated_at = $2
     FROM numbered WHERE car.id = numbered.id`,
    [customerId, at],
  );
}
