/** A worker that is killed while a receiver has its request: another delivers it again, under the same webhook-id. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealing } from '#base/sealing.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { assertSigned, startReceiver, webhookWorld } from './fixtures/webhooks.ts';
import { startServer } from './harness/server.ts';

const key = randomBytes(32);
const { app, book, register, log } = await webhookWorld({
  gateways: () => ({ sealing: createSealing([key]) }),
});

test('always: at least once: killed between the hand-over and the record', async (t) => {
  const env = {
    DATABASE_URL: app.databaseUrl,
    PITLANE_ROLE: 'worker',
    PITLANE_DATA_DIR: makeFolder(t),
    PITLANE_SECRET_KEY: key.toString('hex'),
    PITLANE_WEBHOOKS_ALLOW_PRIVATE: 'on',
  };
  const receiver = await startReceiver();
  const { webhook, secret } = await register(receiver.url, { actions: ['bookingCreate'] });
  // It has the request, and says nothing.
  receiver.answers(() => undefined);
  const first = await startServer(t, env);
  const bookings = [await book(), await book(), await book()];
  await receiver.atLeast(3);
  await first.end('SIGKILL');
  assert.ok(
    (await log(webhook.id)).every(({ status, attempts }) => status === 'waiting' && attempts.length === 0),
  );

  receiver.answersWith(204);
  const second = await startServer(t, env);
  await receiver.atLeast(6);
  await second.end('SIGTERM');
  for (const got of receiver.received) assertSigned(got, secret);
  const [before, after] = [receiver.received.slice(0, 3), receiver.received.slice(3)];
  const idsOf = (all: typeof before) => all.map(({ headers }) => headers['webhook-id']).sort();
  assert.deepEqual(idsOf(after), idsOf(before));
  assert.deepEqual(after.map(({ body }) => body.booking.id).sort(), bookings.map(({ id }) => id).sort());
  const all = await log(webhook.id);
  assert.deepEqual(
    all.map(({ status, attempts }) => [status, attempts.map(({ responseStatus }) => responseStatus)]),
    Array.from({ length: 3 }, () => ['delivered', [null, 204]]),
  );
});
