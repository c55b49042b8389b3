/** SQL of customers' cars: reading and changing them, and fragments for larger statements that find or create one by rego. */
import type { Queryable } from '#platform/db/database.ts';
import { idsOf } from '../merged/store.ts';

/**
 * Punctuation in a rego, as the inside of a class of characters: hyphens, dots at the foot and in the middle, and what people take for them.
 * By code points, since a database whose locale is C knows no letters but those of ASCII.
 */
const marks = [
  ...[
    '!-/',
    ':-@',
    '\\[-`',
    '{-~',
    '\\u00A1-\\u00A9',
    '\\u00AB-\\u00B1',
    '\\u00B4',
    '\\u00B6-\\u00B8',
    '\\u00BB',
    '\\u00BF',
  ],
  ...[
    '\\u00D7',
    '\\u00F7',
    '\\u2010-\\u205E',
    '\\u2190-\\u2BFF',
    '\\u3001-\\u3003',
    '\\u3008-\\u3020',
    '\\u30FB',
  ],
].join('');

export interface CarRecord {
  readonly carId: string;
  /** Null: not given. */
  readonly rego: string | null;
  readonly year: number | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly badge: string | null;
  readonly vin: string | null;
}

/** SQL: the letters and digits of a rego; of one that has none the whole. Staff compare by these, and the wire does not. */
export const plainRegoOf = (rego: string): string =>
  `coalesce(nullif(regexp_replace(${rego}, '[${marks}]', '', 'g'), ''), ${rego})`;

/**
 * SQL: the key of a customer's car; two cars with one rego, after a merge, have the same key, and so have those that staff made one car
 * since their regos differ in punctuation alone.
 */
export const carName = `coalesce(CASE WHEN car.same_car THEN ${plainRegoOf('car.rego')} ELSE car.rego END, car.id::text)`;

/** A customer's cars, oldest first; of two with one rego, after a merge, only the latest. */
export async function listCarsOf(db: Queryable, customerId: string): Promise<CarRecord[]> {
  return db.query<CarRecord>(
    `SELECT id AS car_id, rego, year, make, model, badge, vin FROM (
       SELECT DISTINCT ON (${carName}) * FROM car WHERE customer_id = ANY (${idsOf('$1::uuid')})
        ORDER BY ${carName}, updated_at DESC, id) AS car
      ORDER BY created_at, id`,
    [customerId],
  );
}

/** The one of these customers whose car it is; null: none of them. */
export async function ownerOfCar(
  db: Queryable,
  of: { readonly workshopId: string; readonly carId: string; readonly customerIds: readonly string[] },
): Promise<string | null> {
  const [row] = await db.query<{ customerId: string }>(
    'SELECT customer_id FROM car WHERE id = $1 AND workshop_id = $2 AND customer_id = ANY ($3::uuid[])',
    [of.carId, of.workshopId, of.customerIds],
  );
  return row?.customerId ?? null;
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

export interface CarLike {
  readonly carId: string;
  readonly rego: string;
  /** Whether staff have made it one with others. */
  readonly isJoined: boolean;
}

/** Locks the cars of a customer, over all merged rows, whose regos differ from this one in punctuation alone; itself too. */
export async function lockCarsLike(
  tx: Queryable,
  of: { readonly workshopId: string; readonly customerId: string; readonly rego: string },
): Promise<CarLike[]> {
  return tx.query<CarLike>(
    `SELECT id AS car_id, rego, same_car AS is_joined FROM car
      WHERE customer_id = ANY (${idsOf('$2::uuid')}) AND workshop_id = $1 AND ${plainRegoOf('car.rego')} = ${plainRegoOf('$3::text')}
      ORDER BY id FOR NO KEY UPDATE`,
    [of.workshopId, of.customerId, of.rego],
  );
}

/** Makes them one for staff. */
export async function joinCars(tx: Queryable, workshopId: string, carIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE car SET same_car = true WHERE id = ANY ($2::uuid[]) AND workshop_id = $1 AND NOT same_car`,
    [workshopId, carIds],
  );
}

/** Locks a car of a customer, or of one merged into them; null: there is none. */
export async function lockCarOf(
  tx: Queryable,
  of: { readonly workshopId: string; readonly customerId: string; readonly carId: string },
): Promise<CarRecord | null> {
  const [row] = await tx.query<CarRecord>(
    `SELECT id AS car_id, rego, year, make, model, badge, vin FROM car
      WHERE id = $1 AND workshop_id = $2 AND customer_id = ANY (${idsOf('$3::uuid')}) FOR NO KEY UPDATE`,
    [of.carId, of.workshopId, of.customerId],
  );
  return row ?? null;
}

export interface CarCorrection extends Pick<CarRecord, 'carId' | 'year' | 'make' | 'model' | 'vin'> {
  /** The columns that change; the others stay. */
  readonly names: readonly string[];
}

/** Writes some details of a car. */
export async function correctCar(tx: Queryable, car: CarCorrection, at: Date): Promise<void> {
  const { carId, names, year, make, model, vin } = car;
  await tx.query(
    `UPDATE car SET year = CASE WHEN 'year' = ANY ($2::text[]) THEN $3 ELSE year END,
            make = CASE WHEN 'make' = ANY ($2) THEN $4 ELSE make END,
            model = CASE WHEN 'model' = ANY ($2) THEN $5 ELSE model END,
            vin = CASE WHEN 'vin' = ANY ($2) THEN $6 ELSE vin END, updated_at = $7
      WHERE id = $1`,
    [carId, names, year, make, model, vin, at],
  );
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
 * Finds or creates the car with the rego of each customer in `source` (a CTE with `id, workshop_id`) and returns the whole row.
 * Sent details replace the stored ones. The sort reads all of `source` first, so every customer is locked before the first car.
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
 * Moves the car to the customer in `source` (a CTE with `id`) when no other booking and no quote uses it and that customer has no
 * such car yet; returns the whole row, or none.
 */
export function moveCar(source: string, $: { carId: string; bookingId: string; now: string }): string {
  return `UPDATE car SET customer_id = target.id, updated_at = ${$.now} FROM ${source} AS target
     WHERE car.id = ${$.carId} AND car.customer_id <> target.id
       AND NOT EXISTS (SELECT FROM booking other WHERE other.car_id = car.id AND other.id <> ${$.bookingId})
       AND NOT EXISTS (SELECT FROM quote WHERE quote.car_id = car.id)
       AND NOT EXISTS (SELECT FROM car twin WHERE twin.customer_id = target.id AND twin.rego = car.rego)
    RETURNING car.*`;
}

/**
 * Overwrites registrations and VINs; numbers keep a customer's cars distinct. Some of the cars may be erased already: by an earlier
 * erasure, or because the booking of an erased person moved to this customer.
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
