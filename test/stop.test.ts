/** A stop lets hand-overs end that have begun, however long the gateway takes. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sandboxSms } from '#gateways/sms/sandbox.ts';
import { sandboxOutbox } from '#sandbox/store.ts';
import { messagingWorld, newPhone, until } from './fixtures/messaging.ts';
import { startServer } from './harness/server.ts';

const { app, book } = await messagingWorld({
  gateways: ({ db, clock }) => ({ sms: sandboxSms({ outbox: sandboxOutbox(db, clock), latencyMs: 0 }) }),
});
const { db } = app.context;

test('SIGTERM while a gateway takes nine seconds: its answer is recorded, and nothing is left to be repeated', async (t) => {
  const server = await startServer(t, {
    DATABASE_URL: app.databaseUrl,
    PITLANE_SECRET_KEY: randomBytes(32).toString('hex'),
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
  await until(async () => (await underWay()).length === 1);
  await server.end('SIGTERM');
  assert.deepEqual(await states(), ['accepted']);
  const kept = await db.query('SELECT FROM sandbox_message WHERE recipient = $1', [phone]);
  assert.deepEqual([kept.length, (await underWay()).length], [1, 0]);
});
