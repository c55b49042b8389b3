/** POST /quotes, GET /quotes/{id} (specification: Quotes 1 and 2). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { quoteBody, quoteEvents, quoteWorld } from '../../../test/fixtures/quote-api.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, ask, read } = await quoteWorld();
const other = await signedInPartner(app, 'Other');
const { db, clock } = app.context;

const create = (changes: object, headers: Readonly<Record<string, string>> = {}) =>
  partner.call('POST', '/quotes', quoteBody(workshopId, { ...changes }), { headers });

async function counts(): Promise<object> {
  const [row] = await db.query(
    `SELECT (SELECT count(*)::int FROM customer) AS customers, (SELECT count(*)::int FROM car) AS cars,
       (SELECT count(*)::int FROM quote) AS quotes, (SELECT count(*)::int FROM event) AS events`,
  );
  return row ?? {};
}

test('success is 201 with every field of a quote, which is requested', async () => {
  const { status, body, headers } = await create({ customerPhone: '0491 570 300', carRego: 'shape 1' });
  assert.deepEqual([status, headers.get('etag')], [201, '"1"']);
  assert.deepEqual(Object.keys(body).sort(), ['quote', 'success']);
  const { id, code, carId, customerId, createdAt } = body.quote;
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/);
  const car = { rego: 'SHAPE1', year: null, make: null, model: null, badge: null, vin: null };
  const name = { name: 'Sam Taylor', firstName: 'Sam', lastName: 'Taylor' };
  const contact = { email: 'sam@customer.example', phone: '+61491570300', company: null };
  assert.deepEqual(body.quote, {
    ...{ id, code, workshopId, customerId, carId, bookingId: null, externalId: null },
    car: { id: carId, customerId, ...car },
    customer: {
      ...{ id: customerId, workshopId, ...name, ...contact },
      ...{ address: null, postcode: null, suburb: null },
    },
    status: 'requested',
    services: [
      {
        ...{ catalogId: null, catalogCode: null, title: 'Brake pads', category: 'others', source: 'custom' },
        ...{ cost: null, maxCost: null, icon: null, color: null },
      },
    ],
    notes: null,
    ...{ lines: [], total: null, message: null, validUntil: null, url: null },
    ...{ createdAt, updatedAt: createdAt },
  });
  assert.deepEqual(await read(id), body.quote);
});

test('optional fields are stored as sent; /v1/quotes is the same as /quotes', async () => {
  const car = { carYear: 2019, carMake: 'Toyota', carModel: 'Corolla', carBadge: 'SX', carVin: 'VIN1' };
  const rest = { notes: 'Ring\nfirst', externalId: 'LEAD-1', customerCompany: 'Fleet Pty Ltd' };
  const services = [{ title: 'B', cost: 19.99, maxCost: 30, category: 'repair' }, { title: 'A' }];
  const body = quoteBody(workshopId, { ...car, ...rest, services });
  const { quote } = (await partner.call('POST', '/v1/quotes', body)).body;
  const { year, make, model, badge, vin } = quote.car;
  assert.deepEqual([year, make, model, badge, vin], Object.values(car));
  assert.deepEqual([quote.notes, quote.externalId, quote.customer.company], Object.values(rest));
  assert.deepEqual(
    quote.services.map(({ title, cost }: { title: string; cost: number }) => [title, cost]),
    [
      ['B', 19.99],
      ['A', null],
    ],
  );
});

test('customer and car are shared with bookings; details of the car that the partner sent before are filled in', async () => {
  const who = { customerPhone: '0491570301', carRego: 'known 1' };
  const made = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { ...who, carMake: 'Mazda', carYear: 2020 }),
  );
  const { customerId, carId } = made.body.booking;
  const quote = await ask({ ...who, carYear: 2021 });
  assert.deepEqual([quote.customerId, quote.carId], [customerId, carId]);
  assert.deepEqual([quote.car.make, quote.car.year], ['Mazda', 2021]);
  await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actors.operator);
  const theirs = await ask(who, other);
  assert.deepEqual([theirs.carId, theirs.car.make], [carId, null]);
});

test('a car that a quote uses does not move with a booking to another customer', async () => {
  const who = { customerPhone: '0491570302', carRego: 'stays 1' };
  const { booking } = (await partner.call('POST', '/bookings', bookingBody(workshopId, who))).body;
  const quote = await ask(who);
  const moved = await partner.call('PUT', `/bookings/${booking.id}`, { customerPhone: '0491570303' });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  assert.notEqual(moved.body.booking.carId, quote.carId);
  assert.deepEqual(await read(quote.id), quote);
});

test('400: every failing field is named, and nothing is written', async () => {
  const before = await counts();
  assertProblem(await partner.call('POST', '/quotes', {}), 400, '000001', [
    ...['carRego', 'customerEmail', 'customerName', 'customerPhone', 'services', 'workshopId'],
  ]);
  const wrong = { customerPhone: '12', customerEmail: 'sam', services: [], carYear: '2019' };
  assertProblem(await create(wrong), 400, '000001', [
    ...['carYear', 'customerEmail', 'customerPhone', 'services'],
  ]);
  assertProblem(await create({ services: [{ title: 'x', cost: 1.005 }] }), 400, '000001', [
    'services[0].cost',
  ]);
  const many = Array.from({ length: 101 }, () => ({ title: 'x' }));
  assertProblem(await create({ services: many }), 400, '000001', ['services']);
  assert.deepEqual(await counts(), before);
});

test('401, 404 030001 and 403 000004: nothing is written', async () => {
  const off = await linkedWorkshop(app, [partner]);
  await setLink(
    { db, clock },
    { partnerId: partner.partnerId, workshopId: off, active: false },
    actors.operator,
  );
  const unlinked = await linkedWorkshop(app, [other]);
  const before = await counts();
  assertProblem(await app.request('POST', '/quotes', { body: quoteBody(workshopId) }), 401, '010000');
  for (const id of [newId(), 'harbour-motors', unlinked]) {
    assertProblem(await create({ workshopId: id }), 404, '030001');
  }
  assertProblem(await create({ workshopId: off }), 403, '000004');
  assert.deepEqual(await counts(), before);
});

test('Idempotency-Key: one quote, replayed; another body is 422; two concurrent calls create one', async () => {
  const key = { 'idempotency-key': 'quote-1' };
  const [first, second] = await Promise.all([create({}, key), create({}, key)]);
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.deepEqual(first.body, second.body);
  const third = await create({}, key);
  assert.deepEqual([third.body, third.headers.get('idempotent-replayed')], [first.body, 'true']);
  assert.equal(third.headers.get('etag'), '"1"');
  assertProblem(await create({ notes: 'More' }, key), 422, '000008');
  const rows = await db.query('SELECT FROM quote WHERE id = $1', [first.body.quote.id]);
  assert.equal(rows.length, 1);
});

test('the event quote.requested contains the quote of the response, and whether the workshop is notified', async () => {
  for (const skipNotification of [false, true]) {
    const quote = await ask({ skipNotification });
    assert.deepEqual(await quoteEvents(app, quote.id), [
      {
        kind: 'quote.requested',
        version: 1,
        partnerId: partner.partnerId,
        payload: { quote, notifyCustomer: false, notifyWorkshop: !skipNotification },
      },
    ]);
  }
});

test('GET: 401; 404 050001 for an unknown id, one that is not a UUID, and another partner’s; quotes can be read when the link is off', async () => {
  const own = await linkedWorkshop(app, [partner]);
  const quote = await ask({ workshopId: own });
  assertProblem(await app.request('GET', `/quotes/${quote.id}`), 401, '010000');
  for (const id of [newId(), 'none', quote.code]) {
    assertProblem(await partner.call('GET', `/quotes/${id}`), 404, '050001');
  }
  assertProblem(await other.call('GET', `/quotes/${quote.id}`), 404, '050001');
  await setLink(
    { db, clock },
    { partnerId: partner.partnerId, workshopId: own, active: false },
    actors.operator,
  );
  assert.deepEqual(await read(quote.id), quote);
});

test('a code in use is replaced', async () => {
  const taken = await ask();
  await db.query('CREATE SEQUENCE forced_code');
  await db.query(`CREATE FUNCTION force_code() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('forced_code') <= 2 THEN NEW.code := (SELECT min(code) FROM quote); END IF; RETURN NEW; END $$`);
  await db.query(
    'CREATE TRIGGER force_code BEFORE INSERT ON quote FOR EACH ROW EXECUTE FUNCTION force_code()',
  );
  try {
    assert.notEqual((await ask()).code, taken.code);
  } finally {
    await db.query('DROP TRIGGER force_code ON quote');
  }
});
