/** What many messages leave behind in the tables of sending: HOT updates, dead rows and size, with autovacuum as it is set. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';
import { makeBacklog } from '../test/fixtures/backlog.ts';
import { say } from './beside.ts';
import { type DeliverLoop, deliverAll } from './flows.ts';

const tables = ['message', 'message_attempt', 'queued_message', 'send_queue', 'send_wake'];

export interface TableState {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  readonly updates: number;
  /** Of the updates, from 0 to 1; null without any. */
  readonly hotShare: number | null;
  readonly autovacuums: number;
  readonly tableMib: number;
  readonly indexMib: number;
  /** The table after VACUUM FULL: its rows alone, at its fill factor. */
  readonly packedMib: number;
}

/** Sends that many SMS, `step` at a time, through the statements of a delivery. */
export async function bloatOf(loop: DeliverLoop, messages: number): Promise<TableState[]> {
  const { db } = loop;
  say(`Dead rows after ${messages} messages …`);
  const step = 20_000;
  for (let rest = messages; rest > 0; rest -= step) {
    await makeBacklog(db, { workshops: 20, messages: Math.ceil(Math.min(rest, step) / 20) });
    await deliverAll(loop);
  }
  // A connection that is idle reports what it has counted within ten seconds.
  await sleep(11_000);
  const before = await states(db);
  for (const name of tables) await db.query(`VACUUM FULL ${name}`);
  const after = await states(db);
  return before.map((state, index) => ({ ...state, packedMib: after[index]?.tableMib ?? 0 }));
}

function states(db: Database): Promise<Omit<TableState, 'packedMib'>[]> {
  return db.query<Omit<TableState, 'packedMib'>>(
    `SELECT relname AS name, n_live_tup::float8 AS live, n_dead_tup::float8 AS dead, n_tup_upd::float8 AS updates,
            (n_tup_hot_upd::float8 / nullif(n_tup_upd, 0)) AS hot_share, autovacuum_count::float8 AS autovacuums,
            pg_relation_size(relid)::float8 / 1048576 AS table_mib, pg_indexes_size(relid)::float8 / 1048576 AS index_mib
       FROM pg_stat_user_tables WHERE relname = ANY($1::text[]) ORDER BY array_position($1, relname::text)`,
    [tables],
  );
}

/** The section of the report. */
export function bloatTable(messages: number, found: readonly TableState[]): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const lines = found.map(
    ({ name, live, dead, updates, hotShare, autovacuums, tableMib, indexMib, packedMib }) =>
      `| ${name} | ${whole(live)} | ${whole(dead)} | ${whole(updates)} | ${hotShare === null ? '' : `${(hotShare * 100).toFixed(1)} %`} | ${autovacuums} | ${tableMib.toFixed(1)} | ${packedMib.toFixed(1)} | ${indexMib.toFixed(1)} |`,
  );
  return `
After ${whole(messages)} SMS through claim and finish, with autovacuum on:

| Table | Rows | Dead rows | Updates | HOT | Autovacuums | Table MiB | packed MiB | Indexes MiB |
|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
