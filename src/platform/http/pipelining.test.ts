/** Pipelined requests: one of a connection at a time, in turn with other connections; too many end it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { sendRaw } from '../../../test/fixtures/raw-http.ts';
import { openCrowd } from '../../../test/fixtures/sockets.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';
import { until } from '../../../test/harness/wait.ts';
import { Connections } from './connections.ts';
import { type HttpLimits, usualLimits } from './limits.ts';
import { serverFactory } from './listener.ts';
import { UnreadMemory } from './unread-memory.ts';

/** A bare server on a free port. */
async function serve(handler: RequestListener, ownLimits: Partial<HttpLimits> = {}) {
  const limits = { ...usualLimits, ...ownLimits };
  const server: Server = serverFactory(
    limits,
    new Connections(limits.connectionsAtMost),
    new UnreadMemory(limits),
  )(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (path: string, body: string, length = body.length) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`;

async function clientOf(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** A reset counts too. */
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

test('the requests of a connection are handled one at a time, in order', async () => {
  const handled: string[] = [];
  let atOnce = 0;
  const { url } = await serve((request, response) => {
    atOnce++;
    assert.equal(atOnce, 1);
    let body = '';
    request.setEncoding('utf8').on('data', (part) => {
      body += part;
    });
    request.on('end', () =>
      setImmediate(() => {
        atOnce--;
        handled.push(`${request.url}${body}`);
        response.end();
      }),
    );
  });
  const texts = [get('/1'), post('/2', 'a'), get('/3'), post('/4', 'b'.repeat(100_000)), get('/5')];
  const answers = await sendRaw(url, texts.join('') + get('/6', 'Connection: close\r\n'));
  assert.equal(answers.split('HTTP/1.1 200').length - 1, 6);
  assert.deepEqual(handled, ['/1', '/2a', '/3', `/4${'b'.repeat(100_000)}`, '/5', '/6']);
});

test('what is pipelined behind the last response of a connection is never begun', async () => {
  const begun: string[] = [];
  const { url } = await serve((request, response) => {
    begun.push(request.url ?? '');
    response.shouldKeepAlive = request.url === '/1';
    setImmediate(() => response.end());
  });
  const answers = await sendRaw(url, get('/1') + get('/last') + post('/after', 'a') + get('/later'));
  assert.equal(answers.split('HTTP/1.1 200').length - 1, 2);
  assert.deepEqual(begun, ['/1', '/last']);
});

test('other connections are answered between the requests of those that pipeline', async () => {
  const order: string[] = [];
  let asking: Socket | undefined;
  const { url, port } = await serve((request, response) => {
    // Asked while the first is at work.
    if (order.length === 0) asking?.write(get('/health'));
    order.push(request.url ?? '');
    const end = performance.now() + 1;
    while (performance.now() < end);
    response.end();
  });
  asking = await clientOf(port);
  const crowd = await openCrowd(url, 5, '', { reads: true });
  for (const [n, socket] of crowd.sockets.entries()) socket.write(get(`/${n}`).repeat(60));
  await until('all are answered', async () => order.length === 301);
  const before = order.slice(0, order.indexOf('/health'));
  assert.ok(before.length <= 40, `after ${before.length} of 300`);
  // And among themselves: none is far ahead of another.
  const counts = order.reduce(
    (all, path) => all.set(path, (all.get(path) ?? 0) + 1),
    new Map<string, number>(),
  );
  assert.equal(counts.size, 6);
  const half = order.slice(0, 150);
  for (let n = 0; n < 5; n++) {
    const own = half.filter((path) => path === `/${n}`).length;
    assert.ok(own >= 15 && own <= 45, `${own} of the first 150 are of one connection`);
  }
  await crowd.end();
});

test('a connection with too many unanswered requests, or too much of them, is ended; one with fewer is not', async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const { port } = await serve((_, response) => {
    begun++;
    gate.promise.then(() => response.end());
  });
  const many = await clientOf(port);
  const closed = closeOf(many);
  many.write(get('/').repeat(5_000));
  await closed;
  const large = await clientOf(port);
  const alsoClosed = closeOf(large);
  large.write(get('/', `X-Large: ${'x'.repeat(60_000)}\r\n`).repeat(8));
  await alsoClosed;
  assert.ok(begun <= 2);
  const few = await clientOf(port);
  let received = '';
  few.setEncoding('latin1').on('data', (part) => {
    received += part;
  });
  few.write(get('/').repeat(64));
  await until('three have begun', async () => begun === 3);
  gate.resolve();
  await until('the others are answered', async () => received.split('HTTP/1.1 200').length - 1 === 64);
  few.destroy();
});

test('connections that pipeline share a limit of memory: those that have waited longest are ended', async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const { port } = await serve(
    (_, response) => {
      begun++;
      gate.promise.then(() => response.end());
    },
    { strangersUnreadAtMostBytes: 3 * 128 * 1024 },
  );
  const sockets: Socket[] = [];
  for (let n = 1; n <= 5; n++) {
    const socket = await clientOf(port);
    sockets.push(socket.resume());
    socket.write(get('/') + post('/', 'x'.repeat(1_000), 2_000));
    await until('it has begun', async () => begun === n);
  }
  await until('two are closed', async () => sockets.filter(({ closed }) => closed).length === 2);
  assert.deepEqual(
    sockets.map(({ closed }) => closed),
    [true, true, false, false, false],
  );
  gate.resolve();
  for (const socket of sockets) socket.destroy();
});

test('of a body behind an unanswered request no more is read than came with it, and all of it in its turn', async () => {
  const gate = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  let read = 0;
  const { url, port } = await serve(async (request, response) => {
    if (request.url === '/quick') {
      response.end();
      return;
    }
    sockets.push(request.socket);
    await gate.promise;
    request.on('data', (part: Buffer) => {
      read += part.length;
    });
    request.on('end', () => response.end());
  });
  const socket = await clientOf(port);
  const pieces = 200_000;
  // Each piece of the body would be an object of its own.
  const body = `${'1\r\nx\r\n'.repeat(pieces)}0\r\n\r\n`;
  socket.resume().write(`${get('/')}POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
  // That number of turns of the server's event loop.
  for (let n = 0; n < 40; n++) await sendRaw(url, get('/quick', 'Connection: close\r\n'));
  assert.ok((sockets[0]?.bytesRead ?? 0) <= 130_000, `${sockets[0]?.bytesRead}`);
  gate.resolve();
  await until('all pieces are read', async () => read === pieces);
  socket.destroy();
});
