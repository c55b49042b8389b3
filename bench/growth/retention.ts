/** Bookings at a steady rate while retention deletes what an hour of such writes has left: does deleting in batches keep up? */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { say } from '../beside.ts';
import { httpLoad } from '../http.ts';
import { startServer } from '../system.ts';
import type { GrowthCluster } from './cluster.ts';
import { loadExpired, loadUpTo } from './load.ts';
import { creates } from './operations.ts';
import { environment, migrate, startSide } from './side.ts';
import { short } from './table.ts';

export interface RetentionBench {
  readonly bookings: number;
  readonly minutes: number;
  readonly perSecond: number;
}

const connections = 32;
/** What is expired is of that many times the bookings of the run, so of an hour for 20 minutes. */
export const timesTheRun = 3;
const minutesOfPart = 10;

/** Each table that retention deletes from, and whether it has something to delete. */
const kept = {
  // Older texts of conversations stay, so the rows themselves do not tell.
  message: `SELECT WHERE NOT EXISTS (SELECT FROM retention WHERE name = 'notices'
              AND purged_to >= (SELECT first_id(growth.loaded_at() - interval '90 days 2 seconds')))`,
  message_attempt: 'SELECT FROM message_attempt WHERE false',
  event: `SELECT FROM event WHERE relayed_at < (SELECT clock_timestamp() - interval '30 days')`,
  webhook_delivery: `SELECT FROM webhook_delivery WHERE id < (SELECT first_id(clock_timestamp() - interval '30 days'))`,
  partner_event: `SELECT FROM partner_event WHERE id < (SELECT first_id(clock_timestamp() - interval '30 days'))`,
} as const;
type Table = keyof typeof kept;
const tables = Object.keys(kept) as Table[];

interface State {
  readonly name: Table;
  readonly live: number;
  readonly dead: number;
  readonly inserted: number;
  readonly deleted: number;
  readonly autovacuums: number;
  readonly tableMib: number;
  readonly indexMib: number;
}

function states(db: Database): Promise<State[]> {
  return db.query<State>(
    `SELECT relname AS name, n_live_tup::float8 AS live, n_dead_tup::float8 AS dead, n_tup_ins::float8 AS inserted, n_tup_del::float8 AS deleted,
            autovacuum_count::float8 AS autovacuums, pg_relation_size(relid)::float8 / 1048576 AS table_mib, pg_indexes_size(relid)::float8 / 1048576 AS index_mib
       FROM pg_stat_user_tables WHERE relname = ANY ($1::text[]) ORDER BY array_position($1, relname::text)`,
    [tables],
  );
}

export async function retentionReport(
  cluster: GrowthCluster,
  { bookings, minutes, perSecond }: RetentionBench,
): Promise<string> {
  const place = { url: await cluster.url('large'), folder: cluster.folder, name: 'large' };
  await migrate(place);
  await loadUpTo(place.url, systemClock(), bookings);
  const expired = await loadExpired(place.url, perSecond * minutes * 60 * timesTheRun);
  const side = await startSide(place);
  const { db } = side;
  const requests = await creates(side, perSecond * minutes * 60);
  const load = { port: side.port, connections, requests, expectedStatus: 201 };
  const warm = await httpLoad({ ...load, perSecond, seconds: 5 });
  // Its schedule has begun after ten seconds, retention too.
  const worker = await startServer({ ...environment(place), PITLANE_ROLE: 'worker' });
  const deleted = untilDeleted(db);
  const parts: string[] = [];
  try {
    const startedMs = performance.now();
    const partSeconds = Math.min(minutesOfPart, minutes / 2) * 60;
    let before = await states(db);
    for (let at = 0; at < minutes * 60; at += partSeconds) {
      say(`From ${Math.round(at / 60)} min on …`);
      const rate = await httpLoad({ ...load, perSecond, seconds: partSeconds });
      const after = await states(db);
      const name = `${(at / 60).toFixed(0)} to ${((at + partSeconds) / 60).toFixed(0)}`;
      const waits = await waiting(db);
      parts.push(
        `| ${name} | ${rate.perSecond.toFixed(0)} | ${rate.p50.toFixed(1)} / ${rate.p95.toFixed(1)} / ${rate.p99.toFixed(1)} | ${waits.events} / ${waits.messages} | | | | | | |`,
        ...after.map((state, index) => tableLine(state, before[index], partSeconds)),
      );
      before = after;
    }
    const ranSeconds = (performance.now() - startedMs) / 1_000;
    const lines = tables
      .filter((table) => table !== 'message_attempt')
      .map((table) => `- ${table}: ${verdict(deleted.afterSeconds[table], ranSeconds)}`);
    return `# Retention under load

\`npm run bench:growth -- --retention\`: ${perSecond} bookings a second with all that follows from them (four notices, their attempts, an event, the
feed) for ${minutes} minutes into an installation of ${short(bookings)} bookings, while a worker deletes what is expired of ${expired.toLocaleString('en')} bookings: four
notices with their attempts, three events, feed entries and deliveries each. \`shared_buffers\` ${cluster.settings['shared_buffers']}; autovacuum as PostgreSQL and the tables have it. Before
the worker started: p99 ${warm.p99.toFixed(1)} ms.

| Minutes, table | Bookings /s, or rows | ms p50 / p95 / p99 | Events / messages that wait | Inserted /s | Deleted /s | Dead rows | Autovacuums | Table MiB | Indexes MiB |
|---|---|---|---|---|---|---|---|---|---|
${parts.join('\n')}

Nothing expired was left:

${lines.join('\n')}
`;
  } finally {
    deleted.stop();
    await worker.stop();
    await side.stop();
  }
}

const verdict = (after: number | undefined, ran: number) =>
  after === undefined ? `not within ${Math.round(ran)} s` : `after ${Math.round(after)} s`;

function tableLine(state: State, before: State | undefined, seconds: number): string {
  const aSecond = (of: 'inserted' | 'deleted') =>
    ((state[of] - (before?.[of] ?? 0)) / seconds).toLocaleString('en', { maximumFractionDigits: 0 });
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  return `| ${state.name} | ${whole(state.live)} | | | ${aSecond('inserted')} | ${aSecond('deleted')} | ${whole(state.dead)} | ${state.autovacuums} | ${whole(state.tableMib)} | ${whole(state.indexMib)} |`;
}

async function waiting(db: Database): Promise<{ events: number; messages: number }> {
  const [row] = await db.query<{ events: number; messages: number }>(
    `SELECT (SELECT count(*)::int FROM event WHERE relayed_at IS NULL) AS events, (SELECT count(*)::int FROM queued_message) AS messages`,
  );
  return row ?? { events: 0, messages: 0 };
}

/** Looks every two seconds. */
function untilDeleted(db: Database) {
  const startedMs = performance.now();
  const afterSeconds: Partial<Record<Table, number>> = {};
  let stopped = false;
  void (async () => {
    while (!stopped) {
      for (const table of tables) {
        if (afterSeconds[table] !== undefined || table === 'message_attempt') continue;
        const rows = await db.query(`${kept[table]} LIMIT 1`).catch(() => [true]);
        if (rows.length === 0) afterSeconds[table] = (performance.now() - startedMs) / 1_000;
      }
      await sleep(2_000);
    }
  })();
  return {
    afterSeconds,
    stop() {
      stopped = true;
    },
  };
}
