/**
 * A blast whose worker is killed twice in the middle, with messages that were handed over and not recorded: nobody gets it twice,
 * and of everybody it is known that it was sent, or that this is not known.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Database } from '#platform/db/database.ts';
import { findBlast } from '#product/campaigns/blasts/store.ts';
import { patientMs, untilCount } from './crash/delivery.ts';
import { askedGateway, type Gateway, kill, leftAtLeast, unaskedGateway } from './crash/kill.ts';
import { dueBlast } from './fixtures/blast.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { createTestDatabase } from './harness/database.ts';
import { makeAllDue } from './harness/sending.ts';
import { startServer } from './harness/server.ts';

const recipients = Number(process.env['BLAST_RECIPIENTS'] ?? 2_000);
const kills = 2;
/** More recipients, such as 100,000, take longer: a worker hands over some hundred a second on a slow machine. */
const sendingMs = 120_000 + 10 * recipients;
const timeout = 120_000 + sendingMs;

/** Resolves to the blast as it is at the end, and the attempts that the kills have left. */
async function killedTwice(t: TestContext, db: Database, url: string, gateway: Gateway) {
  const { blastId } = await dueBlast(db, recipients);
  const env = { ...gateway.env, DATABASE_URL: url, PITLANE_ROLE: 'worker', PITLANE_DATA_DIR: makeFolder(t) };
  const left: string[] = [];
  for (let n = 0; n < kills; n++) {
    const attempts = await kill(t, db, env, gateway);
    assert.ok(attempts.length >= leftAtLeast);
    left.push(...attempts);
    const { counts, status } = (await findBlast(db, null, blastId)) ?? assert.fail();
    assert.deepEqual([status, counts.recipients], ['sending', recipients]);
    assert.ok(counts.waiting > 0, 'it was killed when all was sent');
  }
  const last = await startServer(t, env);
  await untilCount(
    db,
    `SELECT count(*) FROM blast_recipient WHERE state = 'waiting'`,
    (count) => count === 0,
    sendingMs,
    500,
  );
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
  await untilCount(
    db,
    `SELECT count(*) FROM blast WHERE status <> 'completed'`,
    (count) => count === 0,
    60_000,
  );
  await untilCount(db, 'SELECT count(*) FROM queued_message', (count) => count === 0, 60_000);
  assert.equal(await last.end('SIGTERM'), 0, last.log());
  const { counts } = (await findBlast(db, null, blastId)) ?? assert.fail();
  const states = await db.query(
    `SELECT r.state, m.state AS message, count(*)::int AS count FROM blast_recipient r
       LEFT JOIN message m ON m.cause_id = r.blast_id AND m.customer_id = r.customer_id GROUP BY 1, 2 ORDER BY 1`,
  );
  t.diagnostic(`left by the kills: ${left.length}; ${JSON.stringify(states)}`);
  assert.deepEqual([counts.recipients, counts.waiting, counts.failed, counts.skipped], [recipients, 0, 0, 0]);
  assert.equal(counts.sent + counts.unknown, recipients);
  return { counts, left };
}

/** What the sandbox's gateway took, in `handed_over`: the sandbox itself keeps the last messages only. */
async function keepHandOvers(db: Database): Promise<void> {
  await db.query('CREATE TABLE handed_over (recipient text NOT NULL)');
  await db.query(
    `CREATE FUNCTION keep_hand_over() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN INSERT INTO handed_over VALUES (new.recipient); RETURN NULL; END'`,
  );
  await db.query(
    'CREATE TRIGGER keep_hand_over AFTER INSERT ON sandbox_message FOR EACH ROW EXECUTE FUNCTION keep_hand_over()',
  );
}

describe('a blast that is killed twice', { concurrency: 2 }, () => {
  test('always: with a gateway that can be asked: each customer gets it once (specification: Blasts 3)', {
    timeout,
  }, async (t) => {
    const { db, url } = await createTestDatabase();
    await keepHandOvers(db);
    const { counts } = await killedTwice(t, db, url, askedGateway());
    assert.equal(counts.sent, recipients);
    const [sent] = await db.query<{ all: number; people: number }>(
      'SELECT count(*)::int AS all, count(DISTINCT recipient)::int AS people FROM handed_over',
    );
    assert.deepEqual(sent, { all: recipients, people: recipients });
  });

  test('always: with one that can not: nobody gets it twice, and what is not known is said to be unknown (specification: Blasts 3 and 4)', {
    timeout,
  }, async (t) => {
    const { db, url } = await createTestDatabase();
    const gateway = await unaskedGateway();
    const { counts, left } = await killedTwice(t, db, url, gateway);
    assert.equal(
      new Set(gateway.references).size,
      gateway.references.length,
      'an attempt was handed over twice',
    );
    const twice = await db.query(
      `SELECT message_id FROM message_attempt WHERE id = ANY($1::uuid[]) GROUP BY message_id HAVING count(*) > 1`,
      [gateway.references],
    );
    assert.deepEqual(twice, []);
    assert.ok(counts.unknown >= left.length, `${counts.unknown} unknown, ${left.length} left by the kills`);
    const leftOpen = await db.query(
      `SELECT a.id FROM message_attempt a JOIN message m ON m.id = a.message_id WHERE a.id = ANY($1::uuid[]) AND m.state <> 'unknown'`,
      [left],
    );
    assert.deepEqual(leftOpen, []);
    assert.deepEqual(await db.query('SELECT FROM dead_letter'), []);
  });
});
