/** Over real sockets: connections are kept, bounded and closed in time, and no request is sent twice when one ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { certificate, privateKey } from '../../../test/fixtures/certificate.ts';
import type { HttpCall, HttpResponse } from './http-call.ts';
import { createHttpPool, type HttpPoolOptions } from './http-pool.ts';

const patient = () => AbortSignal.timeout(60_000);

interface Served {
  readonly url: URL;
  /** All connections, open or closed. */
  readonly sockets: Socket[];
  /** The open connections. */
  open(): number;
  /** The paths of the requests. */
  readonly paths: string[];
  call(path: string, changes?: Partial<HttpCall>): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** A gateway that keeps connections for as long as its client does, and a pool to reach it. */
async function serve(
  t: TestContext,
  listener: RequestListener,
  options: HttpPoolOptions = {},
  server: Server = createServer({ keepAliveTimeout: 0 }),
): Promise<Served> {
  const paths: string[] = [];
  const sockets: Socket[] = [];
  server.on('request', (request, response) => {
    paths.push(request.url ?? '');
    listener(request, response);
  });
  server.on('connection', (socket: Socket) => void sockets.push(socket.on('error', () => socket.destroy())));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const pool = createHttpPool(options);
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await pool.close();
  });
  const scheme = server.listenerCount('secureConnection') > 0 ? 'https' : 'http';
  const url = new URL(`${scheme}://localhost:${(server.address() as AddressInfo).port}`);
  return {
    url,
    sockets,
    paths,
    open: () => sockets.filter((socket) => !socket.destroyed).length,
    call: (path, changes) => pool.call(new URL(path, url), { method: 'GET', signal: patient(), ...changes }),
    close: pool.close,
  };
}

const ok: RequestListener = (request, response) => response.end(request.url);

