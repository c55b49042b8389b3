/** Brings a database to the state that this code needs: the numbered migrations, then functions and triggers (docs/design/functions.md). */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { PoolClient } from 'pg';
import type { BulkWriter } from './bulk.ts';
import { type Database, type Queryable, takeDirectConnection } from './database.ts';
import { planFunctions, type Step } from './functions/apply.ts';
import type { FunctionFile } from './functions/source.ts';
import { MigrationError } from './migration-error.ts';
import { inOne, named, type Patience, patiently } from './migration-step.ts';
import { inCamelCase } from './result-columns.ts';

export interface Migration {
  /** The file's name, such as `0001_core.sql`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 in hex, of the text with LF line ends. */
  readonly checksum: string;
}

/** PostgreSQL 15: `NULLS NOT DISTINCT`, `MERGE` and a `public` schema that not everyone may write. */
const oldestServer = 150_000;
/** The key of the advisory lock: any number that is used for nothing else in the database. */
const lockKey = 7_266_191_011;
/**
 * How long a migration waits for a lock on a table before it gives up without a change: other statements on the table queue behind
 * it. A migration may set another time-out in its own text.
 */
const lockTimeout = '10s';
const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/;
const ownFolder = new URL('../../../migrations/', import.meta.url);

/** The migrations of a folder, in order. Throws MigrationError on a gap, a doubled number or a stray `.sql` file. */
export async function readMigrations(folder: URL = ownFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const wanted = String(index + 1).padStart(4, '0');
      if (fileName.exec(name)?.[1] !== wanted) {
        throw new MigrationError(
          `migrations/${name} is out of line: a file named ${wanted}_<what>.sql was expected here`,
        );
      }
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

export interface MigrateWith extends Patience {
  /** In place of those of src/. */
  readonly functions?: readonly FunctionFile[];
}

/**
 * Applies what is missing and returns the names of what it applied: migrations, then the files of functions that it made or replaced, but in
 * a new database, of which they are a part. Safe to call from many processes at once: one works, the others wait for it. `upTo` is the last migration to apply, and functions are left as they are;
 * all of them unless given. What met a deadlock or got no lock is tried again. Throws MigrationError.
 */
export async function migrate(
  db: Database,
  folder?: URL,
  upTo?: string,
  { functions, ...patience }: MigrateWith = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await takeDirectConnection(db);
  try {
    await requireServer(client);
    // Waiting for another process, or running a long migration, must not end by the statement time-out.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    const applied = await applyMissing(client, migrations, upTo, patience);
    const files = upTo === undefined ? await applyFunctions(client, functions, patience) : [];
    const isNew = migrations.length > 0 && applied.length === migrations.length;
    return isNew ? applied : [...applied, ...files];
  } finally {
    // The lock and the changed setting end with the connection.
    client.release(true);
  }
}

export interface Attempt {
  /** As `migrate` returns them: all that was missing, or nothing. */
  readonly applied: readonly string[];
  /** Why nothing was; null when it was. */
  readonly failure: MigrationError | null;
}

/** Applies what is missing as a part of this transaction, which goes on as it was when one fails. */
export async function migrateWithin(tx: BulkWriter, folder?: URL): Promise<Attempt> {
  await tx.script(`SELECT pg_advisory_xact_lock(${lockKey})`);
  const missing = new Set(await pendingMigrations(tx, folder));
  await tx.script('SAVEPOINT before_migrations');
  try {
    for (const migration of await readMigrations(folder))
      if (missing.has(migration.name)) await run((text, values) => tx.script(text, values), migration);
    const { steps, files } = await planFunctions(tx);
    for (const step of steps) await runStep((text) => tx.script(text), step);
    return { applied: [...missing, ...files], failure: null };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    await tx.script('ROLLBACK TO SAVEPOINT before_migrations');
    return { applied: [], failure: error };
  }
}

/** Names of the migrations of this code that the database lacks. A database newer than the code lacks none. */
export async function pendingMigrations(db: Queryable, folder?: URL): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const [table] = await db.query<{ found: boolean }>("SELECT to_regclass('migration') IS NOT NULL AS found");
  const rows = table?.found ? await db.query<{ name: string }>('SELECT name FROM migration') : [];
  const applied = new Set(rows.map((row) => row.name));
  return migrations.map((migration) => migration.name).filter((name) => !applied.has(name));
}

async function requireServer(client: PoolClient): Promise<void> {
  const result = await client.query<{ number: number; version: string; unwritable: boolean }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
            current_setting('transaction_read_only')::boolean AS unwritable`,
  );
  const server = result.rows[0];
  if (server === undefined || server.number < oldestServer) {
    throw new MigrationError(
      `Pitlane needs PostgreSQL 15 or newer; this server is PostgreSQL ${server?.version}`,
    );
  }
  if (server.unwritable) {
    throw new MigrationError(
      'this PostgreSQL takes no writes: it is a replica, or its default_transaction_read_only is on; Pitlane needs the primary',
    );
  }
}

async function applyMissing(
  client: PoolClient,
  migrations: readonly Migration[],
  upTo: string | undefined,
  patience: Patience,
): Promise<string[]> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS migration (
       name       text PRIMARY KEY,
       checksum   text NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
     )`,
  );
  const result = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migration ORDER BY name',
  );
  const recorded = new Map(result.rows.map((row) => [row.name, row.checksum]));
  requireSameHistory(migrations, recorded);

  const missing = migrations.filter(
    ({ name }) => !recorded.has(name) && (upTo === undefined || name <= upTo),
  );
  for (const migration of missing)
    await patiently(`migrations/${migration.name}`, patience, () =>
      inOne(client, () => run((text, values) => client.query(text, values), migration)),
    );
  return missing.map((migration) => migration.name);
}

async function applyFunctions(
  client: PoolClient,
  functions: readonly FunctionFile[] | undefined,
  patience: Patience,
): Promise<readonly string[]> {
  const queryable: Queryable = {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      inCamelCase(await client.query<Row>(text, [...values])),
  };
  const { steps, files } = await planFunctions(queryable, functions);
  for (const step of steps)
    await patiently(step[0]?.path ?? '', patience, () =>
      inOne(client, () => runStep((text) => client.query(text), step)),
    );
  return files;
}

function requireSameHistory(migrations: readonly Migration[], recorded: ReadonlyMap<string, string>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const [name, checksum] of recorded) {
    const mine = known.get(name);
    if (mine === undefined) {
      throw new MigrationError(
        `the database has migration ${name}, which this version of Pitlane does not know: run the newer version`,
      );
    }
    if (mine !== checksum) {
      throw new MigrationError(
        `migrations/${name} was changed after it was applied: restore it and put the change into a new migration`,
      );
    }
  }
}

/** Within a transaction. Throws MigrationError. */
async function run(
  query: (text: string, values?: string[]) => Promise<unknown>,
  { name, sql, checksum }: Migration,
): Promise<void> {
  await named(`migrations/${name}`, async () => {
    await query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
    await query(sql);
    await query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
  });
}

/** Within a transaction. Throws MigrationError. */
async function runStep(query: (text: string) => Promise<unknown>, step: Step): Promise<void> {
  await query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  for (const { path, sql } of step) await named(path, () => query(sql));
}
