/** Calls to URLs that partners choose: receivers that misbehave. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { test } from 'node:test';
import { clientOf, listen, post } from '../../../../test/fixtures/outbound.ts';
import { partnerAtOnce } from './client.ts';

const receiver = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(listener))}/hook?x=1`;

test('method, headers and body arrive; the status comes back, and the connection is kept', async () => {
  const client = clientOf();
  const sockets = new Set<unknown>();
  let got = '';
  const url = await receiver((request, response) => {
    sockets.add(request.socket);
    got = `${request.method} ${request.url} ${request.headers['content-type']}`;
    request.resume().on('end', () => response.writeHead(204).end());
  });
  for (let times = 0; times < 3; times++) {
    const { status, error, durationMs } = await client.call(url, { ...post, method: 'PATCH' });
    assert.deepEqual([status, error], [204, null]);
    assert.ok(Number.isInteger(durationMs));
  }
  assert.equal(got, 'PATCH /hook?x=1 application/json');
  assert.ok(sockets.size < 3);
});

test('a redirect is an answer like others: it is not followed', async () => {
  let calls = 0;
  const url = await receiver((_, response) => {
    calls++;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  assert.equal((await clientOf().call(url, post)).status, 307);
  assert.equal(calls, 1);
});

test('of an answer without an end 64 KB are read, and then the connection is closed', async () => {
  let written = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await receiver((_, response) => {
    const chunk = Buffer.alloc(16 * 1024);
    response.on('close', resolve);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on('drain', more);
    more();
  });
  const before = process.memoryUsage().arrayBuffers;
  const { status, error } = await clientOf().call(url, post);
  await closed;
  assert.deepEqual([status, error], [200, null]);
  assert.ok(written < 64 * 1024 * 1024, `${written} bytes were taken`);
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024);
});

for (const [name, listener] of [
  ['never', () => undefined],
  [
    'byte by byte',
    (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
] as const satisfies readonly (readonly [string, RequestListener])[]) {
  test(`a receiver that answers ${name} is cut off in time`, async () => {
    const url = await receiver(listener);
    const { status, error, durationMs } = await clientOf({ withinMs: 300 }).call(url, post);
    assert.deepEqual([status, error], [null, 'no whole response within 0.3 s']);
    assert.ok(durationMs >= 280 && durationMs < 5_000, `${durationMs} ms`);
  });
}

test('headers byte by byte, a closed connection, and what is no HTTP: an error, and no exception', async () => {
  const client = clientOf({ withinMs: 400 });
  const slow = await listen(
    createTcp((socket) => {
      const bytes = [...'HTTP/1.1 200 OK\r\nx: '];
      const timer = setInterval(() => socket.write(bytes.shift() ?? 'y'), 15);
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
    }),
  );
  const closing = await listen(createTcp((socket) => void socket.on('data', () => socket.destroy())));
  const talking = await listen(createTcp((socket) => void socket.end('220 mail.example ESMTP\r\n')));
  const huge = await listen(
    createTcp((socket) => {
      socket.on('error', () => undefined);
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1024 * 1024)}\r\n\r\n`);
    }),
  );
  const errorOf = async (port: number) => (await client.call(`http://127.0.0.1:${port}`, post)).error ?? '';
  assert.equal(await errorOf(slow), 'no whole response within 0.4 s');
  assert.match(await errorOf(closing), /connection was closed/);
  assert.match(await errorOf(talking), /no (?:HTTP )?response|connection was closed/);
  assert.match(await errorOf(huge), /headers/);
  assert.match(await errorOf(1), /no connection \(ECONNREFUSED\)/);
  assert.match(
    (await client.call('http://no-such-host.invalid/', post)).error ?? '',
    /no public address|within/,
  );
});

test('what one partner has under way at an origin delays nobody else there; a partner is bounded over all origins, and each call has its whole time', async () => {
  const open = { held: 0, most: 0, seen: 0 };
  const listener: RequestListener = (request, response) => {
    if (request.headers['x-quick'] !== undefined) return void response.end();
    open.held++;
    open.seen++;
    open.most = Math.max(open.most, open.held);
    response.on('close', () => open.held--);
  };
  const urls = [await receiver(listener), await receiver(listener)];
  const client = clientOf({ withinMs: 1_000 });
  const more = 20;
  const slow = Array.from({ length: partnerAtOnce + more }, (_, index) =>
    client.call(urls[index % 2] ?? '', post),
  );
  while (open.seen < partnerAtOnce) await new Promise(setImmediate);
  const quick = { ...post, partnerId: 'two', headers: { ...post.headers, 'x-quick': '1' } };
  const { status } = await client.call(urls[0] ?? '', quick);
  assert.deepEqual([status, open.held], [200, partnerAtOnce], 'while all of the first are still under way');
  const answers = await Promise.all(slow);
  assert.equal(open.most, partnerAtOnce);
  assert.equal(open.seen, partnerAtOnce + more, 'those that waited were called too');
  for (const answer of answers) assert.ok(answer.status === null && answer.durationMs >= 990);
});
