/** POST /bookings with services of the catalogue (specification: Services). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { customItem } from '#product/catalogue/item.ts';
import { assertProblem, bookingWorld, rowCounts } from '../../../test/fixtures/booking-api.ts';
import { logbook, setCatalogue, tyres } from '../../../test/fixtures/catalogue.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book } = await bookingWorld();
const { db } = app.context;
const idOf = await setCatalogue(app, workshopId, [logbook, tyres]);
const create = (changes: object, place = workshopId, headers = {}) =>
  partner.call('POST', '/bookings', bookingBody(place, { ...changes }), { headers });

const fromLogbook = {
  ...{ catalogId: idOf('logbook'), catalogCode: 'logbook', title: 'Logbook service', category: 'service' },
  ...{ cost: 199, maxCost: 399, icon: 'clipboard', color: 'blue', source: 'catalog' },
};
const fromTyres = {
  ...{ catalogId: idOf('tyres'), catalogCode: 'tyres', title: 'Four new tyres', category: 'tyres' },
  ...{ cost: null, maxCost: null, icon: null, color: null, source: 'catalog' },
};

async function minutesOf(bookingId: string): Promise<unknown> {
  const [row] = await db.query<{ minutes: number[] }>(
    'SELECT service_minutes AS minutes FROM booking WHERE id = $1',
    [bookingId],
  );
  return row?.minutes;
}

test('a service is filled from the catalogue by its id or its code; only the sent cost is kept (specification: Services 2; Creating a booking 5)', async () => {
  const lies = { title: 'x', category: 'y', maxCost: 1, icon: 'z', color: 'red', source: 'custom' };
  const { services, id } = await book({
    services: [
      { catalogCode: 'tyres', cost: 640.5, ...lies },
      { title: 'Wash' },
      { catalogId: idOf('logbook').toUpperCase(), catalogCode: 'tyres', ...lies },
      { catalogCode: 'logbook', cost: 0 },
      { catalogCode: 'Logbook' },
    ],
  });
  assert.deepEqual(services, [
    { ...fromTyres, cost: 640.5 },
    customItem({ title: 'Wash' }),
    fromLogbook,
    { ...fromLogbook, cost: 0 },
    customItem({ catalogCode: 'Logbook' }),
  ]);
  assert.deepEqual(await minutesOf(id), [45, 0, 90, 90, 0]);
});

test('serviceCategory is that of the first service with one of the four categories, unless it is sent (specification: Services 5; Creating a booking 5)', async () => {
  const category = async (changes: object) => (await book({ ...changes })).serviceCategory;
  const own = { title: 'Wash', category: 'cosmetics' };
  assert.equal(
    await category({ services: [own, { catalogCode: 'tyres' }, { catalogCode: 'logbook' }] }),
    'tyres',
  );
  assert.equal(await category({ services: [own] }), 'others');
  assert.equal(await category({ services: [{ catalogCode: 'tyres' }], serviceCategory: 'repair' }), 'repair');
  assert.equal(await category({ services: [{ catalogCode: 'tyres' }], serviceCategory: null }), 'tyres');
  assert.equal(await category({ services: [] }), null);
});

test('400 names each item without a service in the catalogue, and the phone, and nothing is written (specification: Services 4)', async () => {
  const elsewhere = await linkedWorkshop(app, [partner]);
  const theirs = await setCatalogue(app, elsewhere, [logbook]);
  const before = await rowCounts(app);
  const unknown = [theirs('logbook'), 'nothing', '0198c6a3-0000-7000-8000-000000000000'];
  const services = [{ title: 'Wash' }, ...unknown.map((catalogId) => ({ catalogId })), { cost: 5 }];
  const fields = [
    'services[1].catalogId',
    'services[2].catalogId',
    'services[3].catalogId',
    'services[4].title',
  ];
  assertProblem(await create({ services }), 400, '000001', fields);
  assertProblem(await create({ services, customerPhone: '12' }), 400, '000001', ['customerPhone', ...fields]);
  assert.deepEqual(await rowCounts(app), before);
});

test('refused in this order: body, workshop, link, then phone and catalogue (specification: Availability 9; Requests and responses 10)', async () => {
  const [shut, stranger] = [await linkedWorkshop(app, [partner]), await signedInPartner(app, 'Stranger')];
  await db.query('UPDATE link SET active = false WHERE workshop_id = $1', [shut]);
  const faults = { services: [{ catalogId: 'nothing' }], customerPhone: '12' };
  assertProblem(await create({ ...faults, carRego: '' }, shut), 400, '000001', ['carRego', 'customerPhone']);
  assertProblem(await create(faults, shut), 403, '000004');
  assertProblem(await create({ services: faults.services }, shut), 403, '000004');
  for (const place of [shut, 'nowhere']) {
    const answer = await stranger.call('POST', '/bookings', bookingBody(place, { ...faults }));
    assertProblem(answer, 404, '030001');
  }
});

test('an import applies from the next booking on, in every process', async () => {
  const place = await linkedWorkshop(app, [partner]);
  await setCatalogue(app, place, [logbook]);
  const other = await secondApp(app);
  const ways = [
    create,
    (changes: object) =>
      other.request('POST', '/bookings', {
        headers: { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
        body: bookingBody(place, { ...changes }),
      }),
  ];
  const item = async (sent: object) => {
    const made = await Promise.all(ways.map((way) => way({ services: [sent] }, place)));
    return made.map(({ status, body }) => (status === 201 ? body.booking.services[0] : body.errors[0].field));
  };
  const costs = async () => (await item({ catalogCode: 'logbook' })).map(({ cost }) => cost);

  assert.deepEqual(await costs(), [199, 199]);
  const renewed = await setCatalogue(app, place, [{ ...logbook, cost: 249 }, tyres]);
  assert.deepEqual(await costs(), [249, 249]);
  // A service that a process has not loaded yet is neither a fault nor a custom item.
  const id = renewed('tyres');
  assert.deepEqual(
    (await item({ catalogId: id })).map(({ title }) => title),
    [tyres.title, tyres.title],
  );
  await setCatalogue(app, place, [logbook]);
  assert.deepEqual(await item({ catalogId: id }), ['services[0].catalogId', 'services[0].catalogId']);
  assert.deepEqual(
    (await item({ catalogCode: 'tyres' })).map(({ source }) => source),
    ['custom', 'custom'],
  );
});

test('a repeat with its Idempotency-Key gets the first response, even when the service has been removed', async () => {
  const place = await linkedWorkshop(app, [partner]);
  const id = (await setCatalogue(app, place, [logbook]))('logbook');
  const attempt = () => create({ services: [{ catalogId: id }] }, place, { 'idempotency-key': 'gone' });
  const first = await attempt();
  await setCatalogue(app, place, []);
  const repeat = await attempt();
  assert.deepEqual([repeat.status, repeat.body], [201, first.body]);
  assertProblem(await create({ services: [{ catalogId: id }] }, place), 400, '000001', [
    'services[0].catalogId',
  ]);
});

test('one round trip once a process has loaded the catalogue; no more without services', async () => {
  const statements: string[] = [];
  const watching: Database = {
    ...db,
    query(text, values) {
      statements.push(text);
      return db.query(text, values);
    },
  };
  const { request } = await secondApp(app, { context: { db: watching } });
  const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
  const attempt = async (changes: object) => {
    statements.length = 0;
    const answer = await request('POST', '/bookings', {
      headers,
      body: bookingBody(workshopId, { ...changes }),
    });
    assert.equal(answer.status, 201);
    return statements.length;
  };
  const services = [{ catalogCode: 'logbook' }, { catalogId: idOf('tyres') }, { catalogCode: 'own' }];
  await attempt({ services });
  assert.deepEqual([await attempt({ services }), await attempt({})], [1, 1]);
});

test("a workshop's own booking takes its services from the catalogue by their code", async () => {
  const booking = await createOwnBooking(
    app.context,
    workshopId,
    {
      ...{
        carRego: 'WALK1',
        bookingTime: '2030-03-06 09:30',
        customerName: 'Pat',
        customerPhone: '0491570156',
      },
      service: ['logbook', 'Wash and polish'],
    },
    { notify: false, anyway: null, actor: actors.operator },
  );
  assert.deepEqual(booking.services, [fromLogbook, customItem({ title: 'Wash and polish' })]);
});
