/** kill -9 of a server during a send: what the next call with the same referenceId does. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { sandboxOutbox } from '#operation/sandbox/store.ts';
import { sandboxSms } from '#platform/gateways/sms/sandbox.ts';
import { age, messagingWorld, newPhone, takenIn, text } from '../../../test/fixtures/messaging.ts';
import { send as call } from '../../../test/harness/http.ts';
import { startServer } from '../../../test/harness/server.ts';
import { until } from '../../../test/harness/wait.ts';

// This process takes over from the killed one, with the same database and therefore the same sandbox.
const world = await messagingWorld({
  gateways: ({ db, clock }) => ({ sms: sandboxSms({ outbox: sandboxOutbox(db, clock), latencyMs: 0 }) }),
});
const { app, partner, workshopId, send, read } = world;
const { db } = app.context;
/** The same for all processes on this database. */
const secretKey = randomBytes(32).toString('hex');

const startSlowServer = (t: TestContext, latencyMs: number) =>
  startServer(t, {
    DATABASE_URL: app.databaseUrl,
    PITLANE_SECRET_KEY: secretKey,
    SANDBOX_SMS_LATENCY_MS: String(latencyMs),
  });

async function sendingMessage(phone: string): Promise<string> {
  const find = () =>
    db.query<{ id: string }>(`SELECT id FROM message WHERE recipient = $1 AND state = 'sending'`, [phone]);
  await until('the message is there', async () => (await find()).length === 1);
  return (await find())[0]?.id ?? '';
}

const keptBySandbox = (phone: string) =>
  db.query(`SELECT id FROM sandbox_message WHERE recipient = $1 AND outcome = 'accepted'`, [phone]);

const request = (phone: string) => ({
  headers: { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
  body: { phone, referenceId: 'R', ...text('Your car is ready.') },
});

const attemptsOf = async (messageId: string) =>
  (await read(messageId)).attempts.map(({ number, state }: Record<string, unknown>) => [number, state]);

test('always: killed before the hand-over: the next call sends the message once', async (t) => {
  const server = await startSlowServer(t, 9_000);
  // The first call of a process is the slowest, and the call below has to come within nine seconds even on a busy machine.
  await send({ phone: newPhone(), referenceId: 'first' });
  const phone = newPhone();
  const lost = call(`${server.url}/workshops/${workshopId}/messages`, 'POST', request(phone));
  const messageId = await sendingMessage(phone);
  // A call that waits in another process gets the outcome too.
  const waiting = send({ phone, referenceId: 'R' });
  await takenIn(app, phone, 2);
  await Promise.all([assert.rejects(lost), server.end('SIGKILL')]);
  assert.equal((await keptBySandbox(phone)).length, 0);

  await age(app, messageId);
  const next = await send({ phone, referenceId: 'R' });
  assert.deepEqual([next.success, next.sms.messageId], [true, messageId]);
  assert.deepEqual(await waiting, next);
  assert.equal((await keptBySandbox(phone)).length, 1);
  assert.deepEqual(await attemptsOf(messageId), [
    [1, 'unknown'],
    [2, 'accepted'],
  ]);
});

test('always: killed after the gateway accepted and before that was recorded: the next call reconciles, and sends nothing', async (t) => {
  const server = await startSlowServer(t, 2_000);
  const phone = newPhone();
  const lost = call(`${server.url}/workshops/${workshopId}/messages`, 'POST', request(phone));
  const messageId = await sendingMessage(phone);
  // No outcome can be recorded while this lock is held.
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN; LOCK TABLE message_attempt IN SHARE MODE');
    await until('the gateway has the message', async () => (await keptBySandbox(phone)).length === 1);
    await Promise.all([assert.rejects(lost), server.end('SIGKILL')]);
    // A statement that the dead process left running must not complete.
    await client.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'pitlane%'`,
    );
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  assert.equal((await read(messageId)).state, 'sending');

  await age(app, messageId);
  const next = await send({ phone, referenceId: 'R' });
  assert.deepEqual([next.success, next.sms.messageId], [true, messageId]);
  assert.equal((await keptBySandbox(phone)).length, 1);
  assert.deepEqual(await attemptsOf(messageId), [[1, 'accepted']]);
});
