/**
 * After the migration an old booking shows only those details of its car that no other partner can have sent (specification:
 * Bookings 5).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { migrate, readMigrations } from '#platform/db/migrate.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';

const { db } = await createTestDatabase();
const at = '2030-01-15T00:00:00.000Z';

const migrations = await readMigrations();
const its = migrations.findIndex(({ name }) => name.endsWith('_booking_car.sql'));

/** Applies the first `count` migrations, as far as they are missing. */
const migrateBy = (count: number): Promise<string[]> => migrate(db, undefined, migrations[count - 1]?.name);

async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<string> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  await db.pool.query(`INSERT INTO ${table} (${names.join()}) VALUES (${places.join()})`, Object.values(row));
  return String(row['id']);
}

test('a car that only one partner has booked fills its bookings; other bookings show no details, under a new version', async () => {
  await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await migrateBy(its);
  const times = { created_at: at, updated_at: at };
  const partners = [];
  for (const name of ['A', 'B']) partners.push(await insert('partner', { id: newId(), name, ...times }));
  const [a = '', b = ''] = partners;
  const place = { country: 'AU', timezone: 'Australia/Perth', phone: '+61491570006', email: 'a@b.example' };
  const workshop_id = await insert('workshop', { id: newId(), name: 'W', slug: 'w', ...place, ...times });
  for (const partner_id of partners) await insert('link', { partner_id, workshop_id, created_at: at });
  const customer_id = await insert('customer', { id: newId(), workshop_id, name: 'Sam', ...times });

  const details = { year: 2019, make: 'Toyota', vin: 'V' };
  const car = (rego: string, of: object) =>
    insert('car', { id: newId(), workshop_id, customer_id, rego, ...of, ...times });
  const contact = { contact_name: 'Sam', contact_email: 'sam@b.example', contact_phone: '+61491570006' };
  const book = (partner_id: string, car_id: string) =>
    insert('booking', {
      ...{ id: newId(), code: newId(), partner_id, workshop_id, customer_id, car_id, date: at },
      ...contact,
      ...times,
    });
  const own = await car('OWN', details);
  const shared = await car('SHARED', details);
  const bare = await car('BARE', {});
  const left = await car('LEFT', details);
  const bookings = {
    own: await book(a, own),
    ownAgain: await book(a, own),
    sharedByA: await book(a, shared),
    sharedByB: await book(b, shared),
    bareByA: await book(a, bare),
    bareByB: await book(b, bare),
    // The other partner's booking was of this car, and has another one now.
    left: await book(a, left),
  };
  await insert('event', {
    ...{ id: newId(), kind: 'booking.created', partner_id: b, workshop_id, subject_id: bookings.bareByB },
    ...{ version: 1, occurred_at: at, payload: { booking: { id: bookings.bareByB, carId: left } } },
  });

  assert.deepEqual(await migrateBy(its + 1), [migrations[its]?.name]);
  const rows = await db.query<{ id: string; shown: unknown; version: number; later: boolean }>(
    `SELECT id, jsonb_strip_nulls(jsonb_build_object('year', car_year, 'make', car_make, 'model', car_model, 'badge', car_badge,
       'vin', car_vin)) AS shown, version, updated_at > created_at AS later FROM booking`,
  );
  const found = Object.entries(bookings).map(([name, id]) => {
    const row = rows.find((candidate) => candidate.id === id);
    return [name, row?.shown, row?.version, row?.later];
  });
  assert.deepEqual(found, [
    ['own', details, 1, false],
    ['ownAgain', details, 1, false],
    ['sharedByA', {}, 2, true],
    ['sharedByB', {}, 2, true],
    ['bareByA', {}, 1, false],
    ['bareByB', {}, 1, false],
    ['left', {}, 2, true],
  ]);
});
