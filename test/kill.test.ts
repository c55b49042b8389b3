/**
 * Workers that are killed repeatedly with messages in flight: with a gateway that can be asked nothing is sent twice, and every
 * abandoned attempt gets its outcome within 30 seconds.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import { until } from './crash/delivery.ts';
import { makeBacklog } from './fixtures/backlog.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { startSmsProvider } from './fixtures/sms-provider.ts';
import { createTestDatabase } from './harness/database.ts';
import { makeAllDue } from './harness/sending.ts';
import { startServer } from './harness/server.ts';

const kills = 10;
const leftAtLeast = 20;
const settledWithinMs = 30_000;
/** So that a kill finds many messages in flight. */
const slowMs = 200;

type Env = Readonly<Record<string, string>>;

interface Gateway {
  readonly env: Env;
  /** Our references of what it has taken. */
  taken(db: Database): Promise<readonly string[]>;
}

const openAttempts = `SELECT id FROM message_attempt WHERE state = 'sending'`;
const idsOf = async (db: Database, sql: string, values: readonly unknown[] = []) =>
  (await db.query<{ id: string }>(sql, values)).map(({ id }) => id);

/** Kills a worker when it has handed over so many messages that it could not record; returns their attempts. */
async function kill(t: TestContext, db: Database, env: Env, gateway: Gateway): Promise<string[]> {
  const worker = await startServer(t, env);
  await until(db, 'SELECT count(*) FROM queued_message WHERE in_flight', (count) => count >= leftAtLeast);
  let left: string[] = [];
  await db.transaction(async (tx) => {
    // From here on nothing is recorded.
    await tx.query('LOCK TABLE message IN SHARE MODE');
    for (let tries = 0; left.length < leftAtLeast; tries++) {
      assert.ok(tries < 400, `only ${left.length} were handed over and not recorded`);
      await pause(25);
      const taken = new Set(await gateway.taken(db));
      left = (await idsOf(db, openAttempts)).filter((id) => taken.has(id));
    }
    await worker.end('SIGKILL');
    await tx.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'pitlane %'",
    );
  });
  return left;
}

/** When none of these attempts is open any more, by this process's time. */
async function settled(db: Database, attempts: readonly string[]): Promise<number> {
  const giveUpAtMs = performance.now() + 4 * settledWithinMs;
  for (;;) {
    const open = await idsOf(db, `${openAttempts} AND id = ANY($1::uuid[])`, [attempts]);
    const nowMs = performance.now();
    if (open.length === 0 || nowMs > giveUpAtMs) return nowMs;
    await pause(250);
  }
}

async function killAgainAndAgain(t: TestContext, gateway: Gateway): Promise<Database> {
  const { db, url } = await createTestDatabase();
  const env = { ...gateway.env, DATABASE_URL: url, PITLANE_ROLE: 'worker', PITLANE_DATA_DIR: makeFolder(t) };
  const times: Promise<number>[] = [];
  const left: number[] = [];
  for (let n = 0; n < kills; n++) {
    await makeBacklog(db, { workshops: 10, messages: 8 });
    const attempts = await kill(t, db, env, gateway);
    left.push(attempts.length);
    times.push(settled(db, attempts));
  }
  // A process that was reconciling attempts of an earlier kill was killed too, so the time runs from the last kill.
  const lastKillAtMs = performance.now();
  const last = await startServer(t, env);
  const tookMs = (await Promise.all(times)).map((settledAtMs) => settledAtMs - lastKillAtMs);
  t.diagnostic(
    `left by each kill: ${left.join(', ')}; settled, from the last kill, after ${tookMs.map((ms) => Math.round(ms / 1_000)).join(', ')} s`,
  );
  assert.ok(Math.max(...tookMs) < settledWithinMs, `settled only after ${Math.max(...tookMs)} ms`);
  await until(
    db,
    `SELECT count(*) FROM message WHERE state IN ('sending', 'failed')`,
    (count) => count === 0,
    60_000,
  );
  // Attempts that can't be reconciled wait a minute for a delivery report: that minute has passed.
  await db.query(`UPDATE message_attempt SET started_at = started_at - interval '1 minute'`);
  await makeAllDue(db);
  await until(db, 'SELECT count(*) FROM queued_message', (count) => count === 0);
  assert.equal(await last.end('SIGTERM'), 0, last.log());
  return db;
}

describe('ten kills', { concurrency: 2 }, () => {
  test('a gateway that can be asked: everything is sent exactly once', async (t) => {
    const gateway: Gateway = {
      env: { SANDBOX_SMS_LATENCY_MS: `${slowMs}` },
      taken: (db) => idsOf(db, 'SELECT reference AS id FROM sandbox_message'),
    };
    const db = await killAgainAndAgain(t, gateway);
    const notOnce = await db.query(
      `SELECT m.id, m.state, count(s.id)::int AS sent FROM message m LEFT JOIN sandbox_message s ON s.message_id = m.id
        GROUP BY m.id HAVING count(s.id) <> 1 OR m.state <> 'accepted'`,
    );
    assert.deepEqual(notOnce, []);
  });

  test('a gateway that can not be asked: nothing is lost, and each is repeated once at most', async (t) => {
    const references: string[] = [];
    const kannel = await startSmsProvider((asked, response) => {
      const report = new URL(new URL(asked.url, 'http://kannel').searchParams.get('dlr-url') ?? '');
      references.push(report.searchParams.get('reference') ?? '');
      setTimeout(() => response.writeHead(202).end('0: Accepted for delivery'), slowMs);
    });
    const gateway: Gateway = {
      env: {
        PITLANE_SMS_GATEWAYS: 'kannel',
        PITLANE_PUBLIC_URL: 'http://127.0.0.1:1',
        KANNEL_URL: `${kannel.url}/cgi-bin/sendsms`,
        KANNEL_USERNAME: 'pitlane',
        KANNEL_PASSWORD: 'secret-of-kannel',
        KANNEL_CALLBACK_TOKEN: 'a-token-that-is-long-enough-for-a-callback',
        PITLANE_GATEWAY_CONCURRENCY: 'kannel:40',
      },
      taken: async () => references,
    };
    const db = await killAgainAndAgain(t, gateway);
    assert.equal(new Set(references).size, references.length, 'an attempt was handed over twice');
    const handedOver = await db.query<{ id: string; state: string; attempts: number; taken: number }>(
      `SELECT m.id, m.state, count(a.id)::int AS attempts, (count(a.id) FILTER (WHERE a.id = ANY($1::uuid[])))::int AS taken
         FROM message m LEFT JOIN message_attempt a ON a.message_id = m.id GROUP BY m.id`,
      [references],
    );
    for (const { id, state, attempts, taken } of handedOver) {
      assert.ok(taken >= 1, `${id} was never handed over`);
      assert.ok(taken <= 2 && attempts <= 2, `${id} was handed over ${taken} times`);
      assert.ok(['accepted', 'unknown'].includes(state), `${id}: ${state}`);
    }
    // A repeat after an unknown outcome is marked.
    const unmarked = await db.query('SELECT FROM message_attempt WHERE number > 1 AND NOT repeats_unknown');
    assert.deepEqual(unmarked, []);
  });
});
