/** PUT /bookings/{id} with services of the catalogue (specification: Services). */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { customItem } from '#product/catalogue/item.ts';
import { assertProblem, bookingWorld, eventsOf, setStatus } from '../../../test/fixtures/booking-api.ts';
import { logbook, setCatalogue, tyres } from '../../../test/fixtures/catalogue.ts';

const { app, partner, workshopId, book, put, change, read } = await bookingWorld();
const { db } = app.context;

async function minutesOf(bookingId: string): Promise<unknown> {
  const [row] = await db.query<{ minutes: number[] }>(
    'SELECT service_minutes AS minutes FROM booking WHERE id = $1',
    [bookingId],
  );
  return row?.minutes;
}

test('an item that is sent back stays unchanged, even when the catalogue has changed (specification: Services 6)', async () => {
  const idOf = await setCatalogue(app, workshopId, [logbook, tyres]);
  const made = await book({ services: [{ catalogCode: 'logbook', cost: 150 }, { title: 'Wash' }] });
  await setCatalogue(app, workshopId, [{ ...tyres, cost: 640 }]);

  // Sending back the whole item changes nothing; sending only the five documented fields changes nothing either.
  const documented = made.services.map(({ catalogCode, title, category, cost, maxCost }) => ({
    ...{ catalogCode, title, category, cost, maxCost },
  }));
  for (const services of [made.services, documented]) {
    assert.deepEqual(await change(made.id, { ...made, services }), made);
  }
  const next = await change(made.id, {
    services: [made.services[1], { catalogCode: 'tyres' }, made.services[0]],
  });
  assert.deepEqual(next.services, [
    made.services[1],
    {
      ...customItem({ catalogCode: 'tyres', title: tyres.title, category: 'tyres', cost: 640 }),
      catalogId: idOf('tyres'),
      source: 'catalog',
    },
    made.services[0],
  ]);
  assert.deepEqual(await minutesOf(made.id), [0, 45, 90]);
  const [, updated] = await eventsOf(app, made.id);
  assert.deepEqual(updated?.payload.booking.services, next.services);

  // The stored item matches once: a second one is a new item.
  const twice = [made.services[0], made.services[0]];
  assertProblem(await put(made.id, { services: twice }), 400, '000001', ['services[1].catalogId']);
  const changed = [{ ...made.services[0], cost: 1 }];
  assertProblem(await put(made.id, { services: changed }), 400, '000001', ['services[0].catalogId']);
  assert.deepEqual(await read(made.id), next);
});

test('400 comes after 404 and 403, before 412 and 409; one response names faults of phone and services', async () => {
  await setCatalogue(app, workshopId, [logbook]);
  const { id } = await book();
  const services = [{ title: 'Wash' }, { catalogId: 'nothing' }, {}];
  const fields = ['services[1].catalogId', 'services[2].title'];
  const other = { 'if-match': '"99"' };
  await setStatus(app, id, 'completed');
  assertProblem(await put(id, { services }, other), 400, '000001', fields);
  assertProblem(await put(id, { services, customerPhone: '12' }, other), 400, '000001', [
    'customerPhone',
    ...fields,
  ]);
  assertProblem(await put(id, { services: [{ catalogCode: 'logbook' }] }, other), 412, '000010');
  assertProblem(await put(id, { services: [{ catalogCode: 'logbook' }] }), 409, '060004');
  assertProblem(await put(id, { services, notes: 5 }), 400, '000001', ['notes']);
  assertProblem(
    await put('0198c6a3-0000-7000-8000-000000000000', { services, customerPhone: '12' }),
    404,
    '060001',
  );
  await db.query('UPDATE link SET active = false WHERE workshop_id = $1', [workshopId]);
  try {
    assertProblem(await put(id, { services, customerPhone: '12' }), 403, '000004');
  } finally {
    await db.query('UPDATE link SET active = true');
  }
});

test('a category that no request named follows the services; a named one stays until it is cleared', async () => {
  await setCatalogue(app, workshopId, [logbook, tyres]);
  const categoryAfter = async (id: string, body: object) => (await change(id, { ...body })).serviceCategory;
  const { id } = await book({ services: [{ catalogCode: 'tyres' }] });
  const whole = await read(id);
  assert.equal(await categoryAfter(id, { ...whole, notes: 'sent back whole' }), 'tyres');
  assert.equal(await categoryAfter(id, { services: [{ catalogCode: 'logbook' }] }), 'service');
  assert.equal(await categoryAfter(id, { services: null }), null);
  assert.equal(
    await categoryAfter(id, { services: [{ catalogCode: 'tyres' }], serviceCategory: 'repair' }),
    'repair',
  );
  assert.equal(await categoryAfter(id, { services: [{ catalogCode: 'logbook' }] }), 'repair');
  assert.equal(await categoryAfter(id, { services: [] }), 'repair');
  assert.equal(
    await categoryAfter(id, { services: [{ catalogCode: 'tyres' }], serviceCategory: null }),
    'tyres',
  );
  assert.equal(await categoryAfter(id, { services: [{ catalogCode: 'logbook' }] }), 'service');
});

test('the migration: earlier services become custom ones, visible under a new version', async () => {
  const [plain, served] = [
    await book(),
    await book({ services: [{ title: 'Wash', cost: 19.9 }, { catalogCode: 'x' }] }),
  ];
  await db.query(
    `UPDATE booking SET service_category = NULL, services = (
       SELECT jsonb_agg(item - 'catalogId' - 'icon' - 'color' - 'source' || '{"category": null}') FROM jsonb_array_elements(services) AS item)
     WHERE id = $1`,
    [served.id],
  );
  await db.query('ALTER TABLE booking DROP service_minutes, DROP service_category_derived');
  const folder = new URL('../../../migrations/', import.meta.url);
  const name = readdirSync(folder).find((file) => file.endsWith('_catalogue_items.sql')) ?? '';
  await db.pool.query(`BEGIN; ${readFileSync(new URL(name, folder), 'utf8')}; COMMIT`);

  const now = await partner.call('GET', `/bookings/${served.id}`);
  const services = served.services.map((item) => ({ ...item, category: null }));
  assert.deepEqual([now.body.booking.services, now.headers.get('etag')], [services, '"2"']);
  assert.deepEqual(await read(plain.id), plain);
  // Only what is sent changes; the category does not.
  assert.deepEqual(await change(served.id, { ...now.body.booking }), now.body.booking);
  assert.equal(
    (await change(served.id, { services: [{ title: 'Tyres', category: 'tyres' }] })).serviceCategory,
    'tyres',
  );
});
