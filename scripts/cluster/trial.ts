/** Tries a cluster under load: each process restarted, the leading PostgreSQL killed repeatedly; then everything is counted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { untilSent } from '../../bench/until-sent.ts';
import type { Carrier } from './carrier.ts';
import type { Cluster } from './cluster.ts';
import { type Load, startLoad } from './load.ts';
import { isReplicaRead, type ReportsRead, readsOfReplica, startReports } from './reports.ts';
import { roleOf, setProxied } from './servers.ts';

export interface Trial {
  readonly perSecond: number;
  readonly failovers: number;
}

/** Writes must be back by then. */
const backWithinMs = 15_000;
const reportsOldAtMostMs = 10_000;
/** What was being handed over when its outcome could not be recorded is given up after a minute without a delivery report. */
const settledWithinMs = 150_000;

/** Resolves to the faults, each a line; none when everything held. */
export async function runTrial(
  cluster: Cluster,
  carrier: Carrier,
  { perSecond, failovers }: Trial,
  say: (line: string) => void,
): Promise<string[]> {
  const faults: string[] = [];
  await cluster.untilSafe();
  const load = await startLoad(cluster, perSecond);
  try {
    await pause(2_000);
    await restartAll(cluster, load, faults, say);
    const reports = startReports(cluster, load);
    try {
      for (let n = 1; n <= failovers; n++) {
        await failOver(cluster, load, n, faults, say);
        // What came back is a replica that is read from, until the next one is killed.
        if (!(await isReplicaRead(cluster))) faults.push(`failover ${n}: no report comes from the replica`);
      }
    } finally {
      judgeReports(await reports.stop(), await readsOfReplica(cluster), faults, say);
    }
  } finally {
    await load.stop();
  }
  say(`${load.acknowledged.length} bookings acknowledged; waiting until what they send is settled …`);
  await untilSent(cluster.db, settledWithinMs);
  await count(cluster, carrier, load, faults, say);
  return faults;
}

/** A report is never older than docs/operations/cluster.md promises, whichever server it is read from. */
function judgeReports(
  { read, failed, oldestMs }: ReportsRead,
  onReplica: number,
  faults: string[],
  say: (line: string) => void,
): void {
  if (oldestMs > reportsOldAtMostMs) faults.push(`a report was ${seconds(oldestMs)} old`);
  if (onReplica === 0) faults.push('no report was read from the replica');
  say(
    `reports: ${read} read, ${onReplica} of them from the replica, at most ${seconds(oldestMs)} old; ${failed} failed`,
  );
}

/** Each process in turn, as to a new version. No request may fail. */
async function restartAll(
  { places, processes }: Cluster,
  load: Load,
  faults: string[],
  say: (line: string) => void,
): Promise<void> {
  const before = load.acknowledged.length;
  for (const one of processes) {
    const isApi = one.name.startsWith('api');
    if (isApi) await setProxied(places, one.name, 'drain');
    // What HAProxy has just sent arrives.
    await pause(500);
    await one.stop();
    await one.start();
    if (isApi) await setProxied(places, one.name, 'ready');
  }
  await pause(1_000);
  const failed = [...load.failures].map(([what, times]) => `${times} × ${what}`);
  if (failed.length > 0) faults.push(`while processes were restarted requests failed: ${failed.join(', ')}`);
  say(
    `restarted: ${processes.map(({ name }) => name).join(', ')}; ${load.acknowledged.length - before} bookings meanwhile, ` +
      `failed requests: ${failed.join(', ') || 'none'}`,
  );
}

/** The leader is killed: its whole node, and every second time PostgreSQL alone. Then it comes back, and has to follow. */
async function failOver(
  { databases, untilSafe }: Cluster,
  load: Load,
  n: number,
  faults: string[],
  say: (line: string) => void,
): Promise<void> {
  const { leader, follower } = await untilSafe();
  const { patroni } = databases.find(({ node }) => node === leader) ?? {};
  if (patroni === undefined) throw new Error(`there is no ${leader.name}`);
  const wholeNode = n % 2 === 1;
  const killedAtMs = performance.now();
  const stopped = wholeNode ? patroni.stop('SIGKILL') : undefined;
  killPostgres(leader.data);
  await stopped;
  const deadline = AbortSignal.timeout(60_000);
  while ((await roleOf(follower)) !== 'leads' && !deadline.aborted) await pause(100);
  const promotedMs = performance.now() - killedAtMs;
  if (wholeNode) await patroni.start();
  const { leader: next } = await untilSafe();
  const awayMs = load.longestGapSince(killedAtMs);
  if (next !== follower) faults.push(`failover ${n}: ${next.name} leads again, instead of ${follower.name}`);
  if (awayMs > backWithinMs) faults.push(`failover ${n}: writes were away for ${seconds(awayMs)}`);
  say(
    `failover ${n}: ${wholeNode ? 'node' : 'PostgreSQL of'} ${leader.name} killed, ${follower.name} leads after ${seconds(promotedMs)}, ` +
      `writes away for ${seconds(awayMs)}, both safe again after ${seconds(performance.now() - killedAtMs)}`,
  );
}

function killPostgres(data: string): void {
  const [pid] = readFileSync(join(data, 'data', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

async function count(
  { db, processes }: Cluster,
  carrier: Carrier,
  load: Load,
  faults: string[],
  say: (line: string) => void,
): Promise<void> {
  const { acknowledged, lost } = load;
  const { rows: bookings } = await db.pool.query<{ id: string; key: string }>(
    `SELECT booking.id, customer.name AS key FROM booking JOIN customer ON customer.id = booking.customer_id`,
  );
  const stored = new Set(bookings.map(({ id }) => id));
  const missing = acknowledged.filter(({ id }) => !stored.has(id));
  const twice = bookings.length - new Set(bookings.map(({ key }) => key)).size;
  const sentTwice = [...carrier.texts.values()].filter((times) => times > 1).length;
  const { rows: states } = await db.pool.query<{ state: string; times: number }>(
    `SELECT state, count(*)::int AS times FROM message WHERE channel = 'sms' GROUP BY state ORDER BY state`,
  );
  const { rows: waiting } = await db.pool.query('SELECT FROM queued_message LIMIT 1000');
  const { rows: unmade } = await db.pool.query<{ id: string }>(
    `SELECT id FROM booking WHERE NOT EXISTS (SELECT FROM message WHERE booking_id = booking.id)`,
  );
  const crashed = processes.filter(({ crashes }) => crashes() > 0).map(({ name }) => name);
  const failed = [...load.failures].map(([what, times]) => `${times} × ${what}`).join(', ');
  say(`first attempts that failed, and were repeated: ${failed || 'none'}`);
  say(`bookings: ${bookings.length}; texts that the carrier got: ${carrier.texts.size}`);
  say(`SMS by state: ${states.map(({ state, times }) => `${state} ${times}`).join(', ')}`);
  const found: [boolean, string][] = [
    [missing.length > 0, `${missing.length} acknowledged bookings are lost`],
    [twice > 0, `${twice} bookings were made twice`],
    [sentTwice > 0, `${sentTwice} texts were sent twice`],
    [lost.length > 0, `${lost.length} requests got no answer in a minute`],
    [waiting.length > 0, `${waiting.length} messages still wait`],
    [unmade.length > 0, `${unmade.length} bookings notified nobody`],
    [carrier.texts.size === 0, 'the carrier got no text'],
    [crashed.length > 0, `ended by themselves: ${crashed.join(', ')}`],
  ];
  faults.push(...found.filter(([isFault]) => isFault).map(([, fault]) => fault));
}
