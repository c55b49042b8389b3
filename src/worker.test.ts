import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '#platform/db/database.ts';
import { startWorker, type Worker } from '#worker.ts';
import { untilCount } from '../test/crash/delivery.ts';
import { happen, insertWorld, workContext, workshop } from '../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../test/harness/database.ts';

const { db, url } = await createTestDatabase();
const ctx = workContext(db);
const quick = { heartbeatMs: 100, silentMs: 1_000, searchMs: 100 };
const stuckWorker = fileURLToPath(new URL('../test/fixtures/stuck-worker.ts', import.meta.url));
const phone = '+61491570006';
let worker: Worker | undefined;

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

const acceptedCount =
  "SELECT count(*)::int AS count FROM message WHERE kind = 'bookingNotice' AND state = 'accepted'";
const inHandCount = 'SELECT count(*)::int AS count FROM queued_message WHERE attempt_id IS NOT NULL';

describe('a worker', () => {
  it('always: does the work of a killed one, which held messages that it was sending', async (t) => {
    const world = await insertWorld(db);
    for (let count = 0; count < 40; count++) await happen(db, world);
    const child = spawn(process.execPath, [stuckWorker, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    // As many SMS hang.
    let held = 0;
    for await (const _ of createInterface({ input: child.stdout })) if (++held === 20) break;
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await countOf('SELECT count(*)::int AS count FROM worker'), 1);

    // No process holds what it was sending: its lease is over, and the gateway, which has none of it, is asked.
    await db.query(`WITH due AS (UPDATE queued_message SET due_at = clock_timestamp() WHERE attempt_id IS NOT NULL RETURNING *)
      INSERT INTO send_wake (workshop_id, channel, class, due_at) SELECT DISTINCT workshop_id, channel, class, clock_timestamp() FROM due`);
    worker = await startWorker(ctx, quick);
    await untilCount(db, acceptedCount, (count) => count === 160);
    assert.equal(ctx.sms.to(phone).length, 40);
    assert.equal(ctx.sms.to(workshop.phone).length, 40);
    await untilCount(db, 'SELECT count(*)::int AS count FROM queued_message', (count) => count === 0);
    await untilCount(db, 'SELECT count(*)::int AS count FROM worker', (count) => count === 1);
  });

  it('relays at a nudge and leaves neither messages nor itself behind when it is stopped', async () => {
    const world = await insertWorld(db);
    worker = await startWorker(ctx, quick);
    const before = await countOf(acceptedCount);
    await happen(db, world);
    worker.nudgeRelay();
    await untilCount(db, acceptedCount, (count) => count === before + 4);
    await worker.stop();
    worker = undefined;
    assert.equal(await countOf('SELECT count(*)::int AS count FROM worker'), 0);
    assert.equal(await countOf(inHandCount), 0);
  });

  it('goes on when the connections to PostgreSQL are cut', async (t) => {
    const cut = openDatabase({ url, poolSize: 2, applicationName: 'cut' });
    t.after(() => cut.close());
    const world = await insertWorld(db);
    const before = await countOf(acceptedCount);
    worker = await startWorker({ ...ctx, db: cut }, quick);
    await happen(db, world);
    await db.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut'");
    worker.nudgeRelay();
    await untilCount(db, acceptedCount, (count) => count === before + 4);
    await worker.stop();
    worker = undefined;
  });
});

async function countOf(sql: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql);
  return row?.count ?? 0;
}
