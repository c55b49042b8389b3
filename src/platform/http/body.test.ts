import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseResponse, sendRaw } from '../../../test/fixtures/raw-http.ts';
import { type Answer, startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

function post(
  body: string,
  contentType: string | null = 'application/json',
  path = '/bookings',
): Promise<Answer> {
  return partner.call('POST', path, body, {
    headers: contentType === null ? {} : { 'content-type': contentType },
  });
}

function assertError(answer: Answer, status: number, errorCode: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 300));
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.body.success, false);
  assert.equal(answer.body.errorCode, errorCode);
  assert.equal(answer.body.requestId, answer.headers.get('x-request-id'));
  assert.equal(typeof answer.body.message, 'string');
}

/** As a string of bytes; what is no UTF-8 is lost, which makes no difference to a body that is not read. */
const gzipped = (body: string) => gzipSync(body).toString('latin1');

/** A booking's body of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify(bookingBody(workshopId, { unknown: '' }));
  return JSON.stringify(bookingBody(workshopId, { unknown: 'x'.repeat(bytes - Buffer.byteLength(empty)) }));
}

test('413 000005 from one byte over 256 KiB on, with and without a Content-Length (specification: Requests and responses 9)', async () => {
  assert.equal((await post(bodyOf(256 * 1024))).status, 201);
  assertError(await post(bodyOf(256 * 1024 + 1)), 413, '000005');

  const chunk = 'x'.repeat(64 * 1024);
  const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(5);
  const head = [
    'POST /bookings HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${partner.token}`,
    `X-Partner-ID: ${partner.partnerId}`,
    'Content-Type: application/json',
    'Connection: close',
    'Transfer-Encoding: chunked',
  ].join('\r\n');
  const chunked = parseResponse(await sendRaw(app.url, `${head}\r\n\r\n${chunks}0\r\n\r\n`));
  assert.equal(chunked.status, 413);
  assert.equal(chunked.body.errorCode, '000005');
});

test('415 000006 for every other content type (specification: Requests and responses 9)', async () => {
  const types = [
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
    ],
    ...['application/jsonp', 'application/vnd.api+json', 'json', '*/*', 'application/json/x', 'application/'],
  ];
  for (const path of [
    '/bookings',
    '/auth/token',
    '/auth/refresh',
    '/v1/bookings',
    `/workshops/${workshopId}/messages`,
  ]) {
    for (const type of types) assertError(await post('{}', type, path), 415, '000006');
  }
});

test('application/json in any case, with a charset or other parameters, and with a byte order mark', async () => {
  const body = JSON.stringify(bookingBody(workshopId));
  for (const type of [
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/json ; profile="x"',
  ]) {
    assert.equal((await post(body, type)).status, 201, type);
  }
  assert.equal((await post(`\uFEFF${body}`)).status, 201);
});

test('400 000001 for a body that is empty, not JSON, or no object', async () => {
  for (const path of ['/bookings', '/auth/token', '/auth/refresh', `/workshops/${workshopId}/messages`]) {
    // Every refresh failure has its own code.
    const invalid = path === '/auth/refresh' ? '010002' : '000001';
    for (const body of [
      '',
      ' ',
      '{',
      '{"a":',
      "{'a':1}",
      '{"a":1,}',
      'NaN',
      'undefined',
      '{"a":1}{"b":2}',
      '\u0000',
      '"\ud83d',
    ]) {
      assertError(await post(body, 'application/json', path), 400, invalid);
    }
    for (const body of ['null', '[]', '[{}]', '"x"', '1', 'true']) {
      const answer = await post(body, 'application/json', path);
      assertError(answer, 400, invalid);
      assert.equal(answer.body.errors[0].field, 'body');
    }
    assertError(await partner.call('POST', path), 400, invalid);
  }
});

