/** SQL of whom a workshop knows by a phone or a rego, for staff who write a booking. */
import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';

export interface KnownCar {
  readonly carId: string;
  /** Null: not given. */
  readonly rego: string | null;
  readonly year: number | null;
  readonly make: string | null;
  readonly model: string | null;
}

/** A customer as the workshop knows them, to fill in a booking. */
export interface KnownCustomer {
  readonly customerId: string;
  /** Null: not given. */
  readonly name: string | null;
  readonly email: string | null;
  /** E.164; null: not given. */
  readonly phone: string | null;
  readonly company: string | null;
  /** The one that was asked for alone; else those that came last, at most five. */
  readonly cars: readonly KnownCar[];
}

/** How many customers with a car of one rego are offered: cars change hands, and a rego may have been typed wrongly. */
export const knownAtMost = 10;
const carsAtMost = 5;

const shown = (cars: string) =>
  `customer.id AS customer_id, customer.name, customer.email, customer.phone, customer.company, ${cars} AS cars`;
const carJson = `jsonb_build_object('carId', car.id, 'rego', car.rego, 'year', car.year, 'make', car.make, 'model', car.model)`;

/** SQL: a customer's cars that have a rego, the one that came last first. */
const latestCars = `SELECT jsonb_agg(${carJson} ORDER BY car.updated_at DESC, car.id DESC) AS cars FROM (
         SELECT * FROM car WHERE car.customer_id = customer.id AND car.workshop_id = customer.workshop_id AND rego IS NOT NULL
          ORDER BY updated_at DESC, id DESC LIMIT ${carsAtMost}) AS car`;

/** The workshop's customer with this phone (E.164): one or none. */
export function findKnownByPhone(db: Queryable, workshopId: string, phone: string): Promise<KnownCustomer[]> {
  return db.query<KnownCustomer>(
    `SELECT ${shown("coalesce(theirs.cars, '[]')")}
       FROM customer CROSS JOIN LATERAL (${latestCars}) AS theirs
      WHERE customer.phone = $2 AND customer.workshop_id = $1`,
    [workshopId, phone],
  );
}

/** The workshop's customer with this id: one or none. */
export function findKnownById(db: Queryable, workshopId: string, id: string): Promise<KnownCustomer[]> {
  return db.query<KnownCustomer>(
    `SELECT ${shown("coalesce(theirs.cars, '[]')")}
       FROM customer CROSS JOIN LATERAL (${latestCars}) AS theirs
      WHERE customer.id = $2 AND customer.workshop_id = $1 AND customer.erased_at IS NULL`,
    [workshopId, id],
  );
}

/** Those of the workshop's customers who have a car with this rego, whose car came last first: at most ten. */
export function findKnownByRego(db: Queryable, workshopId: string, rego: string): Promise<KnownCustomer[]> {
  return db.query<KnownCustomer>(
    `SELECT ${shown(`jsonb_build_array(${carJson})`)}
       FROM car JOIN customer ON customer.id = car.customer_id AND customer.workshop_id = car.workshop_id
      WHERE car.rego = $2 AND car.workshop_id = $1 AND customer.erased_at IS NULL
      ORDER BY car.updated_at DESC, car.id DESC LIMIT ${knownAtMost}`,
    [workshopId, rego],
  );
}

/** Whether it is the id of a customer of the workshop who is not erased. */
export async function isCustomerOf(db: Queryable, workshopId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const rows = await db.query(
    `SELECT FROM customer WHERE id = $2 AND workshop_id = $1 AND erased_at IS NULL`,
    [workshopId, id],
  );
  return rows.length > 0;
}
