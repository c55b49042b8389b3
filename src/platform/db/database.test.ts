import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { byPort, connectToDatabase } from '../../../test/fixtures/database-socket.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { openDatabase } from './database.ts';
import { DatabaseFull, DatabaseUnavailable, violatedConstraint } from './errors.ts';
import { openPool, takeConnection } from './pool.ts';
import { setUp } from './session-settings.ts';

/** A database that is not there, or not as it should be. */
function elsewhere(url: string) {
  return openDatabase({ url, poolSize: 2, applicationName: 'test' });
}

async function listening(onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = await listening(() => undefined);
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function assertUnavailable(url: string): Promise<void> {
  const db = elsewhere(url);
  try {
    await assert.rejects(db.query('SELECT 1 AS one'), DatabaseUnavailable);
    await assert.rejects(
      db.transaction((tx) => tx.query('SELECT 1 AS one')),
      DatabaseUnavailable,
    );
  } finally {
    await db.close();
  }
}

test('nobody listens, by address and by a name with two addresses: unavailable', async () => {
  const port = await freePort();
  await assertUnavailable(`postgres://someone:secret@127.0.0.1:${port}/none`);
  await assertUnavailable(`postgres://someone:secret@localhost:${port}/none`);
});

test('a name that no resolver knows, and a socket folder that is not there: unavailable', async () => {
  await assertUnavailable('postgres://someone:secret@nowhere.invalid:5432/none');
  await assertUnavailable('postgres://someone:secret@%2Fnonexistent/none');
});

test('an address that names a certificate which is not there: unavailable', async () => {
  await assertUnavailable(
    'postgres://someone:secret@127.0.0.1:5432/none?sslmode=verify-full&sslrootcert=/nonexistent',
  );
});

test('a server that hangs up at once: unavailable', async () => {
  const server = await listening((socket) => socket.destroy());
  await assertUnavailable(`postgres://someone:secret@127.0.0.1:${portOf(server)}/none`);
  await new Promise((resolve) => server.close(resolve));
});

test('a server that says nothing more once it has let us in: unavailable', async () => {
  const { url } = await createTestDatabase();
  const server = await listening((socket) => {
    const onward = connectToDatabase(url);
    socket.on('error', () => undefined).on('close', () => onward.destroy());
    socket.on('data', (data) => onward.write(data));
    onward.on('data', (data) => {
      socket.write(data);
      // "Ready for query", and idle.
      if (data.includes('Z\0\0\0\x05I')) socket.removeAllListeners('data');
    });
  });
  const pool = openPool({
    url: byPort(url, portOf(server)),
    ...{ size: 1, applicationName: 'test', onConnect: setUp, connectWithinMs: 300 },
  });
  await assert.rejects(takeConnection(pool), DatabaseUnavailable);
  assert.equal(pool.totalCount, 0);
  await pool.end();
  server.close();
});

test('a wrong password and a database that does not exist: unavailable', async () => {
  const { url } = await createTestDatabase();
  const wrongPassword = new URL(url);
  wrongPassword.password = 'wrong';
  await assertUnavailable(wrongPassword.href);
  const wrongName = new URL(url);
  wrongName.pathname = '/does_not_exist';
  await assertUnavailable(wrongName.href);
});

test('a pool that was closed: unavailable', async () => {
  const { url } = await createTestDatabase();
  const db = elsewhere(url);
  await db.close();
  await assert.rejects(db.query('SELECT 1 AS one'), DatabaseUnavailable);
});

test('a connection that is cut off while it works: unavailable, and the next statement gets another', async () => {
  const { db } = await createTestDatabase();
  const suicide = 'SELECT pg_terminate_backend(pg_backend_pid())';
  await assert.rejects(db.query(suicide), DatabaseUnavailable);
  await assert.rejects(
    db.transaction((tx) => tx.query(suicide)),
    DatabaseUnavailable,
  );
  assert.deepEqual(await db.query('SELECT 1 AS one'), [{ one: 1 }]);
});

test('a statement that PostgreSQL cancels for taking too long: unavailable, not a bug', async () => {
  const { db } = await createTestDatabase();
  const slow = db.transaction(async (tx) => {
    await tx.query("SET LOCAL statement_timeout = '20ms'");
    await tx.query('SELECT pg_sleep(5)');
  });
  await assert.rejects(slow, DatabaseUnavailable);
});

test('no more connections: unavailable', async () => {
  const { db, url } = await createTestDatabase();
  const name = new URL(url).pathname.slice(1);
  await db.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
  await assertUnavailable(url);
  await db.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
});

test('calls that wait for connections which are held get more of them, up to the size of the pool', async () => {
  const { url, close } = await createTestDatabase();
  const db = openDatabase({ url, poolSize: 8, applicationName: 'test' });
  const all = Promise.withResolvers<void>();
  let holding = 0;
  const hold = () =>
    db.transaction(async () => {
      if (++holding === 8) all.resolve();
      await all.promise;
    });
  await Promise.all(Array.from({ length: 8 }, hold));
  assert.equal(db.pool.totalCount, 8);
  await db.close();
  await close();
});

test('a server that was away: the pool opens as many connections as before', async (t) => {
  // Those that wait are next when the first ones have failed; by then a connection more has been asked for.
  const server = await listening((socket) => setTimeout(() => socket.destroy(), 150));
  t.after(() => server.close());
  const db = openDatabase({
    url: `postgres://someone:secret@127.0.0.1:${portOf(server)}/none`,
    ...{ poolSize: 20, applicationName: 'test' },
  });
  const usual = db.pool.options.max;
  const calls = Array.from({ length: usual + 2 }, () => db.query('SELECT 1 AS one'));
  for (const call of await Promise.allSettled(calls)) assert.equal(call.status, 'rejected');
  assert.ok(db.pool.options.max >= usual, `${db.pool.options.max}`);
  await db.close();
});

test('a bug and a violated constraint stay what they are, and keep their connection', async () => {
  const { db } = await createTestDatabase({ poolSize: 1 });
  const pid = async () => (await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
  const before = await pid();
  const isBug = (error: unknown) => error instanceof Error && !(error instanceof DatabaseUnavailable);
  await assert.rejects(db.query('SELECT nothing FROM nowhere'), isBug);
  // 08P01: too few values for the statement is a mistake of ours, not a connection that failed.
  await assert.rejects(db.query('SELECT $1::int + $2::int AS sum', [1]), isBug);
  const twice = 'INSERT INTO business_clock DEFAULT VALUES';
  await assert.rejects(db.query(twice), (error) => violatedConstraint(error) === 'business_clock_pkey');
  await assert.rejects(
    db.transaction((tx) => tx.query(twice)),
    (error) => violatedConstraint(error) === 'business_clock_pkey',
  );
  assert.equal(await pid(), before);
});

test('a full disk: what was begun is rolled back, and the connection is kept while it can do that', async () => {
  const { db } = await createTestDatabase({ poolSize: 1 });
  const pid = async () => (await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
  const before = await pid();
  const full = "DO $$ BEGIN RAISE SQLSTATE '53100'; END $$";
  await assert.rejects(db.query(full), DatabaseFull);
  const inTransaction = db.transaction(async (tx) => {
    await tx.query('UPDATE business_clock SET advance_seconds = 77');
    await tx.query(full);
  });
  await assert.rejects(inTransaction, DatabaseFull);
  assert.equal(await pid(), before);
  const rows = await db.query('SELECT advance_seconds::int AS seconds FROM business_clock');
  assert.deepEqual(rows, [{ seconds: 0 }]);

  const cutOff = db.transaction(async (tx) => {
    await tx.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    throw new DatabaseFull('full');
  });
  await assert.rejects(cutOff, DatabaseFull);
  assert.notEqual(await pid(), before);
});

test("an error of the caller's own passes through a transaction untouched, whatever it says, and rolls back", async () => {
  const { db } = await createTestDatabase();
  const own = new Error('the quote has ended: timeout exceeded, ECONNREFUSED');
  const work = db.transaction(async (tx) => {
    await tx.query('UPDATE business_clock SET advance_seconds = 77');
    throw own;
  });
  await assert.rejects(work, (error) => error === own);
  const rows = await db.query('SELECT advance_seconds::int AS seconds FROM business_clock');
  assert.deepEqual(rows, [{ seconds: 0 }]);
});

test('a transaction that keeps colliding is run again, and given up as unavailable in the end', async () => {
  const { db } = await createTestDatabase();
  let runs = 0;
  const collide = (times: number) =>
    db.transaction(async (tx) => {
      runs++;
      if (runs <= times) await tx.query("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$");
      return runs;
    });
  assert.equal(await collide(2), 3);
  runs = 0;
  await assert.rejects(collide(Infinity), DatabaseUnavailable);
  assert.equal(runs, 5);
});

test('always: what refers to a row that was deleted meanwhile looks again; one that refers to nothing fails in the end', async () => {
  const { db } = await createTestDatabase();
  await db.pool.query(
    'CREATE TABLE held (id int PRIMARY KEY); CREATE TABLE holds (held_id int REFERENCES held)',
  );
  await db.pool.query('INSERT INTO held VALUES (1), (2)');
  const kept = await db.transaction(async (tx) => {
    const [first] = await tx.query<{ id: number }>('SELECT id FROM held ORDER BY id LIMIT 1');
    // Another transaction deletes it after it was read.
    if (first?.id === 1) await db.pool.query('DELETE FROM held WHERE id = 1');
    await tx.query('INSERT INTO holds VALUES ($1)', [first?.id]);
    return first?.id;
  });
  assert.equal(kept, 2);
  assert.deepEqual(await db.query('SELECT * FROM holds'), [{ heldId: 2 }]);
  await assert.rejects(
    db.query('INSERT INTO holds VALUES (3)'),
    (error) => violatedConstraint(error) === 'holds_held_id_fkey',
  );
});
