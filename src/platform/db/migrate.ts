/** Brings a database to the state that this code needs: the numbered migrations. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pRetry from 'p-retry';
import type { PoolClient } from 'pg';
import type { BulkWriter } from './bulk.ts';
import { type Database, type Queryable, takeDirectConnection } from './database.ts';

/** The database can't be brought to the state that this code needs; the message says what to do. */
export class MigrationError extends Error {}

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
/**
 * How often one is tried again that met a deadlock or got no lock, and the first pause, in milliseconds; each further one is twice as
 * long. A try that failed has changed nothing; in the pauses the statements that queued behind it go on.
 */
const again = { retries: 4, minTimeout: 1_000 } as const;
/** SQLSTATEs of a try that may succeed the next time, as words. */
const transient: ReadonlyMap<unknown, string> = new Map([
  ['40P01', 'met a deadlock with a statement of a running process'],
  ['55P03', 'got no lock on a table, which a running process holds'],
]);
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

export interface Patience {
  /** Gets a line for each try that failed and is followed by another. */
  readonly notice?: (line: string) => void;
  /** How often one is tried again, 4 times unless given, and the first pause in milliseconds. */
  readonly retries?: number;
  readonly minTimeout?: number;
}

/**
 * Applies what is missing and returns the names of what it applied. Safe to call from many
 * processes at once: one works, the others wait for it. `upTo` is the last migration to apply; all of them unless given.
 * One that met a deadlock or got no lock is tried again. Throws MigrationError.
 */
export async function migrate(
  db: Database,
  folder?: URL,
  upTo?: string,
  patience: Patience = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await takeDirectConnection(db);
  try {
    await requireServer(client);
    // Waiting for another process, or running a long migration, must not end by the statement time-out.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    return await applyMissing(client, migrations, upTo, patience);
  } finally {
    // The lock and the changed setting end with the connection.
    client.release(true);
  }
}

export interface Attempt {
  /** Names of what was applied: all that was missing, or nothing. */
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
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    await tx.script('ROLLBACK TO SAVEPOINT before_migrations');
    return { applied: [], failure: error };
  }
  return { applied: [...missing], failure: null };
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
  for (const migration of missing) await applyPatiently(client, migration, patience);
  return missing.map((migration) => migration.name);
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

/** Again after a pause where the next try may succeed; what has failed so has changed nothing. */
async function applyPatiently(
  client: PoolClient,
  migration: Migration,
  { notice = () => undefined, ...patience }: Patience,
): Promise<void> {
  await pRetry(() => apply(client, migration), {
    ...again,
    ...patience,
    shouldRetry: ({ error, retryDelay }) => {
      const { code } = Object(error instanceof MigrationError ? error.cause : error) as { code?: unknown };
      const what = transient.get(code);
      if (what === undefined) return false;
      notice(
        `migrations/${migration.name} ${what}. Nothing was changed; it is tried again in ${retryDelay / 1_000} s`,
      );
      return true;
    },
  });
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await run((text, values) => client.query(text, values), migration);
    await client.query('COMMIT');
  } catch (error) {
    // Without a connection there is nothing left to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Within a transaction. Throws MigrationError. */
async function run(
  query: (text: string, values?: string[]) => Promise<unknown>,
  { name, sql, checksum }: Migration,
): Promise<void> {
  try {
    await query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
    await query(sql);
    await query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
  } catch (error) {
    throw new MigrationError(`migrations/${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
