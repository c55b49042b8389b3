/** A workshop with 10,000 bookings a month: those of two months, their messages, and what waits for its staff. */
import type { Clock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { analyse } from './fill.ts';
import { everyDay } from './world.ts';

const services = JSON.stringify(
  [
    ['Logbook service', 289],
    ['Wheel alignment', null],
  ].map(([title, cost]) => ({
    ...{ catalogId: null, catalogCode: null, category: 'service', title, icon: null, color: null },
    ...{ cost, maxCost: null, source: 'custom' },
  })),
);

const daysEachWay = 30;
const customers = 4_000;

const bookingsText = `WITH owned AS (
    SELECT car.id, car.customer_id, k.name, (row_number() OVER (ORDER BY car.id) - 1)::int AS number
      FROM car JOIN customer k ON k.id = car.customer_id WHERE car.workshop_id = $1),
  placed AS (
    SELECT day, n, (date_trunc('day', now() AT TIME ZONE 'Australia/Melbourne') + day * interval '1 day'
                    + interval '7 hours' + (n % 44) * interval '15 minutes') AT TIME ZONE 'Australia/Melbourne' AS at,
           30 + n % 4 * 30 AS minutes
      FROM generate_series($3::int, $4::int) AS day CROSS JOIN generate_series(0, $5::int - 1) AS n),
  made AS (
    INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, pickup_time, status, services, service_minutes,
                         contact_name, contact_email, contact_phone, notes, car_make, car_model, created_at, updated_at,
                         occupied_from, occupied_until, counted_services, counted_categories)
    SELECT uuidv7(), substr(md5($1::uuid::text || day || ' ' || n), 1, 12), $2, $1, customer_id, owned.id, at,
           CASE WHEN n % 3 = 0 THEN at + interval '6 hours' END,
           CASE WHEN n % 20 = 0 THEN 'cancelled' WHEN day < 0 THEN 'completed' WHEN n % 9 = 0 THEN 'pending' ELSE 'confirmed' END,
           $6::jsonb,
           ARRAY[minutes, 0], name, 'sam@mail.example', '+61491570006', CASE WHEN n % 2 = 0 THEN 'Squeaks when braking' END,
           'Toyota', 'Corolla', now(), now(), taken.from, taken.until, taken.services, taken.categories
      FROM placed JOIN owned ON number = (day + 1000) * $5::int % ${customers} + n
     CROSS JOIN LATERAL (SELECT CASE WHEN n % 20 > 0 THEN at END AS "from", CASE WHEN n % 20 > 0 THEN at + minutes * interval '1 minute' END AS until,
            CASE WHEN n % 20 > 0 THEN '{null}'::uuid[] END AS services, CASE WHEN n % 20 > 0 THEN '{tyres}'::text[] END AS categories) AS taken
    RETURNING id, customer_id, date),
  came AS (
    INSERT INTO attendance (booking_id, state, actor, at)
    SELECT id, (ARRAY['here', 'ready', 'collected'])[1 + row_number() OVER () % 3], 'schedule', now() FROM made WHERE date < now())
  INSERT INTO message (id, workshop_id, conversation_id, customer_id, booking_id, direction, kind, recipient, body, encoding, segments, state, attempts,
                       created_at, updated_at)
  SELECT uuidv7(sent - now()), $1, talk.id, made.customer_id, made.id, 'outbound', 'bookingNotice', '+61491570006', 'Your booking is confirmed.', 'gsm7', 1,
         CASE WHEN row_number() OVER () % 200 = 0 THEN 'failed' ELSE 'delivered' END, 1, sent, sent
    FROM made JOIN conversation talk ON talk.customer_id = made.customer_id AND talk.workshop_id = $1 CROSS JOIN generate_series(1, 2)
   CROSS JOIN LATERAL (SELECT least(date - interval '14 days', now() - date_part('minute', date) * interval '3 hours') AS sent) AS its`;

/** Those of one conversation in ten wait for an answer. */
const talksText = `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, attempts,
                     created_at, updated_at)
  SELECT uuidv7(n * interval '2 minutes' - interval '14 days'), $1, talk.id, talk.customer_id, direction,
         CASE direction WHEN 'inbound' THEN 'inbound' ELSE 'reply' END, '+61491570006', 'Is it ready?', 'gsm7', 1,
         CASE direction WHEN 'inbound' THEN 'received' ELSE 'delivered' END, 1, now(), now()
    FROM generate_series(1, 10000) AS n
    JOIN (SELECT id, customer_id, (row_number() OVER (ORDER BY id) - 1)::int AS number FROM conversation WHERE workshop_id = $1) AS talk
      ON number = n / 2 % ${customers}
   CROSS JOIN LATERAL (SELECT CASE WHEN n % 2 = 0 OR number % 10 = 0 THEN 'inbound' ELSE 'outbound' END AS direction) AS said`;

const waitingText = `WITH missed AS (
    INSERT INTO call_lead (id, partner_id, workshop_id, caller_phone, called_at, outcome, was_missed, external_id, created_at, updated_at)
    SELECT uuidv7(), $2, $1, '+614' || (90000000 + n % 1500), now() - n * interval '20 minutes', CASE WHEN n % 3 = 0 THEN 'missed' ELSE 'answered' END,
           n % 3 = 0, n::text, now(), now() FROM generate_series(1, 3000) n)
  INSERT INTO quote (id, code, partner_id, workshop_id, customer_id, car_id, status, contact_name, contact_email, contact_phone, services,
                     service_minutes, version, created_at, updated_at)
  SELECT uuidv7(), substr(md5(id::text), 1, 12), $2, $1, customer_id, id, CASE WHEN row_number() OVER () % 50 = 0 THEN 'requested' ELSE 'declined' END,
         'Sam', 'sam@mail.example', '+61491570006', '[]', '{}', 1, now(), now() FROM car WHERE workshop_id = $1 LIMIT 2000`;

/** Fills the month after today and that many days before it, and analyses. Resolves to how many bookings are today. */
export async function fillMonth(
  db: Database,
  clock: Clock,
  { partnerId, workshopId }: { readonly partnerId: string; readonly workshopId: string },
  aMonth: number,
  daysBefore = daysEachWay,
): Promise<number> {
  await importWorkshop(
    { db, clock },
    JSON.stringify({
      workshopId,
      settings: { slotMinutes: 15, bays: 40 },
      categories: [{ code: 'tyres', dailyLimit: 400 }],
      hours: everyDay({ from: '07:00', to: '19:00' }),
    }),
    actors.operator,
  );
  await db.query(
    `WITH person AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       SELECT uuidv7(), $1, 'Sam O''Brien ' || n, '+614' || (90000000 + n), now(), now() FROM generate_series(1, ${customers}) n RETURNING id),
     talk AS (
       INSERT INTO conversation (id, workshop_id, customer_id, created_at) SELECT uuidv7(), $1, id, now() FROM person)
     INSERT INTO car (id, workshop_id, customer_id, rego, make, model, created_at, updated_at)
     SELECT uuidv7(), $1, id, 'R' || row_number() OVER (), 'Toyota', 'Corolla', now(), now() FROM person`,
    [workshopId],
  );
  await analyse(db);
  const aDay = Math.ceil(aMonth / 30);
  // Ten days at a time: no statement may take longer than 15 seconds.
  for (let from = -daysBefore; from < daysEachWay; from += 10)
    await db.query(bookingsText, [workshopId, partnerId, from, from + 9, aDay, services]);
  await db.query(talksText, [workshopId]);
  await db.query(waitingText, [workshopId, partnerId]);
  await analyse(db);
  return aDay;
}
