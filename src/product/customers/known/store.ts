/** SQL of a workshop's known customers by phone or rego, for staff who make a booking. */
import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { numberOfApart } from '../apart/store.ts';
import { carName } from '../cars/store.ts';
import { idsOf } from '../merged/store.ts';

export interface KnownCar {
  readonly carId: string;
  /** Null: not given. */
  readonly rego: string | null;
  readonly year: number | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly vin: string | null;
}

/** A customer with the details that fill in a booking. */
export interface KnownCustomer {
  readonly customerId: string;
  /** Null: not given. */
  readonly name: string | null;
  readonly email: string | null;
  /** E.164; null: not given. */
  readonly phone: string | null;
  readonly company: string | null;
  /** Only the car that was searched for; otherwise the latest ones, at most five. */
  readonly cars: readonly KnownCar[];
}

/** How many customers with a car of one rego are offered: cars are sold, and a rego may have been mistyped. */
export const knownAtMost = 10;
/** How many cars of a customer are offered. */
export const carsAtMost = 5;

/**
 * Columns of `kept`, the kept customer, with the phone of `customer`, the row that was found; of one apart the number that they were
 * booked with.
 */
const shown = (cars: string) =>
  `kept.id AS customer_id, kept.name, kept.email, kept.company, ${cars} AS cars,
   coalesce(customer.phone, ${numberOfApart('customer.id')}) AS phone`;
const andKept = 'JOIN customer kept ON kept.id = coalesce(customer.merged_into, customer.id)';
const carJson = `jsonb_build_object('carId', car.id, 'rego', car.rego, 'year', car.year, 'make', car.make,
    'model', car.model, 'vin', car.vin)`;

/** SQL: a customer's cars that have a rego, each once, latest first. */
const latestCars = `SELECT jsonb_agg(${carJson} ORDER BY car.updated_at DESC, car.id DESC) AS cars FROM (
         SELECT * FROM (
           SELECT DISTINCT ON (${carName}) * FROM car
            WHERE car.customer_id = ANY (${idsOf('customer.id')}) AND car.workshop_id = customer.workshop_id AND rego IS NOT NULL
            ORDER BY ${carName}, updated_at DESC, id DESC) AS one
          ORDER BY updated_at DESC, id DESC LIMIT ${carsAtMost}) AS car`;

/** The workshop's customer with this phone (E.164): one or none. */
export function findKnownByPhone(db: Queryable, workshopId: string, phone: string): Promise<KnownCustomer[]> {
  return db.query<KnownCustomer>(
    `SELECT ${shown("coalesce(theirs.cars, '[]')")}
       FROM customer ${andKept} CROSS JOIN LATERAL (${latestCars}) AS theirs
      WHERE customer.phone = $2 AND customer.workshop_id = $1`,
    [workshopId, phone],
  );
}

/** The workshop's customer with this id: one or none. */
export function findKnownById(db: Queryable, workshopId: string, id: string): Promise<KnownCustomer[]> {
  return db.query<KnownCustomer>(
    `SELECT ${shown("coalesce(theirs.cars, '[]')")}
       FROM customer kept CROSS JOIN LATERAL (
         SELECT * FROM customer WHERE id = ANY (${idsOf('kept.id')}) ORDER BY phone IS NULL, id LIMIT 1) AS customer
       CROSS JOIN LATERAL (${latestCars}) AS theirs
      WHERE kept.id = (SELECT coalesce(merged_into, id) FROM customer WHERE id = $2) AND kept.workshop_id = $1 AND kept.erased_at IS NULL`,
    [workshopId, id],
  );
}

/** The workshop's customers who have a car with this rego, the latest car first: at most ten. */
export function findKnownByRego(db: Queryable, workshopId: string, rego: string): Promise<KnownCustomer[]> {
  return db.query<KnownCustomer>(
    `SELECT customer_id, name, email, phone, company, cars FROM (
       SELECT DISTINCT ON (kept.id) ${shown(`jsonb_build_array(${carJson})`)}, car.updated_at, car.id
         FROM car JOIN customer ON customer.id = car.customer_id AND customer.workshop_id = car.workshop_id ${andKept}
        WHERE car.rego = $2 AND car.workshop_id = $1 AND customer.erased_at IS NULL
        ORDER BY kept.id, car.updated_at DESC, car.id DESC) AS found
      ORDER BY updated_at DESC, id DESC LIMIT ${knownAtMost}`,
    [workshopId, rego],
  );
}

/** Whether the workshop has a customer with this id who is not erased. */
export async function isCustomerOf(db: Queryable, workshopId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const rows = await db.query(
    `SELECT FROM customer WHERE id = $2 AND workshop_id = $1 AND erased_at IS NULL`,
    [workshopId, id],
  );
  return rows.length > 0;
}
