/** Real server processes that are killed, stopped, or lose their PostgreSQL during their work. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { startCluster } from '#platform/db/embedded/cluster.ts';
import { provision } from '#platform/db/embedded/provision.ts';
import { migrate } from '#platform/db/migrate.ts';
import { createPartner } from '#product/partners/create.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertNothingLost, countOf, until, untilDelivered } from './crash/delivery.ts';
import { makeDoor } from './crash/door.ts';
import { clientOf, createBookings } from './crash/load.ts';
import { byPort } from './fixtures/database-socket.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { createTestDatabase } from './harness/database.ts';
import { send } from './harness/http.ts';
import { startServer } from './harness/server.ts';
import { cheapHash } from './harness/world.ts';

/** Within it, another process reconciles the attempts of a killed one, and retries are delivered. */
const takeOverMs = 60_000;
const held = 'SELECT count(*) FROM queued_message WHERE in_flight';

const ofPartners = "FROM message WHERE kind = 'partnerMessage'";
const confirmed = `SELECT count(*) FROM message_attempt JOIN sandbox_message ON reference = message_attempt.id
  WHERE channel = 'sms' AND state = 'sending'`;

/** A partner and its workshop. */
async function makePartner(db: Database) {
  const clock = systemClock();
  const partner = await createPartner(db, clock, 'Example Fleet', actors.operator, cheapHash);
  const { workshopId } = await createWorkshop(
    db,
    clock,
    {
      name: 'Harbour Motors',
      country: 'AU',
      timezone: 'Australia/Melbourne',
      phone: '0355501234',
      email: 'desk@harbour.example',
    },
    actors.operator,
  );
  await setLink(db, clock, { partnerId: partner.partnerId, workshopId, active: true }, actors.operator);
  return { ...partner, workshopId };
}

function open(t: TestContext, url: string): Database {
  const db = openDatabase({ url, poolSize: 3, applicationName: 'crash test' });
  t.after(() => db.close());
  return db;
}

// The first two wait for the leases of a dead process: the others run meanwhile.
describe('a crash loses nothing', { concurrency: 3 }, () => {
  test('kill -9 during a load of bookings: another process finishes all work within a minute', async (t) => {
    const { db, url } = await createTestDatabase();
    const partner = await makePartner(db);
    const env = { DATABASE_URL: url, SANDBOX_SMS_LATENCY_MS: '1000', PITLANE_DATA_DIR: makeFolder(t) };
    const first = await startServer(t, env);
    const load = createBookings(t, await clientOf(first.url, partner), 4);
    await load.reach(60);
    await until(db, held, (count) => count > 40);
    await db.transaction(async (tx) => {
      // Nothing is recorded from here on, so that the kill finds SMS that the gateway has just accepted.
      await tx.query('LOCK TABLE message IN SHARE MODE');
      // By this connection: one that is idle in a transaction for 15 s is cut.
      await until(tx, confirmed, (count) => count >= 20);
      assert.equal(await first.end('SIGKILL'), 'SIGKILL');
      await tx.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'pitlane %'",
      );
    });
    await load.stop();
    assert.ok((await countOf(db, held)) > 0, 'the killed process held messages');

    const second = await startServer(t, env);
    const client = await clientOf(second.url, partner);
    for (const id of load.created) {
      const { status } = await send(`${second.url}/bookings/${id}`, 'GET', { headers: client.headers });
      assert.equal(status, 200, `booking ${id}`);
    }
    await untilDelivered(db, takeOverMs);
    await assertNothingLost(db, load.created);
    assert.equal(await second.end('SIGTERM'), 0, second.log());
  });

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
    await until(db, `SELECT count(*) ${ofPartners}`, (count) => count === 12);
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

  test('an API process and a worker process share one database', async (t) => {
    const { db, url } = await createTestDatabase();
    const partner = await makePartner(db);
    const env = { DATABASE_URL: url, PITLANE_DATA_DIR: makeFolder(t) };
    const api = await startServer(t, { ...env, PITLANE_ROLE: 'api' });
    const load = createBookings(t, await clientOf(api.url, partner), 2);
    await load.reach(10);
    await load.stop();
    assert.equal(
      await countOf(db, 'SELECT count(*) FROM event WHERE relayed_at IS NULL'),
      load.created.length,
    );
    const worker = await startServer(t, { ...env, PITLANE_ROLE: 'worker' });
    assert.equal(worker.url, null);
    await untilDelivered(db, 30_000);
    await assertNothingLost(db, load.created);
    const ends = await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]);
    assert.deepEqual(ends, [0, 0]);
    assert.equal(await countOf(db, 'SELECT count(*) FROM worker'), 0);
  });

  test('PostgreSQL restarts under the server: 503 meanwhile, then requests succeed', async (t) => {
    const folder = makeFolder(t);
    const binDir = process.env['PITLANE_TEST_POSTGRES'] || undefined;
    const options = { dir: join(folder, 'postgres'), settings: { fsync: 'off' }, ...(binDir && { binDir }) };
    let cluster = await startCluster(options);
    t.after(() => cluster.stop());
    const door = await makeDoor();
    t.after(() => door.remove());
    await door.open(cluster.superuserUrl);
    const url = byPort(await provision(cluster), door.port);
    const db = open(t, url);
    await migrate(db);
    const partner = await makePartner(db);
    const server = await startServer(t, { DATABASE_URL: url, PITLANE_DATA_DIR: folder });
    const client = await clientOf(server.url, partner);
    const load = createBookings(t, client, 3);
    await load.reach(30);

    await Promise.all([door.close(), cluster.stop()]);
    const refused = await send(`${server.url}/bookings/${load.created[0]}`, 'GET', {
      headers: client.headers,
    });
    assert.deepEqual([refused.status, refused.body.errorCode], [503, '000007']);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await send(`${server.url}/health/ready`, 'GET')).status, 503);
    assert.equal((await send(`${server.url}/health/live`, 'GET')).status, 200);

    cluster = await startCluster(options);
    await door.open(cluster.superuserUrl);
    await load.reach(load.created.length + 30);
    await load.stop();
    assert.deepEqual([[...load.refused.keys()], load.unanswered()], [[503], 0]);
    assert.equal((await send(`${server.url}/health/ready`, 'GET')).status, 200);
    await untilDelivered(db, takeOverMs);
    await assertNothingLost(db, load.created);
    assert.ok(server.isRunning());
    assert.equal(await server.end('SIGTERM'), 0, server.log());
  });
});
