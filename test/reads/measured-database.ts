/** A database over one connection that can measure each statement: its plan, and every row that it read, those of foreign-key checks too. */
import type { PoolClient } from 'pg';
import { type Database, openDatabase, type Queryable } from '#platform/db/database.ts';
import { plansOf } from '#platform/db/plan-modes.ts';
import { setsOf } from '#platform/db/prepared.ts';
import { inCamelCase } from '#platform/db/result-columns.ts';
import { callOf, pagesIn } from '../fixtures/explain.ts';
import { atEnd } from '../harness/clean-up.ts';

/** What one statement did. */
export interface Measured {
  readonly text: string;
  /** Rows and index entries read, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Foreign-key checks and other triggers. */
  readonly triggers: readonly { readonly name: string; readonly ms: number }[];
  /** Pages that the plan touched, without those of triggers. */
  readonly pages: number;
  /** As EXPLAIN gives it. */
  readonly plan: object;
}

export interface MeasuredDatabase extends Database {
  /** From now on each statement is measured. */
  measure(): void;
  /** In the order in which they ran. */
  readonly measured: Measured[];
}

/** For a statement that runs once only, which is the usual case of a test, a plan would be made for its very values. */
const keptPlans = { plan_cache_mode: 'force_generic_plan' } as const;

const rowsRead = `
  SELECT relname AS "table", (pg_stat_get_xact_tuples_returned(c.oid) + coalesce((
           SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index WHERE indrelid = c.oid), 0))::int AS rows
    FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

/**
 * A connection forgets what it knows of all tables and indexes when those of other databases change faster than it follows. The
 * next statement reads it again, from some 15 pages an index, and these count as its own: one of over that many pages is measured twice.
 */
const pagesOfCaches = 60;

interface Explained {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
  readonly Triggers: readonly {
    readonly 'Trigger Name': string;
    readonly 'Constraint Name'?: string;
    readonly Time: number;
  }[];
}

/** Prepares every statement once, and keeps its plan, as a server's connections do. */
export async function measuredDatabase(url: string): Promise<MeasuredDatabase> {
  const one = openDatabase({ url, poolSize: 1, applicationName: 'measured' });
  const others = openDatabase({ url, poolSize: 10, applicationName: 'test' });
  const client = await one.pool.connect();
  const names = new Map<string, string>();
  const measured: Measured[] = [];
  let measuring = false;
  let last: Promise<unknown> = Promise.resolve();

  async function choosePlans(text: string): Promise<void> {
    await client.query(setsOf({ ...plansOf(text), ...keptPlans }));
  }

  async function run<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const name = names.get(text) ?? `measured_${names.size}`;
    names.set(text, name);
    await choosePlans(text);
    return inCamelCase(await client.query<Row>({ name, text, values: [...values] }));
  }

  async function explainOnce(text: string, execute: string): Promise<Measured> {
    await client.query('SAVEPOINT measured');
    const before = await counted(client);
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${execute}`,
    );
    const after = await counted(client);
    await client.query('ROLLBACK TO measured');
    const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
    if (explained === undefined) throw new Error(`no plan of: ${text}`);
    const { Plan: plan, Triggers: triggers } = explained;
    return {
      text,
      rows: Object.fromEntries([...after].map(([table, n]) => [table, n - (before.get(table) ?? 0)])),
      triggers: triggers.map((each) => ({
        name: each['Constraint Name'] ?? each['Trigger Name'],
        ms: each.Time,
      })),
      pages: pagesIn(plan),
      plan,
    };
  }

  /** In a transaction. The statement itself runs afterwards, as if it had not been measured. */
  async function explain(text: string, values: readonly unknown[]): Promise<void> {
    const name = names.get(text);
    if (!measuring || name === undefined || !/^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text)) return;
    // A plan that ANALYZE has made invalid is made again here.
    await choosePlans(text);
    const execute = callOf(name, values);
    const first = await explainOnce(text, execute);
    const second = first.pages > pagesOfCaches ? await explainOnce(text, execute) : first;
    measured.push(second.pages < first.pages ? second : first);
  }

  const inTransaction = async <T>(work: (tx: Queryable) => Promise<T>): Promise<T> => {
    await client.query('BEGIN');
    try {
      const result = await work({
        async query(text, values = []) {
          await explain(text, values);
          return run(text, values);
        },
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  };

  /** One after the other. */
  function transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const next = last.then(() => inTransaction(work));
    last = next.catch(() => undefined);
    return next;
  }

  const close = async () => {
    client.release(true);
    await Promise.all([one.close(), others.close()]);
  };
  atEnd(close);
  return {
    query: (text, values) => transaction((tx) => tx.query(text, values)),
    transaction,
    pool: others.pool,
    direct: others.pool,
    close: async () => undefined,
    measured,
    measure: () => {
      measuring = true;
    },
  };
}

async function counted(client: PoolClient): Promise<Map<string, number>> {
  const { rows } = await client.query<{ table: string; rows: number }>(rowsRead);
  return new Map(rows.map((row) => [row.table, row.rows]));
}
