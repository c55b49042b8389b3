/** Idempotency-Key at POST /bookings, one request after the other (specification: Idempotency). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { assertProblem, bookingWorld, rowCounts } from '../../../test/fixtures/booking-api.ts';
import { bookingBody, signedInPartner } from '../../../test/harness/world.ts';
import { purgeKept } from './store.ts';

const { app, partner, workshopId, change } = await bookingWorld();
const { db } = app.context;
const day = 24 * 3_600;
const other = await signedInPartner(app, 'Another Partner');
await db.query('INSERT INTO link (partner_id, workshop_id, created_at) VALUES ($1, $2, $3)', [
  ...[other.partnerId, workshopId, app.clock.now()],
]);

let keys = 0;
const newKey = () => `order-${keys++}`;
const post = (key: string, changes: object = {}, { by = partner, path = '/bookings' } = {}) =>
  by.call('POST', path, bookingBody(workshopId, { ...changes }), { headers: { 'idempotency-key': key } });

test('the same key, body and path replay status, body and ETag, and create nothing (specification: Idempotency 2)', async () => {
  const key = newKey();
  const first = await post(key, { notes: 'once' });
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null]);
  await change(first.body.booking.id, { notes: 'changed since' });
  const before = await rowCounts(app);
  for (let time = 0; time < 3; time++) {
    const again = await post(key, { notes: 'once' });
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(again.headers.get('etag'), '"1"');
    assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
  }
  assert.deepEqual(await rowCounts(app), before);
});

test('always: a replay notifies nobody again', async () => {
  const key = newKey();
  const contact = { customerEmail: 'once@customer.example' };
  for (let time = 0; time < 2; time++) await post(key, contact);
  await app.drain();
  assert.equal(app.email.to('once@customer.example').length, 1);
});

test('the path is the same with /v1 and without it', async () => {
  const key = newKey();
  const first = await post(key, {}, { path: '/v1/bookings' });
  const again = await post(key, {}, { path: '/bookings' });
  assert.deepEqual([again.status, again.body], [201, first.body]);
});

test('the body is the same with keys in another order, other white space, or another Unicode form', async () => {
  const key = newKey();
  const first = await post(key, { notes: 'Café', services: [{ title: 'a', cost: 1.5 }] });
  const body = bookingBody(workshopId, { services: [{ cost: 1.5, title: ' a ' }], notes: 'Cafe\u0301' });
  const turned = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2);
  const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
  const again = await partner.call('POST', '/bookings', turned, { headers });
  assert.deepEqual([again.status, again.body], [201, first.body]);
});

test('422 000008: the same key with another body, and the first result stays (specification: Idempotency 2)', async () => {
  const key = newKey();
  const first = await post(key, { jobNotes: ['a', 'b'] });
  const before = await rowCounts(app);
  for (const changes of [{}, { jobNotes: ['b', 'a'] }, { jobNotes: ['a', 'b'], unknown: 1 }]) {
    assertProblem(await post(key, changes), 422, '000008');
  }
  assert.deepEqual(await rowCounts(app), before);
  assert.deepEqual((await post(key, { jobNotes: ['a', 'b'] })).body, first.body);
});

test('422 000008: the same key with another path (specification: Idempotency 2)', async () => {
  const key = newKey();
  await db.query(
    `INSERT INTO idempotency (partner_id, key, fingerprint, owner, leased_until, status, body, created_at)
     VALUES ($1, $2, sha256(convert_to('/leads/calls' || chr(10) || '{}', 'UTF8')), $1, clock_timestamp(), 201, '{}', $3)`,
    [partner.partnerId, key, app.clock.now()],
  );
  assertProblem(await post(key), 422, '000008');
});

test('a 4xx is not stored: the corrected request succeeds under the same key (specification: Idempotency 4)', async () => {
  const key = newKey();
  assertProblem(await post(key, { customerEmail: 'sam' }), 400, '000001', ['customerEmail']);
  assertProblem(await post(key, { workshopId: 'nowhere' }), 404, '030001');
  await db.query('UPDATE link SET active = false WHERE partner_id = $1', [partner.partnerId]);
  assertProblem(await post(key), 403, '000004');
  await db.query('UPDATE link SET active = true');
  assert.equal((await post(key, { notes: 'now' })).status, 201);
});

test('a 5xx is not stored either (specification: Idempotency 4)', async () => {
  const key = newKey();
  await db.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no room'; END $$`);
  await db.query('CREATE TRIGGER refuse_event BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse()');
  assertProblem(await post(key), 503, '000007');
  await db.query('DROP TRIGGER refuse_event ON event');
  const then = await post(key);
  assert.deepEqual([then.status, then.headers.get('idempotent-replayed')], [201, null]);
});

test('a key is valid for 24 hours by the business clock; then the request is a new one (specification: Idempotency 2)', async () => {
  const key = newKey();
  const first = await post(key);
  app.advance(day - 60);
  // The access token lives 48 hours.
  assert.deepEqual((await post(key)).body, first.body);
  app.advance(60);
  const later = await post(key, { notes: 'another body is fine' });
  assert.deepEqual([later.status, later.headers.get('idempotent-replayed')], [201, null]);
  assert.notEqual(later.body.booking.id, first.body.booking.id);
  assert.deepEqual((await post(key, { notes: 'another body is fine' })).body, later.body);
});

test('results of a day ago are deleted, and no younger ones', async () => {
  const key = newKey();
  await post(key);
  const isThere = async () => (await db.query('SELECT FROM idempotency WHERE key = $1', [key])).length === 1;
  await purgeKept(db, new Date(app.clock.now().getTime() + (day - 60) * 1000));
  assert.ok(await isThere());
  await purgeKept(db, new Date(app.clock.now().getTime() + (day + 1) * 1000));
  assert.ok(!(await isThere()));
});

test('a key belongs to one partner (specification: Idempotency 4)', async () => {
  const key = newKey();
  const [mine, theirs] = [await post(key), await post(key, {}, { by: other })];
  assert.deepEqual([theirs.status, theirs.headers.get('idempotent-replayed')], [201, null]);
  assert.notEqual(mine.body.booking.id, theirs.body.booking.id);
});

test('1 to 255 characters; any other key is 400 before anything is looked up, and creates nothing (specification: Idempotency 1; Requests and responses 10)', async () => {
  for (const key of ['k', 'k'.repeat(255), 'é ü/"\\%', `'; --`]) {
    assert.equal((await post(key)).status, 201);
    assert.equal((await post(key)).headers.get('idempotent-replayed'), 'true');
  }
  const before = await rowCounts(app);
  for (const key of ['', 'k'.repeat(256)])
    for (const nowhere of [{}, { workshopId: newId() }])
      assertProblem(await post(key, nowhere), 400, '000001', ['Idempotency-Key']);
  assert.deepEqual(await rowCounts(app), before);
});

test('without the header every request is a new one', async () => {
  const [first, second] = [
    await partner.call('POST', '/bookings', bookingBody(workshopId)),
    await partner.call('POST', '/bookings', bookingBody(workshopId)),
  ];
  assert.notEqual(first.body.booking.id, second.body.booking.id);
});
