/** A very busy workshop: 12 bays, 40 services, 10,000 bookings in the requested week. */

import type { Clock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';
import { everyDay } from './world.ts';

export interface BusyWeek {
  /** Its first date, a Monday. */
  readonly from: string;
  /** A service with a daily limit of its own, and one that counts under its category. */
  readonly limited: string;
  readonly unlimited: string;
}

const from = '2030-03-04';
const bookings = 10_000;

/** Sets the workshop up and fills the mornings and early afternoons of the week with bookings of one customer and car. */
export async function fillBusyWeek(
  db: Database,
  clock: Clock,
  { partnerId, workshopId }: { partnerId: string; workshopId: string },
): Promise<BusyWeek> {
  const hours = [
    { from: '06:00', to: '12:00' },
    { from: '12:30', to: '22:00' },
  ];
  const { services } = await importWorkshop(
    { db, clock },
    JSON.stringify({
      workshopId,
      settings: { slotMinutes: 10, bays: 12, horizonDays: 3_650 },
      hours: everyDay(...hours),
      custom: [{ date: '2030-03-06', hours: [{ from: '08:00', to: '12:00' }], note: 'Training' }],
      categories: serviceCategories.map((code) => ({ code, dailyLimit: 2_000 })),
      services: Array.from({ length: 40 }, (_, n) => ({
        ...{ catalogCode: `s${n}`, title: `Service ${n}`, category: serviceCategories[n % 4], cost: 100 + n },
        ...{ durationMinutes: 10 + 10 * (n % 9), dailyLimit: n % 5 === 0 ? 300 : null },
      })),
    }),
    actors.operator,
  );
  await db.query(
    `WITH someone AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'Sam', '+61491570006', clock_timestamp(), clock_timestamp()) RETURNING id),
     theirs AS (
       INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
       SELECT gen_random_uuid(), $1, id, 'BUSY', clock_timestamp(), clock_timestamp() FROM someone RETURNING id, customer_id),
     offered AS (SELECT id, category, duration_minutes, position FROM catalogue_service WHERE workshop_id = $1)
     INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, contact_name, contact_email, contact_phone,
       notes, created_at, updated_at, occupied_from, occupied_until, counted_services, counted_categories)
     SELECT gen_random_uuid(), 'busy ' || $1 || n, $2, $1, customer_id, theirs.id, at, 'Sam', 'sam@mail.example', '+61491570006',
            'Squeaks when braking', clock_timestamp(), clock_timestamp(), at, at + duration_minutes * interval '1 minute',
            ARRAY[offered.id], ARRAY[offered.category]
       FROM generate_series(0, ${bookings - 1}) AS n CROSS JOIN theirs JOIN offered ON position = n % 40
      CROSS JOIN LATERAL (SELECT timestamptz '${from} 06:00 Australia/Melbourne' + (n % 7) * interval '1 day'
                                 + (n * 7919 % 60) * interval '10 minutes' AS at) AS placed`,
    [workshopId, partnerId],
  );
  await db.query('VACUUM ANALYZE booking');
  const idOf = (code: string) => services.find(({ catalogCode }) => catalogCode === code)?._id ?? '';
  return { from, limited: idOf('s0'), unlimited: idOf('s1') };
}
