/**
 * Queries for known customers, for what a walk-in leaves, and for bookings against the rules use an index, on full and analysed
 * tables.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wantedAnyway } from '#operation/doctor/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { insertWorld } from '../../../../test/fixtures/booking-events.ts';
import { assertLittleRead } from '../../../../test/fixtures/explained.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { removeLeftCustomer } from '../walk-ins/store.ts';
import { findKnownByPhone, findKnownByRego } from './store.ts';

const { db } = await createTestDatabase({ poolSize: 1 });
const { workshopId, partnerId } = await insertWorld(db);
const size = 5_000;

await db.query(
  `WITH them AS (
     INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Customer ' || n, CASE WHEN n % 10 > 0 THEN '+614' || lpad(n::text, 8, '0') END, now(), now()
       FROM generate_series(1, $2::int) AS n RETURNING *),
   theirs AS (
     INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
     SELECT gen_random_uuid(), workshop_id, id, 'R' || right(phone, 8), now(), now() FROM them RETURNING *)
   INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, date, contact_name, contact_email, contact_phone, created_at, updated_at,
                        occupied_from, occupied_until, counted_services, counted_categories)
   SELECT gen_random_uuid(), left(id::text, 13), $3, workshop_id, customer_id, id, now(), 'x', '', '', now(), now(),
          now(), now() + interval '1 hour', '{}', '{}' FROM theirs`,
  [workshopId, size, partnerId],
);
await db.query(
  `UPDATE booking SET anyway_reason = 'They wait' WHERE id IN (SELECT id FROM booking WHERE occupied_from IS NOT NULL ORDER BY id LIMIT 3)`,
);
await db.query('ANALYZE');

/** The statements of `work`, which is also run. */
async function asked<T>(work: (db: Queryable) => Promise<T>) {
  const statements: { text: string; values: unknown[] }[] = [];
  const spy: Queryable = {
    query: (text: string, values: unknown[] = []) => {
      statements.push({ text, values });
      return db.query(text, values);
    },
  } as Queryable;
  return { statements, result: await work(spy) };
}

test('by a phone, by a rego', async () => {
  const phone = '+61400004999';
  const byPhone = await asked((tx) => findKnownByPhone(tx, workshopId, phone));
  const byRego = await asked((tx) => findKnownByRego(tx, workshopId, 'R00004999'));
  for (const { result } of [byPhone, byRego]) {
    assert.deepEqual(
      result.map(({ phone: found, cars }) => [found, cars.map(({ rego }) => rego)]),
      [[phone, ['R00004999']]],
    );
  }
  for (const [{ statements }, table, index] of [
    [byPhone, 'customer', 'customer_phone_workshop_id_key'],
    [byRego, 'car', 'car_rego_customer_id_key'],
  ] as const)
    for (const statement of statements)
      await assertLittleRead(db, statement, { table, index, rowsAtMost: 1 });
});

test('bookings against the rules', async () => {
  const of = { workshopId, from: new Date(0), until: new Date('2100-01-01') };
  const { statements, result } = await asked((tx) => wantedAnyway(tx, of));
  assert.equal(result.length, 3);
  for (const statement of statements)
    await assertLittleRead(db, statement, { table: 'booking', index: 'booking_anyway', rowsAtMost: 3 });
});

test('rows that a walk-in leaves', async () => {
  const [{ id: customerId } = { id: '' }] = await db.query<{ id: string }>(
    'SELECT id FROM customer WHERE phone IS NULL LIMIT 1',
  );
  const left = { bookingId: customerId, workshopId, customerId, carId: customerId };
  const { statements } = await asked((tx) => removeLeftCustomer(tx, left));
  const [, removal] = statements;
  assert.ok(removal);
  await assertLittleRead(db, removal, { table: 'booking', index: 'booking_customer', rowsAtMost: 1 });
});
