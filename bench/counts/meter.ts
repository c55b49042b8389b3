/** Counts what a piece of work costs one database: by `pg_stat_statements`, and by a proxy that counts round trips. */
import { type Database, openDatabase } from '#platform/db/database.ts';
import type { Counts, Measured, StatementCost } from './counts.ts';
import type { CountingProxy } from './round-trips.ts';

/** Settings of a PostgreSQL whose statements are to be counted, those in triggers and functions too. */
export const meteredSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.max': '20000',
  // A page that is written first after a checkpoint would be copied whole, and count for the checkpoint.
  full_page_writes: 'off',
  autovacuum: 'off',
} as const;

export interface Meter {
  /** Does the work, which comes back when its last statement has, and counts meanwhile. */
  measure(work: () => Promise<unknown>): Promise<Measured>;
  /** The superuser's, whose statements are not counted. */
  readonly db: Database;
  close(): Promise<void>;
}

interface Line extends StatementCost {
  readonly id: string;
}

export interface MeterOptions {
  /** Of the database, on a server with `meteredSettings`. */
  readonly superuserUrl: string;
  /** Whose statements are counted: nobody else may work as this role meanwhile. */
  readonly role: string;
  /** Through which the role works. */
  readonly proxy: CountingProxy;
}

export async function openMeter({ superuserUrl, role, proxy }: MeterOptions): Promise<Meter> {
  const db = openDatabase({ url: superuserUrl, poolSize: 1, applicationName: 'meter' });
  await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const lines = () =>
    db.query<Line>(
      `SELECT queryid || ' ' || toplevel AS id, query AS text, NOT toplevel AS is_nested, calls::int, rows::int,
              wal_records::int, wal_bytes::int
         FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
        WHERE datname = current_database() AND userid = $1::text::regrole`,
      [role],
    );
  return {
    async measure(work) {
      const before = new Map((await lines()).map((line) => [line.id, line]));
      const tripsBefore = proxy.roundTrips();
      await work();
      const roundTrips = proxy.roundTrips() - tripsBefore;
      const statements = (await lines()).flatMap((line) => difference(line, before.get(line.id)));
      return { statements, counts: { ...totals(statements), roundTrips } };
    },
    db,
    close: () => db.close(),
  };
}

function difference({ id: _, ...line }: Line, before: Line | undefined): StatementCost[] {
  if (before === undefined) return [line];
  const calls = line.calls - before.calls;
  if (calls === 0) return [];
  const [rows, walRecords, walBytes] = (['rows', 'walRecords', 'walBytes'] as const).map(
    (name) => line[name] - before[name],
  ) as [number, number, number];
  return [{ ...line, calls, rows, walRecords, walBytes }];
}

/** A statement's WAL has that of the ones nested in it; its calls and rows are its own. */
function totals(statements: readonly StatementCost[]): Omit<Counts, 'roundTrips'> {
  const sum = (of: (cost: StatementCost) => number) => statements.reduce((total, one) => total + of(one), 0);
  const own = ({ isNested }: StatementCost, value: number) => (isNested ? 0 : value);
  return {
    statements: sum(({ calls }) => calls),
    rows: sum(({ rows }) => rows),
    walRecords: sum((one) => own(one, one.walRecords)),
    walBytes: sum((one) => own(one, one.walBytes)),
  };
}
