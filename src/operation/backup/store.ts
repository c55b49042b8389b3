/**
 * SQL of backups: the list of tables, and their restore in one transaction. Names come from the catalogue of the database itself.
 */
import type { BulkWriter } from '#platform/db/bulk.ts';
import type { Queryable } from '#platform/db/database.ts';

/**
 * Tables of this server or of the moment, which start empty after a restore: heartbeats, the marks and starts of feeds, the probe,
 * e-mails with codes to sign in with, and the list of migrations, which the manifest has. So do unlogged tables.
 */
const leftOut = ['account_email', 'feed_mark', 'feed_start', 'migration', 'worker', 'write_probe'];
/** Tables in which migrations or a first start write rows: an empty installation has them. */
const seeded = ['business_clock', 'feed_epoch', 'retention', 'search_sweep', 'secret_key'];

export interface Table {
  readonly name: string;
  /** Without `changed_in` and its like: transaction numbers are the server's own. */
  readonly columns: readonly string[];
}

/** The tables of a backup, by name. */
export async function readTables(tx: Queryable): Promise<Table[]> {
  return tx.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid <> 'xid8'::regtype
      WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r' AND c.relpersistence = 'p'
        AND c.relname <> ALL ($1::text[])
      GROUP BY c.relname ORDER BY c.relname`,
    [leftOut],
  );
}

export async function readAppliedMigrations(tx: Queryable): Promise<{ name: string; checksum: string }[]> {
  const [table] = await tx.query<{ found: boolean }>(`SELECT to_regclass('migration') IS NOT NULL AS found`);
  if (!table?.found) return [];
  return tx.query('SELECT name, checksum FROM migration ORDER BY name');
}

export interface Moment {
  readonly server: string;
  readonly at: Date;
}

/** The version of the server, and its time. */
export async function readMoment(tx: Queryable): Promise<Moment> {
  const [row] = await tx.query<Moment>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS server, clock_timestamp() AS at`,
  );
  if (row === undefined) throw new Error('no row');
  return row;
}

/**
 * How many jobs are left in the queue of releases before 0012_sending, which backups do not include; the migration that drops the
 * queue refuses to run while there are some.
 */
export async function countOldJobs(tx: Queryable): Promise<number> {
  const [table] = await tx.query<{ found: boolean }>(
    `SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS found`,
  );
  if (!table?.found) return 0;
  const [jobs] = await tx.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM graphile_worker._private_jobs',
  );
  return jobs?.count ?? 0;
}

/** Locks tables against schema changes, such as those of a migration. */
export async function lockTables(
  tx: Queryable,
  tables: readonly Table[],
  mode: 'ACCESS SHARE' | 'ACCESS EXCLUSIVE',
): Promise<void> {
  await tx.query(`LOCK TABLE ${listOf(tables)} IN ${mode} MODE`);
}

export const copyOutText = ({ name, columns }: Table) =>
  `COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`;
export const copyInText = ({ name, columns }: Table) =>
  `COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`;

/** A table with rows that an empty installation does not have; null when there is none. */
export async function findFilled(tx: Queryable, tables: readonly Table[]): Promise<string | null> {
  const texts = tables
    .filter(({ name }) => !seeded.includes(name))
    .map(({ name }) => `SELECT ${literal(name)} AS name WHERE EXISTS (SELECT FROM ${quoted(name)})`);
  const [row] = await tx.query<{ name: string }>(`${texts.join(' UNION ALL ')} LIMIT 1`);
  return row?.name ?? null;
}

/**
 * Empties the tables, and has `load` fill them without foreign keys and triggers: they check single changes, and the rows passed
 * them when they were first committed. Afterwards both are active again, and each foreign key is checked over all rows. A role
 * that owns the tables may do this; turning off the triggers of the keys themselves would take a superuser.
 */
export async function loadUnchecked<T>(
  tx: BulkWriter,
  tables: readonly Table[],
  load: () => Promise<T>,
): Promise<T> {
  const keys = await tx.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
       FROM pg_constraint WHERE contype = 'f' AND connamespace = to_regnamespace(current_schema())
       ORDER BY conrelid::regclass::text, conname`,
  );
  for (const { drop } of keys) await tx.query(drop);
  for (const { name } of tables) await tx.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  await tx.query(`TRUNCATE ${listOf(tables)}`);
  const loaded = await load();
  for (const { name } of tables) await tx.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
  for (const { add } of keys) await tx.query(add);
  return loaded;
}

/** Without it the planner would assume empty tables. A large database takes longer than a statement of the pool may. */
export async function analyse(tx: BulkWriter, tables: readonly Table[]): Promise<void> {
  await tx.query(`ANALYZE ${listOf(tables)}`);
}

const listOf = (tables: readonly Table[]) => tables.map(({ name }) => quoted(name)).join(', ');
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
