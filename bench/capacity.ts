/**
 * What a request costs an installation: CPU of the API process, of the worker and of PostgreSQL with all that follows from it, WAL and disk.
 * `docs/capacity.md` says what follows for larger machines.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { startCluster } from '#platform/db/embedded/cluster.ts';
import { cpuOf } from '../scripts/test/cpu.ts';
import { say } from './beside.ts';
import { createRequests, customerOrder } from './bookings.ts';
import { createBody } from './create-sql.ts';
import { analyse, fillBookings } from './fill.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import { startServer } from './system.ts';
import { untilSent } from './until-sent.ts';
import { makeWorkshop } from './world.ts';

interface Kind {
  readonly name: string;
  readonly requests: readonly string[];
  readonly expectedStatus: number;
  readonly perSecond: number;
}

/** What processes and database have used so far. */
interface State {
  /** Of the API, the worker and PostgreSQL. */
  readonly cpuMs: readonly number[];
  readonly walBytes: number;
  readonly diskBytes: number;
}

const settleAtMostMs = 60_000;
const foundWithinMs = 300_000;
const connections = 32;
const filled = 100_000;

/** A table with a line for each kind of request, as Markdown. */
export async function capacityTable({ seconds }: { seconds: number }): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-capacity-'));
  // PostgreSQL does not run as root: whom it runs as may enter.
  chmodSync(dataDir, 0o755);
  const cluster = await startCluster({ dir: join(dataDir, 'postgres'), settings: {} });
  const url = cluster.superuserUrl;
  const env = { DATABASE_URL: url, PITLANE_DATA_DIR: join(dataDir, 'data'), PITLANE_DEMO: 'off' };
  const api = await startServer({ ...env, PITLANE_ROLE: 'api' });
  const worker = await startServer({ ...env, PITLANE_ROLE: 'worker' });
  const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
  const pids = [api.pid, worker.pid, cluster.pid];
  try {
    const { credentials, workshopId, partnerId } = await makeWorkshop(db, systemClock());
    const caller = await signIn(api.port, credentials);
    await fillBookings(db, { partnerId, workshopId, bookings: filled });
    const found = await db.query<{ id: string }>('SELECT id FROM booking ORDER BY id LIMIT 5000');
    const told = createRequests(caller, workshopId);
    const untold = customerOrder.map((n) =>
      rawRequest(caller, 'POST', '/bookings', { ...createBody(workshopId, n), skipNotification: true }),
    );
    const texts = customerOrder.map((n) =>
      rawRequest(caller, 'POST', `/workshops/${workshopId}/messages`, {
        phone: `+614${10_000_000 + n}`,
        channels: { sms: { message: 'Your car is ready to collect.' } },
      }),
    );
    const reads = found.map(({ id }) => rawRequest(caller, 'GET', `/bookings/${id}`));
    const free = [rawRequest(caller, 'GET', `/workshops/${workshopId}/availabilities`)];
    const kinds: Kind[] = [
      { name: 'Booking without notices', requests: untold, expectedStatus: 201, perSecond: 100 },
      { name: 'Booking without notices', requests: untold, expectedStatus: 201, perSecond: 1_000 },
      { name: 'Booking with its four notices', requests: told, expectedStatus: 201, perSecond: 25 },
      { name: 'Booking with its four notices', requests: told, expectedStatus: 201, perSecond: 150 },
      { name: 'SMS of a partner', requests: texts, expectedStatus: 200, perSecond: 100 },
      { name: 'Read of a booking', requests: reads, expectedStatus: 200, perSecond: 1_000 },
      { name: 'Availabilities of a week', requests: free, expectedStatus: 200, perSecond: 100 },
    ];
    await untilFound(db);
    await analyse(db);
    const idle = await idleMs(db, pids, seconds);
    const lines: string[] = [];
    for (const kind of kinds) lines.push(await lineOf(db, pids, idle, api.port, kind, seconds));
    return `| Request | A second | ms CPU of the API | of the worker | of PostgreSQL | KB of WAL | KB on disk |
|---|---|---|---|---|---|---|
${lines.join('\n')}
| Nothing, a second of it | | ${idle.map((ms) => ms.toFixed(1)).join(' | ')} | | |
`;
  } finally {
    await db.close();
    await worker.stop();
    await api.stop();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Find's terms of the customers are made in the background, which would count as the cost of an idle installation. */
async function untilFound(db: Database): Promise<void> {
  say('Filling Find …');
  await db.query('UPDATE search_sweep SET after = NULL, is_filled = false');
  for (let waitedMs = 0; waitedMs < foundWithinMs; waitedMs += 500) {
    const [sweep] = await db.query<{ isFilled: boolean }>('SELECT is_filled FROM search_sweep');
    if (sweep?.isFilled) return;
    await sleep(500);
  }
  throw new Error('Find was not filled in time');
}

/** CPU a second of processes that nobody asks for anything. */
async function idleMs(db: Database, pids: readonly number[], seconds: number): Promise<number[]> {
  say('Nothing …');
  await sleep(5_000);
  const before = await stateOf(db, pids);
  await sleep(seconds * 1_000);
  const after = await stateOf(db, pids);
  return after.cpuMs.map((ms, at) => (ms - (before.cpuMs[at] ?? 0)) / seconds);
}

async function lineOf(
  db: Database,
  pids: readonly number[],
  idle: readonly number[],
  port: number,
  { name, requests, expectedStatus, perSecond }: Kind,
  seconds: number,
): Promise<string> {
  say(`${name}, ${perSecond} a second …`);
  const load = { port, connections, requests, expectedStatus, perSecond };
  await httpLoad({ ...load, seconds: 3 });
  await untilSent(db, settleAtMostMs);
  // Each page that is written after it goes into the WAL whole, as in the minutes after any checkpoint.
  await db.query('CHECKPOINT');
  const before = await stateOf(db, pids);
  const startedAt = performance.now();
  const { perSecond: reached } = await httpLoad({ ...load, seconds });
  await untilSent(db, settleAtMostMs);
  const after = await stateOf(db, pids);
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const count = reached * seconds;
  const cpu = after.cpuMs.map((ms, at) => {
    const itsMs = ms - (before.cpuMs[at] ?? 0) - (idle[at] ?? 0) * tookSeconds;
    return (Math.max(0, itsMs) / count).toFixed(2);
  });
  const kilobytes = (name: 'walBytes' | 'diskBytes') =>
    ((after[name] - before[name]) / count / 1_000).toFixed(1);
  return `| ${name} | ${Math.round(reached)} | ${cpu.join(' | ')} | ${kilobytes('walBytes')} | ${kilobytes('diskBytes')} |`;
}

async function stateOf(db: Database, pids: readonly number[]): Promise<State> {
  const [row] = await db.query<{ wal: number; disk: number }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal, pg_database_size(current_database())::float8 AS disk`,
  );
  return {
    cpuMs: pids.map((pid) => cpuOf(pid) ?? 0),
    walBytes: row?.wal ?? 0,
    diskBytes: row?.disk ?? 0,
  };
}
