/** Through a real PgBouncer that lends sessions by the transaction, by Pitlane's own driver (docs/operations/running.md, With a pooler). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createLog } from '#base/log.ts';
import { examine } from '#operation/doctor/examine.ts';
import { inSnapshot } from '#platform/db/bulk.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { listen } from '#platform/db/listen.ts';
import { migrate } from '#platform/db/migrate.ts';
import { planByIndex, planEachTime, planInOrder, planOnce } from '#platform/db/plan-modes.ts';
import { openReplica } from '#platform/db/replica/replica.ts';
import { missingSettings, settleRole } from '#platform/db/session-settings.ts';
import { startTestApp } from './harness/app.ts';
import { createTestDatabase } from './harness/database.ts';
import { noPgBouncer, startPgBouncer } from './harness/pgbouncer.ts';
import { until } from './harness/wait.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from './harness/world.ts';

const skip = noPgBouncer;
/** Fewer than the clients of any test here, so that they share. */
const sessions = 2;

async function pooled(t: TestContext, options: { readonly direct?: boolean; readonly wait?: number } = {}) {
  const { url } = await createTestDatabase();
  const bouncer = await startPgBouncer(adminOf(url), sessions, { query_wait_timeout: options.wait ?? 30 });
  const open = (poolSize = 5): Database => {
    const db = openDatabase({
      url: bouncer.through(url),
      directUrl: options.direct === false ? null : url,
      poolSize,
      applicationName: 'pooled',
    });
    t.after(() => db.close());
    return db;
  };
  return { url, bouncer, open };
}

/** The superuser's address, whose password the role of the tests has. */
function adminOf(url: string): string {
  const admin = new URL(url);
  admin.username = 'postgres';
  return admin.href;
}

const kinds = [
  'SELECT $1::int AS plain',
  planOnce('SELECT $1::int AS once, count(*)::int AS found FROM workshop'),
  planByIndex('SELECT $1::int AS by_index, count(*)::int AS found FROM workshop'),
  planInOrder('SELECT $1::int AS in_order FROM workshop UNION ALL SELECT $1::int'),
  planEachTime('SELECT $1::int AS each_time, count(*)::int AS found FROM workshop'),
];

test('statements of every kind and transactions, by three clients over two sessions: each has its answer, nothing is left in a session', {
  skip,
}, async (t) => {
  const { open } = await pooled(t);
  const last = open();
  const runs = [open(), open(), last].flatMap((db, at) =>
    Array.from({ length: 60 }, async (_, n) => {
      const text = kinds[n % kinds.length] ?? '';
      const value = at * 1_000 + n;
      const read = (by: Pick<Database, 'query'>) => by.query<Record<string, number>>(text, [value]);
      const [row] = n % 2 === 0 ? await read(db) : await db.transaction(read);
      assert.equal(Object.values(row ?? {})[0], value);
    }),
  );
  await Promise.all(runs);
  const [left] = await last.query<Record<string, string>>(
    `SELECT current_setting('enable_seqscan') AS seqscan, current_setting('enable_sort') AS sort,
            current_setting('plan_cache_mode') AS mode, (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`,
  );
  assert.deepEqual({ ...left }, { seqscan: 'on', sort: 'on', mode: 'auto', prepared: 0 });
});

test('a failed transaction leaves nothing behind for the next client', { skip }, async (t) => {
  const { open } = await pooled(t);
  const db = open();
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query("SET LOCAL statement_timeout = '1s'");
      await tx.query('SELECT 1 / $1::int', [0]);
    }),
    /division by zero/,
  );
  await Promise.all(Array.from({ length: 8 }, () => db.query('SELECT 1')));
  assert.deepEqual(await db.query("SELECT current_setting('statement_timeout') AS timeout"), [
    { timeout: '0' },
  ]);
});

test('while all sessions are taken a statement waits for a second, then the database is unavailable', {
  skip,
}, async (t) => {
  const { open } = await pooled(t, { wait: 1 });
  const db = open();
  const done = Promise.withResolvers<void>();
  const held = Array.from({ length: sessions }, async () => {
    await db.transaction(async (tx) => {
      await tx.query('SELECT 1');
      await done.promise;
    });
  });
  try {
    await assert.rejects(db.query('SELECT 1'), DatabaseUnavailable);
  } finally {
    done.resolve();
    await Promise.all(held);
  }
  assert.deepEqual(await db.query('SELECT 1 AS one'), [{ one: 1 }]);
});

