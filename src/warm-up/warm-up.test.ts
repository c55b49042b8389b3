/** The warm-up: it does what it should, leaves no trace, and never keeps a process from being ready. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildApp } from '#app.ts';
import { createLog } from '#base/log.ts';
import { chooseGateways } from '#gateways.ts';
import type { Context } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { rehearsable } from '#platform/db/rehearsal.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { childEnvironment, shortLived } from '../../test/harness/child.ts';
import { freePorts } from '../../test/harness/ports.ts';
import { until } from '../../test/harness/wait.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../test/harness/world.ts';
import { type WarmUpBounds, warmUp } from './warm-up.ts';

const program = fileURLToPath(new URL('../../bin/pitlane.mjs', import.meta.url));
/** Fewer than usual: planning is most of what they cost. */
const connections = 2;
const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

/** On a database where nothing waits, unless it says so. */
async function warmedUp(
  options: {
    readonly role?: 'all' | 'api' | 'worker';
    readonly bounds?: WarmUpBounds;
    readonly sandbox?: boolean;
    readonly poolSize?: number;
    readonly latencyMs?: number;
  } = {},
) {
  const { role = 'all', bounds, sandbox = true, poolSize = 20, latencyMs = 0 } = options;
  const config = { ...app.context.config, sandboxSmsLatencyMs: latencyMs };
  const log: { readonly msg: string; readonly rehearsals?: number }[] = [];
  const { db, onStage } = rehearsable(
    openDatabase({ url: app.databaseUrl, poolSize, applicationName: 'warm' }),
  );
  const own: Context = {
    ...app.context,
    config,
    ...(sandbox && (await chooseGateways(config, db, app.clock, app.context.log))),
    sandbox,
    sandboxAlone: sandbox,
    db,
    log: createLog('debug', { write: (line) => log.push(JSON.parse(line)) }),
  };
  const served = role === 'worker' ? null : await buildApp(own);
  await warmUp({ onStage, context: own, app: served, sends: role !== 'api' }, bounds);
  return {
    log,
    db,
    get: async (url: string) => (await served?.inject(url))?.body ?? '',
    async close() {
      await served?.close();
      await db.close();
    },
  };
}

