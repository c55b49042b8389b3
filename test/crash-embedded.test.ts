/** Real server processes on their embedded PostgreSQL: they are killed with it, or lose it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openDatabase } from '#platform/db/database.ts';
import { readOwner } from '#platform/db/embedded/owner.ts';
import { assertNothingLost, countOf, untilDelivered } from './crash/delivery.ts';
import { clientOf, createBookings } from './crash/load.ts';
import { isRunning, makeFolder, postmasterOf } from './fixtures/embedded.ts';
import { startServer } from './harness/server.ts';
import { until as untilTrue } from './harness/wait.ts';

/** Within this time another worker does a killed worker's jobs. */
const takeOverMs = 60_000;
/** Long enough that a kill finds SMS in flight. */
const slowGateway = { SANDBOX_SMS_LATENCY_MS: '200' };

function childrenOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid, ppid]) => (ppid === parent && pid ? [pid] : []));
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with its parent.
    }
  }
}

// The first waits half a minute for a dead worker to be noticed.
describe('a crash of everything loses nothing', { concurrency: 2 }, () => {
  test('always: kill -9 of the server and its embedded PostgreSQL: the next start recovers, and does the work', async (t) => {
    const dataDir = join(makeFolder(t), 'data');
    const env = { PITLANE_DATA_DIR: dataDir, ...slowGateway };
    const first = await startServer(t, env);
    const postmaster = postmasterOf(dataDir);
    const load = createBookings(t, await clientOf(first.url, first), 3);
    await load.reach(40);
    killAll([first.pid, postmaster, ...childrenOf(postmaster)]);
    await first.ended;
    await load.stop();
    await untilTrue('PostgreSQL is gone', () => !isRunning(postmaster));

    const second = await startServer(t, env);
    const url = readOwner(dataDir)?.url ?? '';
    const db = openDatabase({ url, poolSize: 3, applicationName: 'crash test' });
    t.after(() => db.close());
    const bookings = await countOf(db, 'SELECT count(*) FROM booking WHERE id = ANY ($1::uuid[])', [
      load.created,
    ]);
    assert.equal(bookings, load.created.length);
    await untilDelivered(db, takeOverMs);
    await assertNothingLost(db, load.created);
    const another = postmasterOf(dataDir);
    assert.equal(await second.end('SIGINT'), 0, second.log());
    assert.equal(isRunning(another), false);
  });

  test('an embedded PostgreSQL that dies takes the server with it, which says so at its end', async (t) => {
    const dataDir = join(makeFolder(t), 'data');
    const server = await startServer(t, { PITLANE_DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    const startedAt = performance.now();
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    assert.equal(await server.ended, 1);
    assert.ok(performance.now() - startedAt < 15_000, 'it took longer than 15 s');
    assert.match(server.log(), /"message":"the embedded PostgreSQL has ended \(its log: [^\n]+\)"}}\n$/);
  });
});
