/**
 * A backup before the embedded database is migrated: migrations go forward only, and at a small installation nobody would think of
 * it.
 */
import { join } from 'node:path';
import { processSettings } from '#base/config/process.ts';
import type { Config } from '#base/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import { version } from '#base/version.ts';
import type { Database } from '#platform/db/database.ts';
import { migrate, pendingMigrations } from '#platform/db/migrate.ts';
import { migrationsInWords } from '#platform/db/migration-names.ts';
import { settleRole } from '#platform/db/session-settings.ts';
import { writeRotated } from './rotation.ts';
import { findFilled, readAppliedMigrations, readTables } from './store.ts';

type Settings = Pick<
  Config,
  'databaseUrl' | 'dataDir' | 'migrationBackups' | 'secretKey' | 'formerSecretKeys'
>;

/** How long a start waits for the backup. */
const usualAtMostMs = 60 * 60_000;

export interface MigrateOptions {
  /** The folder of the migrations; that of this version unless given. */
  readonly folder?: URL;
  readonly atMostMs?: number;
}

/**
 * Applies what is missing and returns the names of what it applied, as `migrate` does. Backs the embedded database up before,
 * unless it is empty, and passes the file's path to `notice`, as well as what is tried again. Behind a pooler the role gets its settings too. Throws OperatorError, and migrates nothing, when that fails;
 * MigrationError.
 */
export async function migrateWithBackup(
  db: Database,
  settings: Settings,
  notice: (line: string) => void,
  { folder, atMostMs = usualAtMostMs }: MigrateOptions = {},
): Promise<string[]> {
  const backsUp = settings.databaseUrl === null && settings.migrationBackups > 0;
  const pending = backsUp ? await pendingMigrations(db, folder) : [];
  const [first] = pending;
  if (first !== undefined && (await holdsRows(db))) {
    notice(`backing up before ${migrationsInWords(pending)}`);
    await backUpBefore(db, settings, first, atMostMs).then(notice, (error) => {
      throw refusal(error);
    });
  }
  const applied = await migrate(db, folder, undefined, { notice });
  if (await settleRole(db))
    notice(
      "the role has its settings now: have the pooler make its connections again (RECONNECT in PgBouncer's console)",
    );
  return applied;
}

/** Tells whether the installation has rows. Tables of other programs in its database don't count. */
async function holdsRows(db: Database): Promise<boolean> {
  if ((await readAppliedMigrations(db)).length === 0) return false;
  const tables = await readTables(db);
  return tables.length > 0 && (await findFilled(db, tables)) !== null;
}

/**
 * Named by the migration state, so that repeated starts with a failing migration replace the same file, and no file of another
 * state is removed for it.
 */
async function backUpBefore(
  db: Database,
  settings: Settings,
  first: string,
  atMostMs: number,
): Promise<string> {
  // Loaded here, since most starts have nothing to back up.
  const { backUp } = await import('./back-up.ts');
  const { secretKeyMark } = await import('./key-mark.ts');
  const { dataDir, migrationBackups: keep } = settings;
  const rotation = { folder: join(dataDir, 'backups'), prefix: 'before-', keep };
  const mark = await secretKeyMark(db, settings);
  const tooLate = AbortSignal.timeout(atMostMs);
  const { path, written } = await writeRotated(rotation, first.replace(/\.sql$/, ''), (to, requireRoom) => {
    const progress = () => {
      if (tooLate.aborted)
        throw new OperatorError(`it takes longer than ${Math.round(atMostMs / 60_000)} minutes`);
      requireRoom();
    };
    return backUp(db, to, { version, secretKeyMark: mark, progress });
  });
  return `backed up ${written.rows} rows to ${path}`;
}

function refusal(error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(
    `nothing is migrated, since the backup before it failed: ${reason}. Mend that, or copy the data folder yourself and set ${processSettings.migrationBackups.name}=0`,
    { cause: error },
  );
}
