import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, bookingWorld, eventsOf, rowCounts } from '../../../test/fixtures/booking-api.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book } = await bookingWorld();
const other = await signedInPartner(app, 'Another Partner');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const create = (changes: object, path = '/bookings') =>
  partner.call('POST', path, bookingBody(workshopId, { ...changes }));

test('success is 201 with success, and the booking with every field (specification: Creating a booking 2; Requests and responses 7; Bookings 1)', async () => {
  const before = app.clock.now().getTime();
  const answer = await create({ customerPhone: '0491 570 300', carRego: 'shape 1' });
  assert.equal(answer.status, 201);
  assert.deepEqual(Object.keys(answer.body).sort(), ['booking', 'success']);
  assert.equal(answer.body.success, true);
  assert.equal(answer.headers.get('etag'), '"1"');
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  const { booking } = answer.body;
  const { id, code, carId, customerId, createdAt } = booking;
  for (const made of [id, carId, customerId]) assert.match(made, uuid);
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Date.parse(createdAt) >= before && Date.parse(createdAt) <= app.clock.now().getTime());
  assert.deepEqual(booking, {
    id,
    code,
    carId,
    customerId,
    workshopId,
    externalId: null,
    car: {
      id: carId,
      customerId,
      rego: 'SHAPE1',
      year: null,
      make: null,
      model: null,
      badge: null,
      vin: null,
    },
    customer: {
      id: customerId,
      workshopId,
      name: 'Sam Taylor',
      firstName: 'Sam',
      lastName: 'Taylor',
      email: 'sam@customer.example',
      phone: '+61491570300',
      company: null,
      address: null,
      postcode: null,
      suburb: null,
    },
    status: 'pending',
    date: '2030-03-02T22:30:00.000Z',
    pickupTime: null,
    serviceCategory: null,
    services: [],
    servicePackageType: null,
    customerCompany: null,
    notes: null,
    interval: null,
    jobNotes: [],
    productNotes: [],
    tyreQuantities: null,
    cancelReason: null,
    createdAt,
    updatedAt: createdAt,
  });
});

test('3: a booking that is sent as confirmed, with its own id and code, is pending with ours (specification: Creating a booking 4)', async () => {
  const booking = await book({
    status: 'confirmed',
    id: workshopId,
    code: 'AAAAAAAA',
    interval: 5,
    version: 9,
  });
  assert.equal(booking.status, 'pending');
  assert.notEqual(booking.id, workshopId);
  assert.notEqual(booking.code, 'AAAAAAAA');
  assert.equal(booking.interval, null);
});

test('1: POST /v1/bookings is the same as POST /bookings', async () => {
  assert.equal((await create({}, '/v1/bookings')).status, 201);
});

test('an empty body: every required field is named, and no other (specification: Creating a booking 1)', async () => {
  assertProblem(await partner.call('POST', '/bookings', {}), 400, '000001', [
    ...['bookingTime', 'carRego', 'customerEmail', 'customerName', 'customerPhone', 'workshopId'],
  ]);
});

test('POST /bookings 400: every failing field is named once, the phone among them', async () => {
  const changes = { customerPhone: '12', customerEmail: 'sam', carRego: '', notes: 5, jobNotes: ['ok', 7] };
  assertProblem(await create(changes), 400, '000001', [
    ...['carRego', 'customerEmail', 'customerPhone', 'jobNotes[1]', 'notes'],
  ]);
  assertProblem(await create({ customerPhone: '1'.repeat(65) }), 400, '000001', ['customerPhone']);
});