/** Fails by the test's time-out. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}

test('one connection serves one request after another', async (t) => {
  const { call, sockets, paths } = await serve(t, ok);
  for (const path of ['/1', '/2', '/3']) {
    // A connection is free one turn of the event loop after its response.
    await nextTurn();
    const answer = await call(path, path === '/2' ? { method: 'POST', body: 'x' } : {});
    assert.equal(answer.state === 'answered' && answer.body, path);
  }
  assert.deepEqual([sockets.length, paths], [1, ['/1', '/2', '/3']]);
});

test('the number of connections is bounded; further requests wait', async (t) => {
  let atOnce = 0;
  let most = 0;
  const { call, sockets } = await serve(
    t,
    async (_, response) => {
      most = Math.max(most, ++atOnce);
      await pause(5);
      atOnce--;
      response.end();
    },
    { connections: 3 },
  );
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => call(`/${n}`)));
  assert.deepEqual(new Set(answers.map(({ state }) => state)), new Set(['answered']));
  assert.deepEqual([most, sockets.length], [3, 3]);
});

test('we close an idle connection before the gateway would', { timeout: 20_000 }, async (t) => {
  const { call, open } = await serve(t, ok, { idleMs: 50 });
  await call('/');
  assert.equal(open(), 1);
  await until(() => open() === 0);
});

test('a shorter limit that the gateway names is respected', { timeout: 20_000 }, async (t) => {
  const hint = (timeout: number): RequestListener => {
    return (_, response) => response.setHeader('keep-alive', `timeout=${timeout}`).end();
  };
  const short = await serve(t, hint(1), { idleMs: 60_000 });
  await short.call('/');
  // It closes a second before the named limit, so a limit of one second leaves no idle time.
  await until(() => short.open() === 0);
  // A longer limit changes nothing: ours holds.
  const long = await serve(t, hint(600), { idleMs: 50 });
  await long.call('/');
  await until(() => long.open() === 0);
});

test('a gateway closes an idle connection: the next request makes a new one', async (t) => {
  const { call, sockets, paths } = await serve(t, ok);
  for (const path of ['/1', '/2']) {
    assert.equal((await call(path)).state, 'answered');
    sockets.at(-1)?.end();
    await until(() => sockets.at(-1)?.destroyed === true);
  }
  assert.deepEqual([sockets.length, paths], [2, ['/1', '/2']]);
});

test('a kept connection that ends before the first byte of the response: lost, and never sent again', async (t) => {
  for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
    for (const method of ['GET', 'POST'] as const) {
      const { call, sockets, paths } = await serve(t, (request, response) => {
        if (request.url === '/2') request.socket[end]();
        else response.end();
      });
      await call('/1');
      const answer = await call('/2', method === 'POST' ? { method, body: 'x' } : {});
      assert.equal(answer.state, 'lost', `${end} ${method}`);
      assert.equal((await call('/3')).state, 'answered');
      await nextTurn();
      assert.deepEqual([paths, sockets.length], [['/1', '/2', '/3'], 2]);
    }
  }
});

test('connections that end during requests: none is sent twice, and none that arrived counts as unreachable', {
  timeout: 60_000,
}, async (t) => {
  const { call, paths } = await serve(
    t,
    (request, response) => {
      response.end();
      setTimeout(() => request.socket.end(), Math.random() * 2);
    },
    { connections: 4 },
  );
  const states = new Map<string, string>();
  await Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (let n = 0; n < 150; n++) {
        const path = `/${lane}-${n}`;
        states.set(path, (await call(path, n % 2 ? {} : { method: 'POST', body: 'x' })).state);
        await pause(Math.random() * 2);
      }
    }),
  );
  assert.equal(new Set(paths).size, paths.length, 'one was sent twice');
  const arrived = new Set(paths);
  for (const [path, state] of states) {
    if (state === 'answered') assert.ok(arrived.has(path));
    if (state === 'unreachable') assert.ok(!arrived.has(path));
  }
  assert.equal(states.size, 600);
  assert.ok([...states.values()].filter((state) => state === 'answered').length > 300);
});

test('a request whose time is over while it waits for a connection is never sent', async (t) => {
  const held = Promise.withResolvers<void>();
  const { call, paths } = await serve(
    t,
    async (_, response) => {
      await held.promise;
      response.end();
    },
    { connections: 1 },
  );
  const first = call('/1');
  await until(() => paths.length === 1);
  const controller = new AbortController();
  const second = call('/2', { signal: controller.signal });
  await nextTurn();
  controller.abort();
  assert.equal((await second).state, 'unreachable');
  held.resolve();
  assert.equal((await first).state, 'answered');
  assert.equal((await call('/3')).state, 'answered');
  assert.deepEqual(paths, ['/1', '/3']);
});

test('a request whose time is over during the response closes its connection', async (t) => {
  const { call, open, paths } = await serve(t, () => undefined);
  const controller = new AbortController();
  const hangs = call('/1', { signal: controller.signal });
  await until(() => paths.length === 1);
  controller.abort();
  assert.equal((await hangs).state, 'lost');
  await until(() => open() === 0);
});

test('TLS: a second connection resumes the session of the first', async (t) => {
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, certificate]);
  t.after(() => setDefaultCACertificates(trusted));
  const reused: boolean[] = [];
  const server = createTlsServer({ cert: certificate, key: privateKey });
  server.on('secureConnection', (socket: TLSSocket) => void reused.push(socket.isSessionReused()));
  const { call, sockets } = await serve(t, ok, {}, server);
  for (const path of ['/1', '/2']) {
    assert.equal((await call(path)).state, 'answered');
    sockets.at(-1)?.destroy();
    await pause(20);
  }
  assert.deepEqual(reused, [false, true]);
});

test('close lets requests in flight end, and accepts no more', async (t) => {
  const { call, close, open, paths } = await serve(t, async (_, response) => {
    await pause(50);
    response.end();
  });
  const last = call('/1');
  await until(() => paths.length === 1);
  const closed = close();
  assert.equal((await call('/2')).state, 'unreachable');
  assert.equal((await last).state, 'answered');
  await closed;
  await until(() => open() === 0);
  assert.deepEqual(paths, ['/1']);
});
