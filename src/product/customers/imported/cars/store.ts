/** SQL that finds or creates the cars of an imported file, in sets. Known values stay: only unset ones are filled. */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';

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
export const carMark = `md5(jsonb_build_array(car.customer_id, car.rego, car.make, car.model, car.year, car.badge, car.vin, car.same_car,
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
