import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function assertError(answer: Answer, status: number, errorCode: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const { message, ...rest } = answer.body;
  assert.equal(typeof message, 'string');
  assert.deepEqual(rest, {
    success: false,
    errorCode,
    help: `/docs/guide/errors#${errorCode}`,
    requestId: answer.headers.get('x-request-id'),
  });
}

/** Every operation that partners call, with the method that answers there. */
const paths: Record<string, string> = {
  '/auth/token': 'POST',
  '/auth/refresh': 'POST',
  '/workshops': 'GET, HEAD',
  '/bookings': 'GET, HEAD, POST',
  '/bookings/01900000-0000-7000-8000-000000000001': 'GET, HEAD, PUT',
  '/bookings/01900000-0000-7000-8000-000000000001/confirmed': 'POST',
  '/workshops/01900000-0000-7000-8000-000000000001/availabilities': 'GET, HEAD',
  '/workshops/01900000-0000-7000-8000-000000000001/services': 'GET, HEAD',
  '/workshops/01900000-0000-7000-8000-000000000001/messages': 'POST',
  '/workshops/01900000-0000-7000-8000-000000000001/messages/01900000-0000-7000-8000-000000000002':
    'GET, HEAD',
  '/workshops/01900000-0000-7000-8000-000000000001/templates': 'GET, HEAD',
};

test('every operation is served at its path and below /v1, with the same response', async () => {
  for (const [path, allow] of Object.entries(paths)) {
    for (const method of allow.split(', ')) {
      const body = method.startsWith('P') ? {} : undefined;
      const [plain, versioned] = [
        await partner.call(method, path, body),
        await partner.call(method, `/v1${path}`, body),
      ];
      assert.equal(plain.status, versioned.status, `${method} ${path}`);
      assert.notEqual(plain.body?.errorCode, '000002', `${method} ${path}`);
      for (const { body } of [plain, versioned]) if (body?.requestId) delete body.requestId;
      assert.deepEqual(plain.body, versioned.body);
    }
  }
});

test('a trailing slash makes no difference', async () => {
  for (const [path, allow] of Object.entries(paths)) {
    for (const method of [...allow.split(', '), 'DELETE']) {
      const body = method.startsWith('P') ? {} : undefined;
      for (const prefix of ['', '/v1']) {
        const plain = await partner.call(method, `${prefix}${path}`, body);
        const slashed = await partner.call(method, `${prefix}${path}/`, body);
        assert.equal(slashed.status, plain.status, `${method} ${prefix}${path}/`);
        assert.equal(slashed.headers.get('allow'), plain.headers.get('allow'));
        for (const answer of [plain, slashed]) if (answer.body?.requestId) delete answer.body.requestId;
        assert.deepEqual(slashed.body, plain.body);
      }
    }
  }
  const made = await partner.call('POST', '/bookings/', bookingBody(workshopId));
  assert.equal((await partner.call('GET', `/bookings/${made.body.booking.id}/?x=1`)).status, 200);
  const headers = { 'idempotency-key': 'slash' };
  const first = await partner.call('POST', '/bookings', bookingBody(workshopId), { headers });
  const again = await partner.call('POST', '/v1/bookings/', bookingBody(workshopId), { headers });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(again.body, first.body);
});

test('a booking made below /v1 is found at the plain path, and the other way round', async () => {
  const made = await partner.call('POST', '/v1/bookings', bookingBody(workshopId));
  assert.equal(made.status, 201);
  assert.equal((await partner.call('GET', `/bookings/${made.body.booking.id}`)).status, 200);
  const other = await partner.call('POST', '/bookings', bookingBody(workshopId));
  assert.equal((await partner.call('GET', `/v1/bookings/${other.body.booking.id}`)).status, 200);
});

test('405 000002 with Allow on every known path, for every other method, whether signed in or not', async () => {
  for (const [path, allow] of Object.entries(paths)) {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (method) => !allow.split(', ').includes(method),
    );
    for (const method of others) {
      for (const url of [path, `/v1${path}`]) {
        const answer = await app.request(method, url);
        assert.equal(answer.status, 405, `${method} ${url}`);
        assert.equal(answer.headers.get('allow'), allow);
        if (method !== 'HEAD') assertError(answer, 405, '000002');
        assert.equal((await partner.call(method, url)).status, 405);
      }
    }
  }
});

test('404 000002 for a path that does not exist, whether signed in or not', async () => {
  for (const path of [
    ...['/', '/v1', '/v2/bookings', '/v1/v1/bookings', '/booking', '/workshops//', '/Bookings', '//bookings'],
    ...['/bookings/x/y/z', '/workshops/x', '/auth', '/admin', '/.env', '/bookings%2Fx', '/workshops/a%2Fb'],
  ]) {
    assertError(await app.request('GET', path), 404, '000002');
    assertError(await partner.call('GET', path), 404, '000002');
    assertError(await app.request('DELETE', path), 404, '000002');
  }
});

test('HEAD responds as GET does, without the body', async () => {
  const [get, head] = [await partner.call('GET', '/workshops'), await partner.call('HEAD', '/workshops')];
  assert.equal(head.status, 200);
  assert.equal(head.body, null);
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  assert.equal((await app.request('HEAD', '/workshops')).status, 401);
});

test('an id that is not a UUID is unknown: 404 with the code of the resource, never 400 or 500 (specification: Ids 2)', async () => {
  const strange = [
    'x',
    '1',
    '%00',
    '%20',
    "'%3B--",
    '..%2F..',
    '%F0%9F%9A%97',
    'a'.repeat(200),
    'null',
    workshopId.slice(1),
  ];
  for (const id of strange) {
    assertError(await partner.call('GET', `/bookings/${id}`), 404, '060001');
    assertError(await partner.call('PUT', `/bookings/${id}`, { notes: 'x' }), 404, '060001');
    assertError(await partner.call('GET', `/workshops/${id}/templates`), 404, '030001');
    assertError(await partner.call('GET', `/workshops/${id}/messages/${id}`), 404, '030001');
    assertError(await partner.call('GET', `/workshops/${workshopId}/messages/${id}`), 404, '120001');
    const message = { phone: '0491570006', channels: { sms: { message: 'x' } } };
    assertError(await partner.call('POST', `/workshops/${id}/messages`, message), 404, '030001');
  }
  for (const id of strange.filter((each) => !/^%[02]0$/.test(each)).map(decodeURIComponent)) {
    assertError(await partner.call('POST', '/bookings', bookingBody(id)), 404, '030001');
  }
});

test('an id in upper case is the same id', async () => {
  const made = await partner.call('POST', '/bookings', bookingBody(workshopId.toUpperCase()));
  assert.equal(made.status, 201);
  assert.match(made.body.booking.id, isId);
  const read = await partner.call('GET', `/bookings/${made.body.booking.id.toUpperCase()}`);
  assert.equal(read.body.booking.id, made.body.booking.id);
});
