import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assertProblem,
  bookingWorld,
  eventsOf,
  rowCounts,
  setStatus,
} from '../../../test/fixtures/booking-api.ts';
import { signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book, put, change, read } = await bookingWorld();
const other = await signedInPartner(app, 'Another Partner');
const unknown = '01a1fc1e-ff58-7d6d-8abb-d436e7decdc5';

test('success is 200 with the updated booking, which a read returns too (specification: Changing a booking 2)', async () => {
  const made = await book();
  const answer = await put(made.id, { notes: 'Ring first' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('etag'), '"2"');
  const { updatedAt } = answer.body.booking;
  assert.deepEqual(answer.body, { success: true, booking: { ...made, notes: 'Ring first', updatedAt } });
  assert.ok(updatedAt > made.updatedAt);
  assert.deepEqual(await read(made.id), answer.body.booking);
});

test('1: PUT /v1/bookings/{id} is the same as PUT /bookings/{id}', async () => {
  const { id } = await book();
  const answer = await partner.call('PUT', `/v1/bookings/${id}`, { notes: 'v1' });
  assert.deepEqual([answer.status, answer.body.booking.notes], [200, 'v1']);
});

test('404 060001: an unknown id, an id that is not a UUID, and another partner’s booking (specification: Changing a booking 3)', async () => {
  const { id, code } = await book();
  await app.context.db.query('INSERT INTO link (partner_id, workshop_id, created_at) VALUES ($1, $2, $3)', [
    ...[other.partnerId, workshopId, app.clock.now()],
  ]);
  for (const body of [{ notes: 'x' }, { customerPhone: '0400000001' }, { customerPhone: 'nonsense' }, {}]) {
    for (const wrong of [unknown, 'abc', code, `${id}x`, '%00']) {
      assertProblem(await put(wrong, body), 404, '060001');
    }
    assertProblem(await other.call('PUT', `/bookings/${id}`, body), 404, '060001');
  }
  assert.equal((await read(id)).notes, null);
});

test('401 without a token', async () => {
  const { id } = await book();
  const headers = { 'x-partner-id': partner.partnerId };
  assertProblem(
    await app.request('PUT', `/bookings/${id}`, { headers, body: { notes: 'x' } }),
    401,
    '010000',
  );
});

for (const body of [undefined, 'null', '[]', '"x"', '{']) {
  test(`400 for the body ${body}`, async () => {
    const { id } = await book();
    const headers = { 'content-type': 'application/json' };
    const answer = await partner.call('PUT', `/bookings/${id}`, body, { headers });
    assert.deepEqual([answer.status, answer.body.errorCode], [400, '000001']);
  });
}

test('2 tenancy: 403 000004 while the link is switched off, and nothing is written', async () => {
  const { id } = await book();
  const before = await rowCounts(app);
  const { db } = app.context;
  await db.query('UPDATE link SET active = false WHERE partner_id = $1', [partner.partnerId]);
  try {
    for (const body of [{ notes: 'x' }, {}, { customerPhone: '0400000009' }, { customerPhone: '1' }]) {
      assertProblem(await put(id, body), 403, '000004');
    }
    assertProblem(await put(id, { customerPhone: '1', notes: 1 }), 400, '000001', ['customerPhone', 'notes']);
  } finally {
    await db.query('UPDATE link SET active = true');
  }
  assert.deepEqual(await rowCounts(app), before);
});

test('an update that changes nothing writes nothing', async () => {
  const made = await book({ services: [{ title: 'Oil', cost: 19.9 }], jobNotes: ['a'], carRego: 'SAME 1' });
  const before = await rowCounts(app);
  const same = {
    ...{ date: '2030-03-03T09:30:00+11:00', carRego: 'same1 ', customerName: ' Sam Taylor', notes: null },
    ...{ customerPhone: '+61 491 570 006', customerEmail: 'sam@customer.example', customerCompany: null },
    ...{
      services: [{ cost: 19.9, title: 'Oil', category: 'others', maxCost: null }],
      jobNotes: ['a'],
      productNotes: null,
    },
    ...{ interval: null, pickupTime: null, tyreQuantities: null, skipNotification: true },
  };
  for (const body of [{}, same]) {
    const answer = await put(made.id, body);
    assert.deepEqual([answer.status, answer.body.booking], [200, made]);
    assert.equal(answer.headers.get('etag'), '"1"');
  }
  assert.deepEqual(await rowCounts(app), before);
});

test('every change has a version, and its event in the same commit contains the booking at that version (specification: Bookings 7)', async () => {
  const made = await book({ skipNotification: true });
  const noted = await change(made.id, { notes: 'n', skipNotification: true });
  const moved = await change(made.id, { date: '2030-05-01T00:00:00Z' });
  await change(made.id, { notes: 'n' });
  const renamed = await change(made.id, { customerName: 'Pat' });
  const common = { partnerId: partner.partnerId, workshopId };
  const silent = { notifyWorkshop: false, dateChanged: false, previousDate: null };
  const [created, ...updated] = await eventsOf(app, made.id);
  assert.deepEqual([created?.kind, created?.version, created?.payload.booking], ['booking.created', 1, made]);
  assert.deepEqual(updated, [
    {
      ...common,
      kind: 'booking.updated',
      version: 2,
      payload: { ...silent, booking: noted, notifyCustomer: false },
    },
    {
      ...{ ...common, kind: 'booking.updated', version: 3 },
      payload: {
        booking: moved,
        dateChanged: true,
        previousDate: made.date,
        notifyCustomer: true,
        notifyWorkshop: false,
      },
    },
    {
      ...common,
      kind: 'booking.updated',
      version: 4,
      payload: { ...silent, booking: renamed, notifyCustomer: true },
    },
  ]);
});

describe('4 If-Match', () => {
  test('is honoured: * and a list that contains the version, as proxies write it too, pass; anything else is 412 000010 (specification: Changing a booking 9)', async () => {
    const { id } = await book();
    let version = 1;
    for (const tags of [
      () => `"${version}"`,
      () => '*',
      () => `"x", "${version}"`,
      () => `W/"9","${version}" ,"3"`,
      // As proxies that compress hand it out: nginx and HAProxy, Apache, Jetty.
      () => `W/"${version}"`,
      () => `"${version}-gzip"`,
      () => `W/"${version}-br"`,
      () => `"x", "${version}--gzip"`,
    ]) {
      const answer = await put(id, { notes: `after ${version}` }, { 'if-match': tags() });
      version++;
      assert.deepEqual([answer.status, answer.headers.get('etag')], [200, `"${version}"`]);
    }
    const present = await read(id);
    for (const tags of [
      '"1"',
      'W/"1-gzip"',
      `"${version}-1"`,
      `"${version}-gzip`,
      '""',
      `${version}`,
      '"1", "2"',
      `"${version + 1}"`,
      'x',
    ]) {
      assertProblem(await put(id, { notes: 'lost' }, { 'if-match': tags }), 412, '000010');
      assertProblem(await put(id, {}, { 'if-match': tags }), 412, '000010');
    }
    assert.deepEqual(await read(id), present);
  });

  test('of ten concurrent updates of one version, one succeeds', async () => {
    const { id } = await book();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => put(id, { notes: `n${n}` }, { 'if-match': '"1"' })),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    assert.deepEqual(statuses, [200, ...Array(9).fill(412)]);
    assert.equal((await eventsOf(app, id)).length, 2);
  });
});

