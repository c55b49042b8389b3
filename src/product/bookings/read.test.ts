import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book, change } = await bookingWorld();
const other = await signedInPartner(app, 'Another Partner');
await app.context.db.query('INSERT INTO link (partner_id, workshop_id, created_at) VALUES ($1, $2, $3)', [
  ...[other.partnerId, workshopId, app.clock.now()],
]);

test('4 read: 200 with the booking of the last response, and its ETag (specification: Bookings 1, 6 and 7)', async () => {
  const made = await book({ notes: 'Ring first', jobNotes: ['One'] });
  for (const path of ['/bookings', '/v1/bookings']) {
    const answer = await partner.call('GET', `${path}/${made.id}`);
    assert.deepEqual([answer.status, answer.body], [200, { success: true, booking: made }]);
    assert.equal(answer.headers.get('etag'), '"1"');
  }
  const changed = await change(made.id, { notes: 'No need to ring' });
  const answer = await partner.call('GET', `/bookings/${made.id}`);
  assert.deepEqual(answer.body.booking, changed);
  assert.equal(answer.headers.get('etag'), '"2"');
});

test('404 060001: an unknown id, an id that is not a UUID, and another partner’s booking', async () => {
  const { id, code } = await book();
  const unknown = '01a1fc1e-ff58-7d6d-8abb-d436e7decdc5';
  for (const wrong of [unknown, 'abc', code, `${id}x`, '%00', `${id}'--`, 'x'.repeat(300)]) {
    assertProblem(await partner.call('GET', `/bookings/${wrong}`), 404, '060001');
  }
  assertProblem(await other.call('GET', `/bookings/${id}`), 404, '060001');
});

test('401 without a token', async () => {
  const { id } = await book();
  const headers = { 'x-partner-id': partner.partnerId };
  assertProblem(await app.request('GET', `/bookings/${id}`, { headers }), 401, '010000');
});

test('2 tenancy: reading works while the link is switched off', async () => {
  const made = await book();
  const { db } = app.context;
  await db.query('UPDATE link SET active = false WHERE partner_id = $1', [partner.partnerId]);
  const answer = await partner.call('GET', `/bookings/${made.id}`);
  await db.query('UPDATE link SET active = true');
  assert.deepEqual([answer.status, answer.body.booking], [200, made]);
});