for (const [what, body] of [
  ['no body', undefined],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"booking"'],
  ['not JSON', '{"workshopId":'],
] as const) {
  test(`POST /bookings 400: ${what}`, async () => {
    const answer = await partner.call('POST', '/bookings', body, {
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual([answer.status, answer.body.errorCode], [400, '000001']);
  });
}

test('401 without a token and with another partner: nothing is created', async () => {
  const before = await rowCounts(app);
  const body = bookingBody(workshopId);
  const none = await app.request('POST', '/bookings', {
    body,
    headers: { 'x-partner-id': partner.partnerId },
  });
  assertProblem(none, 401, '010000');
  const wrong = await partner.call('POST', '/bookings', body, {
    headers: { 'x-partner-id': other.partnerId },
  });
  assertProblem(wrong, 401, '010000');
  assert.deepEqual(await rowCounts(app), before);
});

test('404 030001: an unknown workshop, an id that is not a UUID, and a workshop that is not linked', async () => {
  const unlinked = await linkedWorkshop(app, [other]);
  for (const id of ['01a1fc1e-ff58-7d6d-8abb-d436e7decdc5', 'harbour-motors', unlinked]) {
    assertProblem(await create({ workshopId: id }), 404, '030001');
  }
});

test('403 000004: a link that is switched off, and nothing is created', async () => {
  const off = await linkedWorkshop(app, [partner]);
  await app.context.db.query('UPDATE link SET active = false WHERE workshop_id = $1', [off]);
  const before = await rowCounts(app);
  assertProblem(await create({ workshopId: off }), 403, '000004');
  assert.deepEqual(await rowCounts(app), before);
});

test('code: a code in use is replaced, and nothing of the failed attempt remains (specification: Bookings 3)', async () => {
  const taken = await book();
  const { db } = app.context;
  // The first three inserts get the used code; a sequence keeps its count when a statement fails.
  await db.query('CREATE SEQUENCE forced_code');
  await db.query(`CREATE FUNCTION force_code() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('forced_code') <= 3 THEN NEW.code := (SELECT min(code) FROM booking); END IF; RETURN NEW; END $$`);
  await db.query(
    `CREATE TRIGGER force_code BEFORE INSERT ON booking FOR EACH ROW EXECUTE FUNCTION force_code()`,
  );
  const before = await rowCounts(app);
  try {
    const booking = await book({ customerPhone: '0491570301' });
    assert.notEqual(booking.code, taken.code);
    const [tries] = await db.query<{ last: string }>('SELECT last_value::text AS last FROM forced_code');
    assert.equal(tries?.last, '4');
  } finally {
    await db.query('DROP TRIGGER force_code ON booking');
  }
  const { customers = 0, cars = 0, bookings = 0, events = 0 } = before;
  assert.deepEqual(await rowCounts(app), {
    customers: customers + 1,
    cars: cars + 1,
    bookings: bookings + 1,
    events: events + 1,
  });
});

test('the event is written in the commit of the booking: version 1, with the booking of the response (specification: Bookings 1)', async () => {
  for (const skip of [true, false]) {
    const booking = await book({ skipNotification: skip, notes: 'Ring first' });
    assert.deepEqual(await eventsOf(app, booking.id), [
      {
        kind: 'booking.created',
        version: 1,
        partnerId: partner.partnerId,
        workshopId,
        payload: { booking, dateChanged: false, notifyCustomer: !skip, notifyWorkshop: !skip },
      },
    ]);
  }
});

test('when the event cannot be written, the booking is not created', async () => {
  const { db } = app.context;
  await db.query(`CREATE FUNCTION refuse_code() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no room'; END $$`);
  await db.query(
    'CREATE TRIGGER refuse_event BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse_code()',
  );
  const before = await rowCounts(app);
  try {
    assertProblem(await create({ customerPhone: '0491570302' }), 503, '000007');
  } finally {
    await db.query('DROP TRIGGER refuse_event ON event');
  }
  assert.deepEqual(await rowCounts(app), before);
});

test('Pitlane-Strict: on refuses a day that is past at the workshop, unless nobody is notified; a replay is a replay (specification: Times 5)', async () => {
  const [workshop] = await app.context.db.query<{ timezone: string }>(
    'SELECT timezone FROM workshop WHERE id = $1',
    [workshopId],
  );
  const today = app.clock
    .now()
    .toTemporalInstant()
    .toZonedDateTimeISO(workshop?.timezone ?? '');
  const midnight = today.startOfDay().epochMilliseconds;
  const [first, before] = [midnight, midnight - 1].map((ms) => new Date(ms).toISOString());
  const send = (bookingTime: string | undefined, changes: object = {}, headers: object = {}) =>
    partner.call('POST', '/bookings', bookingBody(workshopId, { bookingTime, ...changes }), {
      headers: { 'pitlane-strict': 'on', ...headers },
    });
  const key = { 'idempotency-key': 'history-1' };
  const history = await send(before, {}, { ...key, 'pitlane-strict': 'off' });
  assert.equal(history.status, 201, 'without it history is taken as it is');
  const counted = await rowCounts(app);
  const refused = await send(before, { services: [{ catalogId: 'none' }] });
  assert.deepEqual([refused.status, refused.body.errorCode], [400, '000001']);
  const faults = refused.body.errors.map(
    ({ field, message }: Record<string, string>) => `${field}: ${message}`,
  );
  assert.match(faults.join('\n'), /bookingTime: lies on a day that is past.*skipNotification: true/);
  assert.match(faults.join('\n'), /services\[0\]\.catalogId/);
  assert.deepEqual(await rowCounts(app), counted);
  const replay = await send(before, {}, key);
  assert.deepEqual([replay.status, replay.body.booking.id], [201, history.body.booking.id]);
  assert.equal((await send(before, { skipNotification: true })).status, 201);
  assert.equal((await send(first)).status, 201, 'a time earlier today');
  assert.equal((await send(before, { workshopId: other.partnerId })).status, 404);
});
