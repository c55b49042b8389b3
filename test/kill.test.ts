/**
 * Workers that are killed repeatedly with messages in flight: with a gateway that can be asked nothing is sent twice, and every
 * abandoned attempt gets its outcome within 30 seconds.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';
import { patientMs, untilCount } from './crash/delivery.ts';
import { askedGateway, type Gateway, idsOf, kill, openAttempts, unaskedGateway } from './crash/kill.ts';
import { makeBacklog } from './fixtures/backlog.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { createTestDatabase } from './harness/database.ts';
import { makeAllDue } from './harness/sending.ts';
import { startServer } from './harness/server.ts';

/** Each leaves twenty messages or more in flight; `KILLS=10 npm test -- test/kill.test.ts` kills more often. */
const kills = Number(process.env['KILLS'] || 3);
const settledWithinMs = 30_000;
/** When none of these attempts is open any more, by this process's time. */
async function settled(db: Database, attempts: readonly string[]): Promise<number> {
  const giveUpAtMs = performance.now() + 4 * settledWithinMs;
  for (;;) {
    const open = await idsOf(db, `${openAttempts} AND id = ANY($1::uuid[])`, [attempts]);
    const nowMs = performance.now();
    if (open.length === 0 || nowMs > giveUpAtMs) return nowMs;
    await pause(patientMs);
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
  await untilCount(
    db,
    `SELECT count(*) FROM message WHERE state IN ('sending', 'failed')`,
    (count) => count === 0,
    60_000,
    patientMs,
  );
  // Attempts that can't be reconciled wait a minute for a delivery report: that minute has passed.
  await db.query(`UPDATE message_attempt SET started_at = started_at - interval '1 minute'`);
  await makeAllDue(db);
  await untilCount(db, 'SELECT count(*) FROM queued_message', (count) => count === 0);
  assert.equal(await last.end('SIGTERM'), 0, last.log());
  return db;
}

/** Leases end one after the other, on a machine that does other work. */
const timeout = 240_000;

describe('kill after kill', { concurrency: 2 }, () => {
  test('always: a gateway that can be asked: everything is sent exactly once', { timeout }, async (t) => {
    const gateway = askedGateway();
    const db = await killAgainAndAgain(t, gateway);
    const notOnce = await db.query(
      `SELECT m.id, m.state, count(s.id)::int AS sent FROM message m LEFT JOIN sandbox_message s ON s.message_id = m.id
        GROUP BY m.id HAVING count(s.id) <> 1 OR m.state <> 'accepted'`,
    );
    assert.deepEqual(notOnce, []);
  });

  test('always: a gateway that can not be asked: nothing is lost, and each is repeated once at most', {
    timeout,
  }, async (t) => {
    const gateway = await unaskedGateway();
    const { references } = gateway;
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