test('__proto__ and constructor are unknown fields like others, and no object is changed by them', async () => {
  const fields = JSON.stringify(bookingBody(workshopId)).slice(1);
  const odd = [
    '"__proto__":{}',
    '"__proto__":null',
    '"__proto__":{"polluted":1,"notes":"x"}',
    '"constructor":{}',
    '"constructor":{"prototype":{"polluted":1}}',
  ];
  for (const field of odd) {
    const name = field.slice(1, field.indexOf('"', 1));
    for (const body of [`{${field},${fields}`, `{"services":[{"title":"Brakes",${field}}],${fields}`]) {
      const answer = await post(body);
      assert.equal(answer.status, 201, `${field}: ${JSON.stringify(answer.body)}`);
      assert.equal(answer.body.booking.notes, null);
      assert.equal(
        decodeURIComponent(answer.headers.get('pitlane-ignored-fields') ?? '')
          .split('.')
          .at(-1),
        name,
      );
    }
    assertError(await post(`{${field}}`), 400, '000001');
  }
  const keyed = { 'content-type': 'application/json', 'idempotency-key': 'proto' };
  const call = (body: string) => partner.call('POST', '/bookings', body, { headers: keyed });
  assert.equal((await call(`{"__proto__":{"a":1},${fields}`)).status, 201);
  assert.equal((await call(`{"__proto__":{"a":1},${fields}`)).status, 201);
  assert.equal((await call(`{"__proto__":{"a":2},${fields}`)).status, 422, 'another body');
  assert.equal('polluted' in {}, false);
});

test('415 000006 for a body that is compressed, which says what would be taken', async () => {
  const body = JSON.stringify(bookingBody(workshopId));
  for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'gzip, identity', 'x']) {
    for (const path of ['/bookings', '/auth/token']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const answer = await partner.call('POST', path, encoding === 'gzip' ? gzipped(body) : body, {
        headers,
      });
      assertError(answer, 415, '000006');
      assert.equal(answer.headers.get('accept-encoding'), 'identity');
    }
  }
  for (const encoding of ['identity', '']) {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    assert.equal((await partner.call('POST', '/bookings', body, { headers })).status, 201);
  }
  const reading = await partner.call('GET', '/workshops', undefined, {
    headers: { 'content-encoding': 'gzip' },
  });
  assert.equal(reading.status, 200, 'a request without a body');
  const head = `Host: x\r\nAuthorization: Bearer ${partner.token}\r\nX-Partner-ID: ${partner.partnerId}\r\nConnection: close`;
  const odd = `GET /workshops HTTP/1.1\r\n${head}\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`;
  assert.equal(parseResponse(await sendRaw(app.url, odd)).status, 200, 'a body that is not read');
});

test('400 000001 for a body nested deeper than any operation needs, quickly', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const body = `${open.repeat(40_000)}1${close.repeat(40_000)}`;
    assertError(await post(body), 400, '000001');
    assertError(
      await post(JSON.stringify(bookingBody(workshopId)).replace('{', `{"x":${body},`)),
      400,
      '000001',
    );
  }
});

test('texts are trimmed, in NFC, and lone surrogates replaced (specification: Requests and responses 8)', async () => {
  const body = bookingBody(workshopId, {
    customerName: ' \t\u00a0Zoe\u0308 Mu\u0308ller\n ',
    notes: '\u2003e\u0301 \ud83d rest\u0085',
    jobNotes: ['  brakes  '],
  });
  const { status, body: answer } = await partner.call('POST', '/bookings', body);
  assert.equal(status, 201);
  assert.equal(answer.booking.customer.name, 'Zo\u00eb M\u00fcller');
  assert.equal(answer.booking.notes, '\u00e9 \ufffd rest');
  assert.deepEqual(answer.booking.jobNotes, ['brakes']);
});

test('a string of blanks only is empty, so it is missing where one is required', async () => {
  const answer = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { carRego: ' \u2003\t', customerName: '' }),
  );
  assertError(answer, 400, '000001');
  assert.deepEqual(answer.body.errors.map(({ field }: { field: string }) => field).sort(), [
    'carRego',
    'customerName',
  ]);
});

test('NUL is refused in every field, and names it (specification: Requests and responses 8)', async () => {
  const fields = [
    'carRego',
    'customerName',
    'customerPhone',
    'customerEmail',
    'notes',
    'carMake',
    'servicePackageType',
  ];
  const nul = Object.fromEntries(fields.map((field) => [field, 'a\u0000b']));
  const answer = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { ...nul, jobNotes: ['a\u0000b'] }),
  );
  assertError(answer, 400, '000001');
  const named = answer.body.errors.map(({ field }: { field: string }) => field).sort();
  assert.deepEqual(named, [...fields, 'jobNotes[0]'].sort());
});

test('unknown fields are ignored, whatever they hold', async () => {
  const odd = { unknown: { a: [1, null, { b: 'x\u0000' }] }, id: 7, status: 'completed', toString: 1, '': 2 };
  const { status, body } = await partner.call('POST', '/bookings', bookingBody(workshopId, odd));
  assert.equal(status, 201);
  assert.equal(body.booking.status, 'pending');
});
