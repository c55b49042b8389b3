/** POST /bookings/{id}/{status} (specification: Status of a booking). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertProblem, bookingWorld, eventsOf, setStatus } from '../../../test/fixtures/booking-api.ts';
import { rawRequest } from '../../../test/fixtures/raw-http.ts';
import type { RequestOptions } from '../../../test/harness/app.ts';
import { signedInPartner } from '../../../test/harness/world.ts';
import { type BookingStatus, bookingStatuses } from './schema.ts';

const world = await bookingWorld();
const { app, partner, workshopId, book, read } = world;
const other = await signedInPartner(app, 'Other');
const to = (id: string, status: string, body?: unknown, options?: RequestOptions) =>
  partner.call('POST', `/bookings/${id}/${status}`, body, options);

/** A booking in this status, without a notice or an event of the change. */
async function bookingIn(status: BookingStatus) {
  const booking = await book({ skipNotification: true });
  if (status !== 'pending') await setStatus(app, booking.id, status);
  return booking;
}

const permitted: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['confirmed', 'completed', 'cancelled'],
  confirmed: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
};

for (const from of bookingStatuses) {
  for (const status of bookingStatuses.filter((each) => each !== from)) {
    const isPermitted = permitted[from].includes(status);
    test(`${from} → ${status} is ${isPermitted ? 'permitted' : '409 060002, and changes nothing'} (specification: Status of a booking 1 and 2)`, async () => {
      const { id } = await bookingIn(from);
      const before = await read(id);
      const answer = await to(id, status);
      const events = await eventsOf(app, id);
      if (!isPermitted) {
        assertProblem(answer, 409, '060002');
        for (const word of permitted[from]) assert.match(answer.body.message, new RegExp(word));
        if (permitted[from].length === 0) assert.match(answer.body.message, /no other status is permitted/);
        assert.deepEqual(await read(id), before);
        assert.equal(events.length, 1);
        return;
      }
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('etag'), '"2"');
      assert.equal(answer.body.success, true);
      const { updatedAt } = answer.body.booking;
      assert.ok(updatedAt > before.updatedAt);
      assert.deepEqual(answer.body.booking, { ...before, status, updatedAt });
      assert.deepEqual(await read(id), answer.body.booking);
      const { kind, version, partnerId, payload } = events[1] ?? assert.fail('no event');
      assert.deepEqual([kind, version, partnerId], [`booking.${status}`, 2, partner.partnerId]);
      assert.deepEqual(payload, {
        booking: answer.body.booking,
        dateChanged: false,
        notifyCustomer: true,
        notifyWorkshop: true,
      });
    });
  }

  test(`${from} → ${from} is 200 and changes nothing (specification: Status of a booking 2)`, async () => {
    const { id } = await bookingIn(from);
    const before = await read(id);
    const answer = await to(id, from, { reason: 'Once more' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('etag'), '"1"');
    assert.deepEqual(answer.body, { success: true, booking: before });
    assert.equal((await eventsOf(app, id)).length, 1);
  });
}