/** Of every table, with what PostgreSQL knows of the feed's order. */
async function rowsOfAll(): Promise<Readonly<Record<string, number>>> {
  const tables = await app.context.db.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await app.context.db.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${name}`);
    counts[name] = row?.count ?? -1;
  }
  return counts;
}

/** Each of its connections has the statements of a booking and of its notices. */
async function hasPlans({ pool }: Database): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  const found = clients.map(async (client) => {
    const { rows } = await client.query<{ found: string[] }>(
      `SELECT array_agg(DISTINCT what) AS found FROM pg_prepared_statements,
              unnest(ARRAY['INSERT INTO booking ', 'INSERT INTO message_attempt', 'UPDATE event SET relayed_at']) AS what
        WHERE position(what IN statement) > 0 AND generic_plans + custom_plans > 0`,
    );
    client.release();
    return rows[0]?.found?.length;
  });
  assert.deepEqual(
    await Promise.all(found),
    Array.from({ length: connections }, () => 3),
  );
}

const long: WarmUpBounds = { beginsWithinMs: 0, endsWithinMs: 60_000, connections };

for (const [role, sandbox, latencyMs] of [
  ['all', true, 0],
  ['all', false, 0],
  // However long an SMS takes in the sandbox.
  ['worker', true, 60_000],
] as const) {
  test(`a warm-up of role ${role}, ${sandbox ? 'with' : 'without'} the sandbox, leaves no trace`, async () => {
    const before = await rowsOfAll();
    const [texts, emails] = [app.sms.sent.length, app.email.sent.length];
    const warm = await warmedUp({ role, sandbox, latencyMs, bounds: long });
    try {
      assert.deepEqual(await rowsOfAll(), before);
      assert.deepEqual([app.sms.sent.length, app.email.sent.length], [texts, emails]);
      assert.deepEqual(
        warm.log.map(({ msg }) => msg),
        ['warmed up'],
      );
      assert.equal(warm.log[0]?.rehearsals, 2);
      await hasPlans(warm.db);
      assert.doesNotMatch(await warm.get('/metrics'), /^http_request_duration_seconds_count/m);
      if (sandbox && role === 'all')
        assert.deepEqual(JSON.parse(await warm.get('/sandbox/requests')).requests, []);
    } finally {
      await warm.close();
    }
  });
}

test('one whose pool is smaller than what is to be warm does with those that it has', async () => {
  const warm = await warmedUp({ poolSize: 2, bounds: { ...long, connections: 6 } });
  assert.deepEqual(
    warm.log.map(({ msg }) => msg),
    ['warmed up'],
  );
  await hasPlans(warm.db);
  await warm.close();
});

test('what waits in earnest is left alone', async () => {
  await partner.call('POST', '/bookings', bookingBody(workshopId));
  const waiting = () => app.context.db.query('SELECT id, relayed_at FROM event ORDER BY id');
  const before = await waiting();
  assert.ok(before.length > 0);
  const warm = await warmedUp({ bounds: long });
  await warm.close();
  assert.deepEqual(await waiting(), before);
  await app.drain();
});

test('one whose statement fails is logged once, and one that hangs is ended within its bound', async () => {
  const { db } = app.context;
  await db.query('ALTER TABLE booking RENAME TO booking_away');
  const failed = await warmedUp({ bounds: long }).finally(() =>
    db.query('ALTER TABLE booking_away RENAME TO booking'),
  );
  assert.deepEqual(
    failed.log.map(({ msg }) => msg),
    ['the warm-up failed: the first requests may be slow', 'warmed up'],
  );
  await failed.close();

  const locking = await db.pool.connect();
  await locking.query('BEGIN; LOCK TABLE partner');
  const begun = performance.now();
  const hung = await warmedUp({ bounds: { ...long, endsWithinMs: 100 } });
  await locking.query('ROLLBACK');
  locking.release();
  assert.ok(performance.now() - begun < 10_000);
  assert.match(hung.log[0]?.msg ?? '', /took long/);
  // Its connections are closed, and others serve.
  await hung.db.pool.query('SELECT');
  await hung.close();
});

test('of a small pool it takes no more than there is, and when it is ended it keeps none that comes later', async () => {
  const { db, onStage } = rehearsable(
    openDatabase({ url: app.databaseUrl, poolSize: 2, applicationName: 'small' }),
  );
  const begun = performance.now();
  let connected = 0;
  const { signal } = new AbortController();
  await onStage(6, signal, async () => {
    connected = db.pool.totalCount;
  });
  assert.equal(connected, 2);

  const busy = await db.pool.connect();
  const over = new AbortController();
  const staged = onStage(2, over.signal, () => assert.fail('it was ended'));
  over.abort();
  await db.pool.query('SELECT');
  assert.ok(
    performance.now() - begun < 4_000,
    'a connection is waited for as long as for a server that is away',
  );
  busy.release();
  await staged;
  await db.close();
});

test('wherever it is ended, nothing of it stays and the process goes on', async () => {
  const before = await rowsOfAll();
  for (const endsWithinMs of [1, 250]) {
    const ended = await warmedUp({ bounds: { ...long, endsWithinMs } });
    await ended.db.pool.query('SELECT');
    await ended.close();
  }
  assert.deepEqual(await rowsOfAll(), before);
});

test('a process does not listen before it is warm, and a signal ends it meanwhile', async (t) => {
  const before = await rowsOfAll();
  const locking = await app.context.db.pool.connect();
  await locking.query('BEGIN; LOCK TABLE partner');
  t.after(() => locking.release(true));
  const [port = 0] = await freePorts(1);
  const server = spawn(process.execPath, [...shortLived, program, 'serve', '--json'], {
    env: childEnvironment({
      ...{ DATABASE_URL: app.databaseUrl, PITLANE_SECRET_KEY: randomBytes(32).toString('hex') },
      ...{ PORT: String(port), PITLANE_WARM_UP: 'on' },
    }),
    stdio: 'ignore',
  });
  t.after(() => server.kill('SIGKILL'));
  const ended = once(server, 'exit');
  const waits = `SELECT FROM pg_stat_activity
                  WHERE datname = current_database() AND application_name = 'pitlane all' AND wait_event_type = 'Lock'`;
  await until('the statement waits', async () => (await app.context.db.pool.query(waits)).rows.length > 0);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health/ready`));
  server.kill('SIGTERM');
  assert.equal((await ended)[1], 'SIGTERM');
  await locking.query('ROLLBACK');
  // The start itself records the key.
  assert.deepEqual({ ...(await rowsOfAll()), secret_key: 0 }, { ...before, secret_key: 0 });
});
