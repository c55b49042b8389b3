/** A stop waits for hand-overs in flight, however long the gateway takes, and not for clients that keep their connections. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sandboxOutbox } from '#operation/sandbox/store.ts';
import { sandboxSms } from '#platform/gateways/sms/sandbox.ts';
import { messagingWorld, newPhone, text } from './fixtures/messaging.ts';
import { openCrowd } from './fixtures/sockets.ts';
import { startServer } from './harness/server.ts';
import { until } from './harness/wait.ts';

const { app, book, partner, workshopId } = await messagingWorld({
  gateways: ({ db, clock }) => ({ sms: sandboxSms({ outbox: sandboxOutbox(db, clock), latencyMs: 0 }) }),
});
const { db } = app.context;
/** Of all processes on this database. */
const secretKey = randomBytes(32).toString('hex');

test('SIGTERM while a gateway takes nine seconds: its response is recorded, and nothing is left to be repeated', async (t) => {
  const server = await startServer(t, {
    DATABASE_URL: app.databaseUrl,
    PITLANE_SECRET_KEY: secretKey,
    SANDBOX_SMS_LATENCY_MS: '9000',
  });
  const phone = newPhone();
  await book(phone);
  const states = async () =>
    (await db.query<{ state: string }>('SELECT state FROM message WHERE recipient = $1', [phone])).map(
      ({ state }) => state,
    );
  const underWay = () =>
    db.query('SELECT FROM queued_message WHERE recipient = $1 AND attempt_id IS NOT NULL', [phone]);
  await until('the message is under way', async () => (await underWay()).length === 1);
  await server.end('SIGTERM');
  assert.deepEqual(await states(), ['accepted']);
  const kept = await db.query('SELECT FROM sandbox_message WHERE recipient = $1', [phone]);
  assert.deepEqual([kept.length, (await underWay()).length], [1, 0]);
});

test('SIGTERM while clients keep their connections: requests in progress get their response, and a second later the process is gone', async (t) => {
  const server = await startServer(t, {
    DATABASE_URL: app.databaseUrl,
    PITLANE_SECRET_KEY: secretKey,
    SANDBOX_SMS_LATENCY_MS: '3000',
  });
  const headers = {
    authorization: `Bearer ${partner.token}`,
    'x-partner-id': partner.partnerId,
    'content-type': 'application/json',
  };
  const head = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const get = `GET /workshops HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`;
  await openCrowd(server.url, 5, get, { reads: true });
  await openCrowd(
    server.url,
    5,
    get.replace('GET /workshops', 'POST /bookings').replace(/\r\n$/, 'content-length: 9\r\n\r\n{'),
  );
  await openCrowd(server.url, 5, 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(50));

  const phone = newPhone();
  const body = JSON.stringify({ phone, ...text('Ready') });
  const sending = fetch(`${server.url}/workshops/${workshopId}/messages`, { method: 'POST', headers, body });
  await until(
    'the message is there',
    async () => (await db.query('SELECT FROM message WHERE recipient = $1', [phone])).length === 1,
  );
  // Keeps asking on connections of its own that stay open.
  const { sockets } = await openCrowd(server.url, 3, get, { reads: true });
  const busy = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(get);
  }, 20);
  const ended = server.end('SIGTERM');
  const answer = await sending;
  const answeredAt = performance.now();
  assert.equal(((await answer.json()) as { success: boolean }).success, true);
  assert.equal(answer.headers.get('connection'), 'close');
  assert.equal(await ended, 0);
  const seconds = (performance.now() - answeredAt) / 1_000;
  clearInterval(busy);
  // It takes half a second, and 25 where it is given up; the rest is for a machine that is busy.
  assert.ok(seconds < 10, `${seconds} s`);
});
