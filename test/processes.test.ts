/** Real server processes under load that are stopped, or share the work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNothingLost, countOf, held, untilCount, untilDelivered } from './crash/delivery.ts';
import { clientOf, createBookings } from './crash/load.ts';
import { makePartner } from './crash/partner.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { createTestDatabase } from './harness/database.ts';
import { send } from './harness/http.ts';
import { startServer } from './harness/server.ts';

const ofPartners = "FROM message WHERE kind = 'partnerMessage'";

test('SIGTERM during a load: every accepted request gets a response, and the process ends within seconds', async (t) => {
  const { db, url } = await createTestDatabase();
  const partner = await makePartner(db);
  const server = await startServer(t, {
    DATABASE_URL: url,
    // A process that fills the cache of compiled sources does so when it ends: thousands of files, beside others that do the same.
    NODE_DISABLE_COMPILE_CACHE: '1',
    SANDBOX_SMS_LATENCY_MS: '3000',
    PITLANE_DATA_DIR: makeFolder(t),
  });
  const client = await clientOf(server.url, partner);
  const load = createBookings(t, client, 3);
  await load.reach(20);
  const messages = Array.from({ length: 12 }, (_, number) =>
    send(`${server.url}/workshops/${partner.workshopId}/messages`, 'POST', {
      headers: client.headers,
      body: { phone: `04910000${10 + number}`, channels: { sms: { message: 'Your car is ready.' } } },
    }),
  );
  await untilCount(db, `SELECT count(*) ${ofPartners}`, (count) => count === 12);
  assert.ok((await countOf(db, `SELECT count(*) ${ofPartners} AND state = 'sending'`)) > 0);
  const startedAt = performance.now();
  const ended = server.end('SIGTERM');
  for (const answer of await Promise.all(messages)) {
    assert.deepEqual([answer.status, answer.body.sms?.sent], [200, true]);
  }
  assert.equal(await ended, 0, server.log());
  assert.ok(performance.now() - startedAt < 20_000, `it took longer than 20 s: ${server.log()}`);
  await load.stop();
  assert.deepEqual(
    [...load.refused.keys()].filter((status) => status !== 503),
    [],
  );
  // No booking was made for a client without a response.
  assert.equal(await countOf(db, 'SELECT count(*) FROM booking'), load.created.length);
  assert.equal(await countOf(db, held), 0, 'messages that no process sends are leased');
});

test('always: an API process and a worker process share one database', async (t) => {
  const { db, url } = await createTestDatabase();
  const partner = await makePartner(db);
  const env = { DATABASE_URL: url, PITLANE_DATA_DIR: makeFolder(t) };
  const api = await startServer(t, { ...env, PITLANE_ROLE: 'api' });
  const load = createBookings(t, await clientOf(api.url, partner), 2);
  await load.reach(10);
  await load.stop();
  assert.equal(await countOf(db, 'SELECT count(*) FROM event WHERE relayed_at IS NULL'), load.created.length);
  const worker = await startServer(t, { ...env, PITLANE_ROLE: 'worker' });
  assert.equal(worker.url, null);
  await untilDelivered(db, 30_000);
  await assertNothingLost(db, load.created);
  const ends = await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]);
  assert.deepEqual(ends, [0, 0]);
  assert.equal(await countOf(db, 'SELECT count(*) FROM worker'), 0);
});
