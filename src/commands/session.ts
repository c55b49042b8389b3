/** The database of one command: that of DATABASE_URL, or the embedded one, whether a server runs it or not. */
import type { Clock } from '#base/clock.ts';
import type { Config } from '#base/config.ts';
import type { Database } from '#platform/db/database.ts';
import { note } from './output.ts';

export interface Session {
  readonly db: Database;
  /** Business time follows the offset that the database holds. */
  readonly clock: Clock;
  readonly config: Config;
}

export interface SessionOptions {
  /** False: pending migrations are not applied, and business time is machine time. */
  readonly migrate?: boolean;
  /** True: an embedded database is made where there is none. */
  readonly create?: boolean;
}

/** Opens the database, does the work, and closes it again, also after a failure and on Ctrl-C. */
export async function withSession<T>(
  work: (session: Session) => Promise<T>,
  { migrate = true, create = false }: SessionOptions = {},
): Promise<T> {
  const { commandConfig } = await import('./config.ts');
  const { openDatabase } = await import('#platform/db/database.ts');
  const { systemClock } = await import('#base/clock.ts');
  const config = commandConfig();
  const server = await openServer(config, create);
  const db = openDatabase({
    url: server.url,
    directUrl: config.databaseUrl === null ? null : config.databaseDirectUrl,
    poolSize: 4,
    applicationName: 'pitlane command',
  });
  const clock = systemClock();
  try {
    if (migrate) {
      await bringUpToDate(db, config);
      const { readAdvance } = await import('#platform/db/business-clock.ts');
      clock.setAdvance(await readAdvance(db));
    }
    return await work({ db, clock, config });
  } finally {
    await db.close();
    await server.stop();
  }
}

async function openServer(config: Config, create: boolean): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, stop: async () => undefined };
  const { borrowEmbedded } = await import('#platform/db/embedded/embedded.ts');
  const embedded = await borrowEmbedded({ dataDir: config.dataDir, create, notice: note });
  if (!embedded.attached) {
    // The PostgreSQL that was started for this command must not outlive it.
    const { stopOnSignals } = await import('#operation/launcher.ts');
    stopOnSignals(() => void embedded.stop().finally(() => process.exit(130)));
  }
  return embedded;
}

/** Only `migrate` changes a shared database, since another version may be running on it. */
async function bringUpToDate(db: Database, config: Config): Promise<void> {
  const { pendingMigrations } = await import('#platform/db/migrate.ts');
  const { pendingFunctions } = await import('#platform/db/functions/apply.ts');
  const migrations = await pendingMigrations(db);
  const pending = migrations.length > 0 ? migrations : await pendingFunctions(db);
  if (pending.length === 0) return;
  const { migrationsInWords } = await import('#platform/db/migration-names.ts');
  if (config.databaseUrl !== null) {
    const { OperatorError } = await import('#base/operator-error.ts');
    throw new OperatorError(`the database lacks ${migrationsInWords(pending)}: run pitlane migrate`);
  }
  const { migrateWithBackup } = await import('#operation/backup/before-migrations.ts');
  await migrateWithBackup(db, config, note);
  note(`Applied ${migrationsInWords(pending)}.`);
}
