/** A database as it is after some time: bookings of returning customers, and statistics. */
import type { Database } from '#platform/db/database.ts';
import { customers } from './create-sql.ts';

/** Adds bookings, spread over the customers that the load comes from, and analyses. */
export async function fillBookings(
  db: Database,
  { partnerId, workshopId, bookings }: { partnerId: string; workshopId: string; bookings: number },
): Promise<void> {
  await db.query(
    `INSERT INTO customer (id, workshop_id, name, first_name, last_name, email, phone, details_from, created_at, updated_at)
     SELECT uuidv7(), $1::uuid, 'Sam Taylor', 'Sam', 'Taylor', 'sam' || n || '@customer.example', '+614' || (10000000 + n), ARRAY[$2::uuid], now(), now()
       FROM generate_series(1, $3::int) n ON CONFLICT DO NOTHING`,
    [workshopId, partnerId, customers],
  );
  await db.query(
    `INSERT INTO car (id, workshop_id, customer_id, rego, make, created_at, updated_at)
     SELECT uuidv7(), workshop_id, id, 'R' || (right(phone, 8)::int - 10000000), 'Toyota', now(), now() FROM customer
      WHERE workshop_id = $1 ON CONFLICT DO NOTHING`,
    [workshopId],
  );
  // Without statistics of this workshop's cars each booking would be compared with every car.
  await db.query('ANALYZE car');
  // A fifth at a time: no statement may take longer than 15 seconds.
  for (let part = 0; part < 5; part++) {
    await db.query(
      `WITH numbered AS (SELECT car.*, (row_number() OVER (ORDER BY car.id) - 1)::int AS number FROM car WHERE workshop_id = $1),
            counted AS (SELECT count(*)::int AS cars FROM numbered)
       INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, contact_name, contact_email, contact_phone,
                            notes, car_make, created_at, updated_at)
       SELECT uuidv7(), md5($1::uuid || ' ' || $4::int || ' ' || n), $2::uuid, $1::uuid, customer_id, id, '2030-03-02T22:30:00Z', 'Sam Taylor',
              'sam@customer.example', '+61491570006', 'Squeaks when braking', 'Toyota', now(), now()
         FROM generate_series(1, $3::int) n CROSS JOIN counted JOIN numbered ON number = n % cars`,
      [workshopId, partnerId, Math.ceil(bookings / 5), part],
    );
  }
  await analyse(db);
}

export async function analyse(db: Database): Promise<void> {
  await db.query('VACUUM ANALYZE');
}
