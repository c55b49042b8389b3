/** A year of a large partner: bookings and messages of many workshops, as they come in, beside another partner's. */

import type { Clock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { Database } from '#platform/db/database.ts';
import { createPartner } from '#product/partners/create.ts';
import { insertWorkshop, upsertLink } from '#product/workshops/store.ts';
import { analyse } from './fill.ts';

export interface Year {
  readonly credentials: Awaited<ReturnType<typeof createPartner>>;
  /** Of 2029, all of it. */
  readonly bookings: number;
}

const workshops = 40;
/** No statement may take longer than 15 seconds. */
const atOnce = 5_000;

/** `messages` are those of the partner; the other has a tenth of both. */
export async function fillYear(
  db: Database,
  clock: Clock,
  { bookings, messages }: { bookings: number; messages: number },
): Promise<Year> {
  const credentials = await createPartner({ db, clock }, 'A Year', actors.operator);
  const other = await createPartner({ db, clock }, 'Another', actors.operator);
  const ids = Array.from({ length: workshops }, () => newId());
  for (const [n, workshopId] of ids.entries()) {
    await insertWorkshop(
      db,
      workshopId,
      {
        ...{ name: `Workshop ${n}`, slug: `year-${n}`, country: 'AU', timezone: 'Australia/Melbourne' },
        ...{
          phone: '+61355501234',
          email: 'desk@year.example',
          address: null,
          notifyPhones: null,
          notifyEmails: null,
        },
        ...{
          smsSender: null,
          smsGateways: null,
          inboxMessagingEnabled: true,
          inboxNotices: 'off' as const,
          colour: null,
        },
      },
      clock.now(),
    );
    for (const { partnerId } of [credentials, other])
      await upsertLink(db, { partnerId, workshopId, active: true }, clock.now());
  }
  await db.query(
    `WITH person AS (
       INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
       SELECT gen_random_uuid(), id, 'Sam', '+6141' || (1000000 + n), now(), now() FROM unnest($1::uuid[]) id, generate_series(1, 500) n
       RETURNING id, workshop_id),
     talk AS (
       INSERT INTO conversation (id, workshop_id, customer_id, created_at) SELECT gen_random_uuid(), workshop_id, id, now() FROM person)
     INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
     SELECT gen_random_uuid(), workshop_id, id, 'YEAR', now(), now() FROM person`,
    [ids],
  );
  await analyse(db);
  for (const [partnerId, share] of [
    [credentials.partnerId, 1],
    [other.partnerId, 0.1],
  ] as const) {
    await inBatches(bookings * share, (from, to, of) => db.query(bookingRows, [partnerId, from, to, of]));
    await inBatches(messages * share, (from, to, of) => db.query(messageRows, [partnerId, from, to, of]));
  }
  await analyse(db);
  return { credentials, bookings };
}

async function inBatches(
  rows: number,
  step: (from: number, to: number, of: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows; from += atOnce) await step(from, Math.min(rows, from + atOnce) - 1, rows);
}

/** The n-th of that many rows of the year. */
const made = `timestamptz '2029-01-01T00:00:00Z' + interval '365 days' * (n::float8 / $4::float8)`;
/** `who`: the customers with their cars, numbered. */
const people = `WITH who AS MATERIALIZED (
  SELECT car.*, v.id AS conversation_id, (row_number() OVER (ORDER BY car.id) - 1)::int AS number
    FROM car JOIN conversation v ON v.customer_id = car.customer_id WHERE rego = 'YEAR')`;
const ofWhom = `generate_series($2::int, $3::int) n JOIN who ON number = n % ${workshops * 500}`;

const bookingRows = `${people}
  INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, status, contact_name, contact_email, contact_phone, created_at, updated_at)
  SELECT uuidv7(), md5($1::text || n), $1::uuid, workshop_id, customer_id, id, ${made} + interval '7 days',
         (ARRAY['pending', 'confirmed', 'completed', 'completed', 'completed', 'cancelled'])[1 + n % 6],
         'Sam Taylor', 'sam@year.example', '+61491570006', ${made}, ${made}
    FROM ${ofWhom} ORDER BY n`;

const messageRows = `${people}
  INSERT INTO message (id, workshop_id, conversation_id, customer_id, partner_id, direction, channel, kind, audience, recipient, body, encoding,
                       segments, state, created_at, updated_at)
  SELECT uuidv7(), workshop_id, conversation_id, customer_id, $1::uuid, CASE n % 5 WHEN 0 THEN 'inbound' ELSE 'outbound' END, 'sms',
         CASE n % 5 WHEN 0 THEN 'inbound' ELSE 'partnerMessage' END, 'customer', '+61491570006',
         'Hi Sam, your car is ready to collect. Please call us before you come.', 'gsm7', 1 + n % 2,
         CASE WHEN n % 5 = 0 THEN 'received' ELSE (ARRAY['delivered', 'delivered', 'accepted', 'failed', 'undelivered'])[1 + n % 5] END, ${made}, ${made}
    FROM ${ofWhom} ORDER BY n`;