for (const status of ['completed', 'cancelled']) {
  describe(`4: a booking that is ${status}`, () => {
    test('changes its notes, jobNotes and productNotes (specification: Changing a booking 5)', async () => {
      const { id } = await book();
      await setStatus(app, id, status);
      const sent = { notes: 'n', jobNotes: ['j'], productNotes: ['p'] };
      const { notes, jobNotes, productNotes, status: now } = await change(id, sent);
      assert.deepEqual([{ notes, jobNotes, productNotes }, now], [sent, status]);
    });

    for (const [field, value] of Object.entries({
      ...{
        date: '2031-01-01T00:00:00Z',
        serviceCategory: 'tyres',
        services: [{ title: 'T' }],
        carRego: 'N1',
      },
      ...{
        customerName: 'Pat',
        customerPhone: '0400000001',
        customerEmail: 'p@x.example',
        customerCompany: 'C',
      },
      ...{ interval: 1, pickupTime: '2031-01-01T00:00:00Z', servicePackageType: 's', tyreQuantities: 1 },
    })) {
      test(`409 060004 for ${field}, and the notes sent with it are not changed (specification: Changing a booking 5)`, async () => {
        const { id } = await book();
        await setStatus(app, id, status);
        const answer = await put(id, { [field]: value, notes: 'lost' });
        assertProblem(answer, 409, '060004');
        assert.match(answer.body.message, new RegExp(field));
        assert.equal((await read(id)).notes, null);
        assert.equal((await eventsOf(app, id)).length, 1);
      });
    }

    test('accepts fields that are sent unchanged', async () => {
      const { id, date } = await book();
      await setStatus(app, id, status);
      assert.equal((await change(id, { date, carRego: 'ABC123', notes: 'n' })).notes, 'n');
    });
  });
}

test('4: a confirmed booking changes like a pending one, and stays confirmed', async () => {
  const { id } = await book();
  await setStatus(app, id, 'confirmed');
  const { status, date } = await change(id, { date: '2031-01-01T00:00:00Z' });
  assert.deepEqual([status, date], ['confirmed', '2031-01-01T00:00:00.000Z']);
});