test('migrating and reading whole tables need the direct address, and say so', { skip }, async (t) => {
  const { open } = await pooled(t, { direct: false });
  const refusal = /there is a pooler in between: DATABASE_DIRECT_URL has to be PostgreSQL's own address/;
  await assert.rejects(migrate(open()), refusal);
  await assert.rejects(
    inSnapshot(open(), (tx) => tx.query('SELECT 1')),
    refusal,
  );
});

test('with it both work, and the role gets its settings once: after RECONNECT connections have them', {
  skip,
}, async (t) => {
  const { open, bouncer } = await pooled(t);
  const [db, other] = [open(), open()];
  const clock = systemClock();
  assert.deepEqual(await migrate(db), []);
  await db.query('DROP FUNCTION known_zone');
  assert.deepEqual(await migrate(db), ['src/product/sending/known_zone.sql']);
  assert.deepEqual(await inSnapshot(db, (tx) => tx.query('SELECT 1 AS one')), [{ one: 1 }]);
  assert.deepEqual(await missingSettings(db), [
    'jit',
    'statement_timeout',
    'idle_in_transaction_session_timeout',
  ]);
  const { findings } = await examine({ db, clock }, { repair: false });
  assert.match(
    findings.map(({ kind, message }) => `${kind}: ${message}`).join(),
    /^connection: connections through the pooler lack jit, statement_timeout, .*RECONNECT/,
  );
  const settled = await Promise.all([db, other, db, other].map((one) => settleRole(one)));
  assert.deepEqual(settled.sort(), [false, false, false, true]);
  await bouncer.reconnect();
  // A login that RECONNECT has cut short fails the next calls too, until the pooler tries again a second later.
  const six = () => Promise.allSettled(Array.from({ length: 6 }, () => db.query('SELECT 1')));
  await until('all six succeed', async () => (await six()).every(({ status }) => status === 'fulfilled'));
  assert.deepEqual(await missingSettings(db), []);
  assert.deepEqual((await examine({ db, clock }, { repair: false })).findings, []);
});

test('the role of a database without a pooler is left as it is', { skip }, async () => {
  const { db } = await createTestDatabase();
  assert.equal(await settleRole(db), false);
  assert.deepEqual(await missingSettings(db), []);
});

test('without the direct address nothing listens on a session of the pooler', { skip }, async (t) => {
  const { open, url } = await pooled(t, { direct: false });
  let begun = false;
  const listening = listen(open(), 'pooler_test', assert.fail, () => {
    begun = true;
  });
  await listening.close();
  assert.equal(begun, false);
  const db = openDatabase({ url, poolSize: 1, applicationName: 'direct' });
  t.after(() => db.close());
  const listeners = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
  assert.equal((await db.query(listeners)).length, 0);
});

test('notifications come on the direct connection', { skip }, async (t) => {
  const { open } = await pooled(t);
  const db = open();
  const heard = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const listening = listen(db, 'pooler_test', heard.resolve, begun.resolve);
  t.after(() => listening.close());
  await begun.promise;
  await db.query("SELECT pg_notify('pooler_test', $1)", ['hello']);
  assert.equal(await heard.promise, 'hello');
});

test('no replica is read through a pooler, which may lead to several', { skip }, async (t) => {
  const { open, bouncer, url } = await pooled(t);
  const log = createLog('silent');
  const replica = openReplica({ url: bouncer.through(url), primary: open(), log, applicationName: 'pooled' });
  t.after(() => replica.close());
  await replica.look();
  assert.equal(replica.seen().state, 'pooled');
});

test('a partner signs in and books, ten at once with one key make one booking, and its notices are sent', {
  skip,
}, async (t) => {
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined;
  const app = await startTestApp({
    open: async (url) => {
      bouncer = await startPgBouncer(adminOf(url), sessions);
      const db = openDatabase({
        url: bouncer.through(url),
        directUrl: url,
        poolSize: 10,
        applicationName: 'pooled',
      });
      t.after(() => db.close());
      return db;
    },
  });
  const partner = await signedInPartner(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  const book = () =>
    partner.call('POST', '/bookings', bookingBody(workshopId), { headers: { 'idempotency-key': 'once' } });
  const answers = await Promise.all(Array.from({ length: 10 }, book));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ body }) => body.booking.id)).size, 1);
  await app.drain();
  const [sent] = await app.context.db.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM message WHERE state = 'accepted'",
  );
  assert.ok((sent?.count ?? 0) >= 2, `${sent?.count} were sent`);
});
