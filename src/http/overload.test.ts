import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { parseAnswer } from '../../test/fixtures/raw-http.ts';
import { secondApp } from '../../test/fixtures/second-app.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../test/harness/world.ts';
import { refuseOverload } from './overload.ts';
import { answerError } from './problem.ts';

test('503 000007 with Retry-After for more requests than the process can take; what asks for its health is served', async () => {
  const app = fastify();
  app.setErrorHandler(answerError);
  refuseOverload(app, 3);
  const gate = Promise.withResolvers<void>();
  app.get('/slow', () => gate.promise.then(() => ({ ok: true })));
  app.get('/health', { config: { servedAlways: true } }, async () => ({ ok: true }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const held = [1, 2, 3].map(() => fetch(`${url}/slow`));
  const giveUpAt = performance.now() + 5_000;
  let refused = await fetch(`${url}/none`);
  while (refused.status !== 503 && performance.now() < giveUpAt) {
    await refused.text();
    await sleep(5);
    refused = await fetch(`${url}/none`);
  }
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  const body = (await refused.json()) as Record<string, unknown>;
  assert.equal(body['errorCode'], '000007');
  assert.equal((await fetch(`${url}/health`)).status, 200);

  gate.resolve();
  for (const answer of await Promise.all(held)) assert.equal(answer.status, 200);
  assert.equal((await fetch(`${url}/slow`)).status, 200);
  await app.close();
});

test('a client that goes away gives its place back', async () => {
  const app = fastify();
  app.setErrorHandler(answerError);
  refuseOverload(app, 1);
  const begun = Promise.withResolvers<void>();
  app.get('/stuck', () => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  app.get('/', async () => ({ ok: true }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const impatient = new AbortController();
  const stuck = fetch(`${url}/stuck`, { signal: impatient.signal });
  await begun.promise;
  impatient.abort();
  await assert.rejects(stuck, { name: 'AbortError' });
  const giveUpAt = performance.now() + 5_000;
  let status = 503;
  while (status === 503 && performance.now() < giveUpAt) {
    await sleep(5);
    status = (await fetch(url)).status;
  }
  assert.equal(status, 200);
  await app.close();
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
  while ((await fetch(closing.url).catch(() => null)) !== null) await sleep(5);
  socket.write(`GET /workshops HTTP/1.1\r\n${head}\r\n\r\n`);
  answerNow.resolve();
  await Promise.all([closed, ended]);

  const second = received.indexOf('HTTP/1.1', 1);
  const [first, last] = [parseAnswer(received.slice(0, second)), parseAnswer(received.slice(second))];
  assert.equal(first.status, 200);
  assert.equal(first.body.success, true);
  assert.equal(last.status, 503);
  assert.equal(last.body.errorCode, '000007');
  assert.equal(last.body.requestId, last.headers.get('x-request-id'));
  assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
});
