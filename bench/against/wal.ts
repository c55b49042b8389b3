/** WAL by table, from what `pg_waldump` prints. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '#platform/db/database.ts';
import type { BenchServer } from './server.ts';

/** From one place of the WAL to another, as PostgreSQL writes them. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** A table with its indexes and long values. */
export interface TableWal {
  readonly records: number;
  readonly bytes: number;
}

/** Where the WAL ends now. */
export async function walEnd(db: Database): Promise<string> {
  const [row] = await db.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
  return row?.lsn ?? '';
}

async function fileOf(db: Database, lsn: string): Promise<string> {
  const [row] = await db.query<{ file: string }>('SELECT pg_walfile_name($1::pg_lsn) AS file', [lsn]);
  return row?.file ?? '';
}

/** What was written in the span for the tables of this database. It must be on disk: after a CHECKPOINT it is. */
export async function walByTable(
  db: Database,
  { waldump, dataDir }: Pick<BenchServer, 'waldump' | 'dataDir'>,
  { from, to }: Span,
): Promise<ReadonlyMap<string, TableWal>> {
  if (from === to) return new Map();
  // With the file to begin at: it takes the size of files from the first that it meets, which may be one that is not written yet.
  const args = ['-p', join(dataDir, 'pg_wal'), '-s', from, '-e', to, await fileOf(db, from)];
  const { stdout } = await promisify(execFile)(waldump, args, { maxBuffer: 2 ** 28 });
  const tables = await db.query<{ file: string; name: string }>(
    `SELECT d.oid || '/' || pg_relation_filenode(c.oid) AS file, coalesce(t.relname, i.relname, c.relname)::text AS name
       FROM pg_class c JOIN pg_database d ON d.datname = current_database()
       LEFT JOIN pg_index x ON x.indexrelid = c.oid LEFT JOIN pg_class i ON i.oid = x.indrelid
       LEFT JOIN pg_class t ON t.reltoastrelid = coalesce(i.oid, c.oid)
      WHERE pg_relation_filenode(c.oid) IS NOT NULL`,
  );
  return sumByTable(stdout, new Map(tables.map(({ file, name }) => [file, name])));
}

/** `tables`: the name of each by `database/file`. Records of other databases, and those of no table, are left out. */
export function sumByTable(dump: string, tables: ReadonlyMap<string, string>): ReadonlyMap<string, TableWal> {
  const sums = new Map<string, TableWal>();
  for (const line of dump.split('\n')) {
    const [, bytes] = /len \(rec\/tot\): *\d+\/ *(\d+)/.exec(line) ?? [];
    const [, file = ''] = /\brel \d+\/(\d+\/\d+)/.exec(line) ?? [];
    const name = tables.get(file);
    if (bytes === undefined || name === undefined) continue;
    const before = sums.get(name) ?? { records: 0, bytes: 0 };
    sums.set(name, { records: before.records + 1, bytes: before.bytes + Number(bytes) });
  }
  return sums;
}
