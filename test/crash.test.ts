/** Real server processes that are killed, or lose their PostgreSQL, during their work. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { startCluster } from '#platform/db/embedded/cluster.ts';
import { provision } from '#platform/db/embedded/provision.ts';
import { migrate } from '#platform/db/migrate.ts';
import { assertNothingLost, countOf, held, untilCount, untilDelivered } from './crash/delivery.ts';
import { makeDoor } from './crash/door.ts';
import { clientOf, createBookings } from './crash/load.ts';
import { makePartner } from './crash/partner.ts';
import { byPort } from './fixtures/database-socket.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { createTestDatabase } from './harness/database.ts';
import { send } from './harness/http.ts';
import { startServer } from './harness/server.ts';

/** Of each test: on a busy machine two minutes are over before a lease of the killed process is. */
const timeout = 240_000;
/** Within it, another process reconciles the attempts of a killed one, and retries are delivered. */
const takeOverMs = 60_000;

const confirmed = `SELECT count(*) FROM message_attempt JOIN sandbox_message ON reference = message_attempt.id
  WHERE channel = 'sms' AND state = 'sending'`;

function open(t: TestContext, url: string): Database {
  const db = openDatabase({ url, poolSize: 3, applicationName: 'crash test' });
  t.after(() => db.close());
  return db;
}

// The first waits for the leases of a dead process: the other runs meanwhile.
describe('a crash loses nothing', { concurrency: 2 }, () => {
  test('always: kill -9 during a load of bookings: another process finishes all work within a minute', {
    timeout,
  }, async (t) => {
    const { db, url } = await createTestDatabase();
    const partner = await makePartner(db);
    const env = { DATABASE_URL: url, SANDBOX_SMS_LATENCY_MS: '1000', PITLANE_DATA_DIR: makeFolder(t) };
    const first = await startServer(t, env);
    const load = createBookings(t, await clientOf(first.url, partner), 4);
    await load.reach(60);
    await untilCount(db, held, (count) => count > 40);
    await db.transaction(async (tx) => {
      // Nothing is recorded from here on, so that the kill finds SMS that the gateway has just accepted.
      await tx.query('LOCK TABLE message IN SHARE MODE');
      // By this connection: one that is idle in a transaction for 15 s is cut.
      await untilCount(tx, confirmed, (count) => count >= 20);
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

  test('always: PostgreSQL restarts under the server: 503 meanwhile, then requests succeed', {
    timeout,
  }, async (t) => {
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
