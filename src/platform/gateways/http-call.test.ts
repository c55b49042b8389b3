/** Over real sockets: what may have been handed over, and that no socket stays open. */
import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificate, privateKey } from '../../../test/fixtures/certificate.ts';
import { createHttpPool } from './http-pool.ts';

/** Each request makes its own connection; http-pool.test.ts covers kept ones. */
const pool = createHttpPool({ idleMs: 0 });
const callHttp = pool.call;

const patient = () => AbortSignal.timeout(60_000);

/** Listens, and closes with its connections at the end of the test. */
async function open<S extends Server>(t: TestContext, server: S, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
  });
  await once(server.listen(0, host), 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, sockets, url: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}/x?a=%26`) };
}

const serve = (t: TestContext, listener: RequestListener) => open(t, createServer(listener));

/** The server writes this on each connection, whatever it receives. */
const answering = (t: TestContext, bytes: string, then?: (socket: Socket) => void) =>
  open(
    t,
    createTcpServer((socket) =>
      socket.once('data', () => {
        socket.write(bytes);
        then?.(socket);
      }),
    ),
  );

/** Fails by the test's time-out. */
async function untilClosed(sockets: ReadonlySet<Socket>): Promise<void> {
  await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.on('close', resolve))));
}

test('the request: method, path, headers and body, on a connection that is closed afterwards', async (t) => {
  const seen: unknown[] = [];
  const { url, port, sockets } = await serve(t, async (request, response) => {
    const { method, url: path, headers } = request;
    seen.push({ method, path, headers, body: await readText(request) });
    response.writeHead(201, { 'X-Id': '7' }).end('✓');
  });
  const headers = { 'content-type': 'text/plain' };
  const answer = await callHttp(url, { method: 'POST', headers, body: 'Prêt', signal: patient() });
  assert.equal(answer.state, 'answered');
  if (answer.state !== 'answered') return;
  assert.deepEqual([answer.status, answer.body, answer.headers['x-id']], [201, '✓', '7']);
  const sent = { host: `127.0.0.1:${port}`, 'content-length': '5', connection: 'close', ...headers };
  assert.deepEqual(seen, [{ method: 'POST', path: '/x?a=%26', headers: sent, body: 'Prêt' }]);
  await untilClosed(sockets);
});

test('a response in chunks, one after early hints, an empty one, one that ends with the connection', async (t) => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  for (const [bytes, body] of [
    [`${ok}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n`, 'abc'],
    [`HTTP/1.1 103 Early Hints\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`, 'ok'],
    ['HTTP/1.1 204 No Content\r\n\r\n', ''],
    [`HTTP/1.0 200 OK\r\n\r\nto the end`, 'to the end'],
  ] as const) {
    const { url } = await answering(t, bytes, (socket) => socket.end());
    const answer = await callHttp(url, { method: 'POST', body: 'x', signal: patient() });
    assert.equal(answer.state === 'answered' ? answer.body : answer.detail, body);
  }
});

test('a response that comes before the body is read counts, and the connection is released', async (t) => {
  const { url, sockets } = await open(
    t,
    createTcpServer((socket) =>
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
      }),
    ),
  );
  const body = 'x'.repeat(20_000_000);
  const answer = await callHttp(url, { method: 'POST', body, signal: patient() });
  assert.equal(answer.state === 'answered' && answer.status, 413);
  for (const socket of sockets) socket.resume();
  await untilClosed(sockets);
});

test('a redirect is a response, and is not followed', async (t) => {
  let requests = 0;
  const { url } = await serve(t, (_, response) => {
    requests++;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const answer = await callHttp(url, { method: 'GET', signal: patient() });
  assert.deepEqual([answer.state === 'answered' && answer.status, requests], [302, 1]);
});

test('a connection without a whole response: lost', async (t) => {
  const long = `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`;
  for (const [what, bytes, then] of [
    ['nothing', '', (socket: Socket) => socket.end()],
    ['a reset', '', (socket: Socket) => socket.resetAndDestroy()],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-', (socket: Socket) => socket.end()],
    ['half a body', 'HTTP/1.1 202 OK\r\nContent-Length: 9\r\n\r\n0: A', (socket: Socket) => socket.end()],
    ['a 100 Continue that nobody asked for', 'HTTP/1.1 100 Continue\r\n\r\n', undefined],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', undefined],
    ['too long a body', long, undefined],
    ['too long a head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, undefined],
    ['another protocol', 'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', undefined],
  ] as const) {
    const { url, sockets } = await answering(t, bytes, then);
    const answer = await callHttp(url, { method: 'GET', signal: patient() });
    assert.equal(answer.state, 'lost', what);
    assert.match(answer.state === 'lost' ? answer.detail : '', /ended before it answered \(.+\)\.$/, what);
    await untilClosed(sockets);
  }
});

test('a signal aborts the request at any time, closes its connection, and keeps no listeners', {
  timeout: 30_000,
}, async (t) => {
  for (const begin of ['', 'HTTP/1.1 202 OK\r\nContent-Length: 9\r\n\r\n0: A']) {
    const controller = new AbortController();
    const { url, sockets } = await answering(t, begin, () => controller.abort());
    const answer = await callHttp(url, { method: 'GET', signal: controller.signal });
    assert.equal(answer.state, 'lost');
    await untilClosed(sockets);
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  }
  const { url } = await serve(t, (_, response) => response.end());
  const { signal } = new AbortController();
  for (let n = 0; n < 20; n++) await callHttp(url, { method: 'GET', signal });
  // The listeners of the last request go with its connection. Fails by the test's time-out.
  while (getEventListeners(signal, 'abort').length > 0) await new Promise(setImmediate);
});

test('no connection, or no time for one: unreachable, and nothing was sent', async (t) => {
  const { url, sockets } = await serve(t, () => assert.fail('a request'));
  const late = await callHttp(url, { method: 'GET', signal: AbortSignal.abort() });
  assert.equal(late.state, 'unreachable');
  assert.equal(sockets.size, 0);

  const closed = createTcpServer();
  const { port } = await open(t, closed);
  await once(closed.close(), 'close');
  for (const host of ['127.0.0.1', 'localhost']) {
    const answer = await callHttp(new URL(`http://${host}:${port}`), { method: 'GET', signal: patient() });
    assert.deepEqual(answer, {
      state: 'unreachable',
      detail: 'The gateway can not be reached (ECONNREFUSED).',
    });
  }
  const unnamed = new URL('http://no-such-host.invalid');
  assert.equal((await callHttp(unnamed, { method: 'GET', signal: patient() })).state, 'unreachable');
});