test('an empty body is accepted, however it is sent', async () => {
  for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    const { id } = await bookingIn('pending');
    assert.equal((await to(id, 'confirmed', undefined, { headers })).status, 200, JSON.stringify(headers));
  }
  for (const type of ['', 'Content-Type: application/json\r\n']) {
    const { id } = await bookingIn('pending');
    const chunked = (chunks: string) =>
      rawRequest(
        app.url,
        `POST /bookings/${id}/confirmed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${partner.token}\r\nX-Partner-ID: ${partner.partnerId}\r\n` +
          `${type}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      );
    assert.equal((await chunked('2\r\n{"\r\n')).status, type === '' ? 415 : 400);
    if (type !== '')
      assert.equal((await chunked('1\r\n{\r\nd\r\n"reason": 1 }\r\n')).body.errors[0].field, 'reason');
    assert.equal((await chunked('')).body.booking.status, 'confirmed');
  }
  const { id } = await bookingIn('pending');
  const nulls = { reason: null, skipNotification: null, other: 1 };
  const answer = await to(id, 'confirmed', nulls);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('pitlane-ignored-fields'), 'other');
  const twin = await partner.call('POST', `/v1/bookings/${id}/completed/`, {});
  assert.equal(twin.body.booking.status, 'completed');
});

test('a reason is stored as cancelReason, for cancellations only (specification: Status of a booking 3)', async () => {
  const { id } = await bookingIn('pending');
  const confirmed = await to(id, 'confirmed', { reason: 'Not kept' });
  assert.equal(confirmed.body.booking.cancelReason, null);
  const longest = 'ä'.repeat(500);
  const cancelled = await to(id, 'cancelled', { reason: `  ${longest} ` });
  assert.equal(cancelled.body.booking.cancelReason, longest);
  const again = await to(id, 'cancelled', { reason: 'Another' });
  assert.equal(again.body.booking.cancelReason, longest);
  assert.equal((await read(id)).cancelReason, longest);
});

test('400 000001: an unknown word, and a reason or switch of another type; each is named, and nothing changes (specification: Status of a booking 2 and 3)', async () => {
  const { id } = await bookingIn('pending');
  for (const word of ['canceled', 'Confirmed', 'done', '%20', 'constructor']) {
    assertProblem(await to(id, word), 400, '000001', ['status']);
  }
  // The word is checked before the booking is looked up.
  assertProblem(await to(newId(), 'done'), 400, '000001', ['status']);
  for (const [body, fields] of [
    [{ reason: 'x'.repeat(501) }, ['reason']],
    [{ reason: 1, skipNotification: 'yes' }, ['reason', 'skipNotification']],
    [{ reason: 'a\u0000b' }, ['reason']],
    [[], ['body']],
    ['text', ['body']],
  ] as const) {
    assertProblem(await to(id, 'cancelled', typeof body === 'string' ? '"text"' : body), 400, '000001', [
      ...fields,
    ]);
  }
  assertProblem(await to(id, 'cancelled', '{'), 400, '000001');
  assert.equal((await read(id)).status, 'pending');
});

test('401 without a token, 404 for another tenant’s booking, an unknown id and an invalid id', async () => {
  const { id } = await bookingIn('pending');
  const unsigned = await app.request('POST', `/bookings/${id}/confirmed`);
  assertProblem(unsigned, 401, '010000');
  assertProblem(await other.call('POST', `/bookings/${id}/confirmed`), 404, '060001');
  assertProblem(await to(newId(), 'confirmed'), 404, '060001');
  assertProblem(await to('none', 'confirmed'), 404, '060001');
  assertProblem(await partner.call('GET', `/bookings/${id}/confirmed`), 405, '000002');
  assert.equal((await read(id)).status, 'pending');
});

test('412 unless If-Match names the version; before 409, and also when nothing would change', async () => {
  const { id } = await bookingIn('cancelled');
  const stale = { headers: { 'if-match': '"7"' } };
  assertProblem(await to(id, 'confirmed', {}, stale), 412, '000010');
  assertProblem(await to(id, 'cancelled', {}, stale), 412, '000010');
  assertProblem(await to(id, 'confirmed', {}, { headers: { 'if-match': '"1"' } }), 409, '060002');
  const pending = await bookingIn('pending');
  const done = await to(pending.id, 'completed', {}, { headers: { 'if-match': '"3", "1"' } });
  assert.equal(done.status, 200);
});

test('403 000004 when the link is off: after 400 and 404, before 412 and 409; the booking can still be read', async () => {
  const { db, clock } = app.context;
  const { id } = await bookingIn('cancelled');
  const turn = (active: boolean) =>
    setLink({ db, clock }, { partnerId: partner.partnerId, workshopId, active }, actors.operator);
  await turn(false);
  try {
    assertProblem(await to(id, 'done'), 400, '000001', ['status']);
    assertProblem(await to(newId(), 'confirmed'), 404, '060001');
    assertProblem(await to(id, 'confirmed', {}, { headers: { 'if-match': '"9"' } }), 403, '000004');
    assertProblem(await to(id, 'cancelled'), 403, '000004');
    assert.equal((await read(id)).status, 'cancelled');
  } finally {
    await turn(true);
  }
});
