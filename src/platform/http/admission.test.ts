import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type FastifyInstance, fastify } from 'fastify';
import { createLog } from '#base/log.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { parseResponse, sendRaw } from '../../../test/fixtures/raw-http.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { openCrowd } from '../../../test/fixtures/sockets.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { until } from '../../../test/harness/wait.ts';
import { linkedWorkshop, type SignedInPartner, signedInPartner } from '../../../test/harness/world.ts';
import { admitRequests } from './admission.ts';
import { Connections } from './connections.ts';
import { usualLimits } from './limits.ts';
import { serverFactory } from './listener.ts';
import { respondWithError } from './problem.ts';
import { UnreadMemory } from './unread-memory.ts';

interface Options {
  readonly log?: string[];
  readonly delayRefusedMs?: number;
  readonly busy?: () => void;
  readonly health?: () => void;
}

/** A bare server with that number of permits. */
async function serverWith(
  permitsAtMost: number,
  { log = [] as string[], delayRefusedMs = 5, ...handlers }: Options = {},
) {
  const connections = new Connections(1_000);
  const limits = { ...usualLimits, permitsAtMost, delayRefusedMs };
  const app = fastify({
    loggerInstance: createLog('info', { write: (line) => log.push(line) }),
    serverFactory: serverFactory(limits, connections, new UnreadMemory(limits)),
    clientErrorHandler: () => undefined,
  }) as unknown as FastifyInstance;
  app.setErrorHandler(respondWithError);
  admitRequests(app, limits, connections);
  const gate = Promise.withResolvers<void>();
  let entered = 0;
  app.get('/slow', { config: { countsForPartner: true } }, async () => {
    entered++;
    await gate.promise;
    return { ok: true };
  });
  app.get('/busy', async () => {
    handlers.busy?.();
    return { ok: true };
  });
  app.get('/health', { config: { servedAlways: true } }, async () => {
    handlers.health?.();
    return { ok: true };
  });
  app.get('/document', { config: { needsNoPermit: true } }, async () => ({ ok: true }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    gate,
    ask: (path: string, partner = '') => fetch(`${url}${path}`, { headers: { 'x-partner-id': partner } }),
    /** That number of the partner's requests are in work when it resolves; those answered before are refused ones. */
    async hold(partner: string, count: number) {
      const before = entered;
      const answers = Array.from({ length: count }, () =>
        fetch(`${url}/slow`, { headers: { 'x-partner-id': partner } }),
      );
      await until('all have entered', async () => entered - before === count);
      return answers;
    },
  };
}

test('503 000007 with Retry-After for more requests than the process can take; health and documents are served', async () => {
  const log: string[] = [];
  const { app, gate, ask, hold } = await serverWith(5, { log });
  const held = [...(await hold('one', 3)), ...(await hold('two', 1)), ...(await hold('three', 1))];
  for (const partner of ['one', 'four', '']) {
    const refused = await ask('/slow', partner);
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    const body = (await refused.json()) as Record<string, unknown>;
    assert.equal(body['errorCode'], '000007');
  }
  for (const path of ['/health', '/document']) assert.equal((await ask(path)).status, 200);

  gate.resolve();
  for (const answer of await Promise.all(held)) assert.equal(answer.status, 200);
  assert.equal((await ask('/slow')).status, 200);
  // A second may end between two of them.
  const shed = () => log.reduce((sum, line) => sum + Number(/"shed":(\d+)/.exec(line)?.[1] ?? 0), 0);
  await until('three were refused', async () => shed() === 3);
  await app.close();
  assert.doesNotMatch(log.join(''), /stack|at admitRequests/, 'one line a second, and no stack');
});

test('one partner has at most half of the permits, and the next partner gets some', async () => {
  const { app, gate, ask, hold } = await serverWith(20);
  const held = await hold('greedy', 10);
  for (let n = 0; n < 30; n++) assert.equal((await ask('/slow', 'greedy')).status, 503);
  held.push(...(await hold('modest', 5)));
  assert.equal((await ask('/slow', 'modest')).status, 503, 'half of what was left');
  held.push(...(await hold('third', 1)));
  gate.resolve();
  for (const answer of await Promise.all(held)) assert.equal(answer.status, 200);
  held.length = 0;
  held.push(...(await hold('greedy', 10)));
  await Promise.all(held);
  await app.close();
});

test('the refusal of a client that retries at once is delayed, so that many such clients cost little', async () => {
  const { app, gate, ask, hold } = await serverWith(2, { delayRefusedMs: 200 });
  const held = await hold('one', 1);
  held.push(...(await hold('two', 1)));
  const begun = performance.now();
  for (let n = 0; n < 5; n++) assert.equal((await ask('/slow')).status, 503);
  assert.ok(performance.now() - begun >= 500, 'half of the time each, at least');
  // Where more requests wait behind it on one connection, they are refused at once: held, they would pile up.
  const { port } = app.server.address() as AddressInfo;
  const one = 'GET /slow HTTP/1.1\r\nHost: x\r\n';
  const answers = await sendRaw(
    `http://127.0.0.1:${port}`,
    `${`${one}\r\n`.repeat(49)}${one}Connection: close\r\n\r\n`,
  );
  assert.equal(answers.split('HTTP/1.1 503').length - 1, 50);
  gate.resolve();
  await Promise.all(held);
  await app.close();
});

test('health checks are served between other requests, however many came at once', async () => {
  const [get, heard] = ['HTTP/1.1\r\nHost: x\r\n\r\n', Promise.withResolvers<number>()];
  let done = 0;
  const { app } = await serverWith(500, {
    busy() {
      // Asked while the first of them is at work.
      if (done === 0) asking?.write(`GET /health ${get}`);
      const until = performance.now() + 2;
      while (performance.now() < until);
      done++;
    },
    health: () => heard.resolve(done),
  });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const [crowd, health] = [
    await openCrowd(url, 150, '', { reads: true }),
    await openCrowd(url, 1, '', { reads: true }),
  ];
  const [asking] = health.sockets;
  const accepted = promisify(app.server.getConnections).bind(app.server);
  await until('all connections are accepted', async () => (await accepted()) === 151);
  for (const socket of crowd.sockets) socket.write(`GET /busy ${get}`);
  const before = await heard.promise;
  assert.ok(before <= 40, `after ${before} of 150`);
  await until('all are answered', async () => done === 150);
  await Promise.all([crowd.end(), health.end()]);
  await app.close();
});

test('the permit of a client that disconnects is released', async () => {
  const { app, ask, hold } = await serverWith(1);
  const impatient = new AbortController();
  const { port } = app.server.address() as AddressInfo;
  const stuck = fetch(`http://127.0.0.1:${port}/slow`, { signal: impatient.signal });
  await until('it refuses', async () => (await ask('/slow')).status === 503);
  impatient.abort();
  await assert.rejects(stuck, { name: 'AbortError' });
  await Promise.race([until('it answers', async () => (await ask('/none')).status === 404), hold('', 0)]);
  await app.close();
});

test('a partner whose messages wait for a gateway takes no permit from another partner', async () => {
  const app = await startTestApp();
  const [one, two] = [await signedInPartner(app), await signedInPartner(app)];
  const workshopId = await linkedWorkshop(app, [one, two]);
  const narrow = await secondApp(app, { limits: { permitsAtMost: 8 } });
  const answerNow = Promise.withResolvers<void>();
  let handed = 0;
  const text = (partner: SignedInPartner, phone: string) =>
    narrow.request('POST', `/workshops/${workshopId}/messages`, {
      headers: { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
      body: { phone, channels: { sms: { message: 'Ready' } } },
    });
  for (let n = 0; n < 4; n++) {
    app.sms.next(async (sms) => {
      handed++;
      await answerNow.promise;
      return { state: 'accepted', gatewayId: sms.reference };
    });
  }
  const held = [0, 1, 2, 3].map(() => text(one, newPhone()));
  await until('four are handed over', async () => handed === 4);
  assert.equal((await text(one, newPhone())).status, 503);
  assert.equal((await text(two, newPhone())).status, 200);
  answerNow.resolve();
  for (const answer of await Promise.all(held)) assert.equal(answer.body.success, true);
});

test('while it shuts down, work in hand is finished, and new work gets 503 000007 with Retry-After', async () => {
  const app = await startTestApp();
  const partner = await signedInPartner(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  const closing = await secondApp(app);
  const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };

  const [handed, answerNow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.sms.next(async (sms) => {
    handed.resolve();
    await answerNow.promise;
    return { state: 'accepted', gatewayId: sms.reference };
  });
  const head = [...Object.entries(headers), ['host', 'x']]
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n');
  const message = JSON.stringify({ phone: '0491570006', channels: { sms: { message: 'Ready' } } });
  const post = [
    `POST /workshops/${workshopId}/messages HTTP/1.1`,
    head,
    'content-type: application/json',
    `content-length: ${message.length}`,
  ].join('\r\n');

  const socket = connect(Number(new URL(closing.url).port), '127.0.0.1');
  socket.setEncoding('utf8');
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.write(`${post}\r\n\r\n${message}`);
  await handed.promise;

  const closed = closing.close();
  // A connection of its own is refused once it no longer listens.
  await until('it has closed', async () => (await fetch(closing.url).catch(() => null)) === null);
  socket.write(`GET /workshops HTTP/1.1\r\n${head}\r\n\r\n`);
  answerNow.resolve();
  await Promise.all([closed, ended]);

  const second = received.indexOf('HTTP/1.1', 1);
  const [first, last] = [parseResponse(received.slice(0, second)), parseResponse(received.slice(second))];
  assert.equal(first.status, 200);
  assert.equal(first.body.success, true);
  assert.equal(last.status, 503);
  assert.equal(last.body.errorCode, '000007');
  assert.equal(last.body.requestId, last.headers.get('x-request-id'));
  assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
});