test('TLS: a server without a trusted certificate is unreachable; with one it is reached', async (t) => {
  const seen: string[] = [];
  const server = createTlsServer({ cert: certificate, key: privateKey }, (request, response) => {
    seen.push(request.url ?? '');
    response.end('ok');
  });
  const { port } = await open(t, server);
  const url = new URL(`https://localhost:${port}/secret`);
  const untrusted = await callHttp(url, { method: 'GET', signal: patient() });
  assert.deepEqual(untrusted, {
    state: 'unreachable',
    detail: 'The gateway can not be reached (DEPTH_ZERO_SELF_SIGNED_CERT).',
  });
  const plain = await serve(t, () => assert.fail('a request'));
  const none = await callHttp(new URL(`https://localhost:${plain.port}`), {
    method: 'GET',
    signal: patient(),
  });
  assert.equal(none.state, 'unreachable');
  assert.deepEqual(seen, []);

  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, certificate]);
  t.after(() => setDefaultCACertificates(trusted));
  const answer = await callHttp(url, { method: 'GET', signal: patient() });
  assert.deepEqual([answer.state, seen], ['answered', ['/secret']]);
  const misnamed = await callHttp(new URL(`https://127.0.0.2:${port}`), { method: 'GET', signal: patient() });
  assert.equal(misnamed.state, 'unreachable');
});

test('a server that starts no TLS handshake is given up after three seconds', {
  timeout: 30_000,
}, async (t) => {
  const { port, sockets } = await open(
    t,
    createTcpServer((socket) => void socket.resume()),
  );
  const url = new URL(`https://localhost:${port}`);
  const answer = await callHttp(url, { method: 'GET', signal: patient() });
  assert.deepEqual(answer, { state: 'unreachable', detail: 'The gateway can not be reached (ETIMEDOUT).' });
  await untilClosed(sockets);
});

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const probe = createTcpServer()
    .on('error', () => resolve(false))
    .listen(0, '::1', () => probe.close(() => resolve(true)));
});

test('an IPv6 address', { skip: !hasIpv6 && 'this machine has none' }, async (t) => {
  const { url, port } = await open(
    t,
    createServer((request, response) => response.end(request.headers.host)),
    '::1',
  );
  const answer = await callHttp(url, { method: 'GET', signal: patient() });
  assert.equal(answer.state === 'answered' && answer.body, `[::1]:${port}`);
});
