import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { type RawResponse, rawRequest } from '../../../test/fixtures/raw-http.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { signedInPartner } from '../../../test/harness/world.ts';
import { Connections } from './connections.ts';
import { usualLimits } from './limits.ts';
import { serverFactory } from './listener.ts';
import { UnreadMemory } from './unread-memory.ts';

const app = await startTestApp();
const { token, partnerId } = await signedInPartner(app);
const signedIn = `Host: x\r\nAuthorization: Bearer ${token}\r\nX-Partner-ID: ${partnerId}\r\nConnection: close\r\n`;

function assertError(answer: RawResponse, status: number, errorCode = '000001'): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const { message, ...rest } = answer.body;
  assert.ok(message.length > 5);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.deepEqual(rest, {
    success: false,
    errorCode,
    help: `/docs/guide/errors#${errorCode}`,
    requestId: answer.headers.get('x-request-id'),
  });
}

test('400 000001 for what is no HTTP', async () => {
  const broken = {
    'no request line': 'HELLO\r\n\r\n',
    'an unknown method': `FOO /workshops HTTP/1.1\r\n${signedIn}\r\n`,
    'a bad header': `GET /workshops HTTP/1.1\r\n${signedIn}bad header\r\n\r\n`,
    'a NUL in a header': `GET /workshops HTTP/1.1\r\n${signedIn}X-Odd: a\u0000b\r\n\r\n`,
    'a bad length': `POST /bookings HTTP/1.1\r\n${signedIn}Content-Length: ten\r\n\r\n`,
    'two ways to end': `POST /bookings HTTP/1.1\r\n${signedIn}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'no Host': 'GET /workshops HTTP/1.1\r\nConnection: close\r\n\r\n',
    'two Hosts': 'GET /workshops HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n',
  };
  for (const [what, text] of Object.entries(broken)) {
    const answer = await rawRequest(app.url, text);
    assert.equal(answer.status, 400, what);
    assertError(answer, 400);
  }
});

test('431 000001 for headers over 16 KiB', async () => {
  for (const size of [17_000, 100_000, 132_000]) {
    const big = `X-Big: ${'a'.repeat(size)}`;
    for (const path of ['/workshops', '/nowhere', '/openapi.json'])
      assertError(await rawRequest(app.url, `GET ${path} HTTP/1.1\r\n${signedIn}${big}\r\n\r\n`), 431);
  }
  const many = Array.from({ length: 400 }, (_, n) => `X-Many-${n}: ${'a'.repeat(40)}\r\n`).join('');
  assertError(await rawRequest(app.url, `GET /workshops HTTP/1.1\r\n${signedIn}${many}\r\n`), 431);
  const most = `X-Big: ${'a'.repeat(15_800)}`;
  assert.equal(
    (await rawRequest(app.url, `GET /workshops HTTP/1.1\r\n${signedIn}${most}\r\n\r\n`)).status,
    200,
  );
});

test('414 000001 for a URL over 4,096 characters, in its path or in its query, known or not', async () => {
  const x = 'x'.repeat(4_100);
  const far = 'x'.repeat(6_000);
  const farther = 'x'.repeat(60_000);
  for (const url of [
    ...[`/workshops?x=${x}`, `/bookings/${x}`, `/bookings/${far}`, `/nowhere/${x}`, `/${far}`],
    ...[`/workshops?x=${farther}`, `/bookings/${farther}`, `/nowhere/gateways/kannel/inbound?${farther}`],
  ]) {
    assertError(await rawRequest(app.url, `GET ${url} HTTP/1.1\r\n${signedIn}\r\n`), 414);
  }
  const longest = `/workshops?x=${'x'.repeat(4_096 - 13)}`;
  assert.equal((await rawRequest(app.url, `GET ${longest} HTTP/1.1\r\n${signedIn}\r\n`)).status, 200);
});

test('400 000001 for a path that is no UTF-8; its X-Request-Id is echoed', async () => {
  const answer = await rawRequest(
    app.url,
    `GET /bookings/%E0%A4%A HTTP/1.1\r\nX-Request-Id: mine-7\r\n${signedIn}\r\n`,
  );
  assertError(answer, 400);
  assert.equal(answer.headers.get('x-request-id'), 'mine-7');
});

test('an expectation or upgrade that is not known, and HTTP/1.0, are served all the same', async () => {
  for (const odd of ['Expect: something', 'Upgrade: websocket', 'TE: trailers']) {
    assert.equal(
      (await rawRequest(app.url, `GET /workshops HTTP/1.1\r\n${signedIn}${odd}\r\n\r\n`)).status,
      200,
      odd,
    );
  }
  assert.equal((await rawRequest(app.url, 'GET /health/live HTTP/1.0\r\n\r\n')).status, 200);
});

test('408 000001 for headers or a body that do not arrive in time', async () => {
  const impatient = await secondApp(app, {
    limits: { checkEveryMs: 50, headersWithinMs: 200, requestWithinMs: 200 },
  });
  assertError(await rawRequest(impatient.url, 'GET /workshops HTTP/1.1\r\nHost: x\r\n'), 408);
  const body = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"workshopId":';
  assertError(await rawRequest(impatient.url, `POST /bookings HTTP/1.1\r\n${signedIn}${body}`), 408);
  const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":';
  assertError(await rawRequest(impatient.url, `POST /bookings HTTP/1.1\r\n${signedIn}${chunked}`), 408);
  assert.equal((await impatient.request('GET', '/health/live')).status, 200);
});

test('a response that has begun is not mixed with the refusal of a later request', async () => {
  const server = serverFactory(
    usualLimits,
    new Connections(10),
    new UnreadMemory(usualLimits),
  )((_, response) => {
    response.write('the first half');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let received = '';
  for await (const part of socket) {
    received += part;
    if (received.includes('half')) socket.write('BROKEN\r\n\r\n');
  }
  server.close();
  assert.match(received, /^HTTP\/1\.1 200 OK/);
  assert.doesNotMatch(received.slice(1), /HTTP\/1\.1/);
});
