/** Restores a backup into an empty database: all of it or nothing. */
import type { Clock } from '#base/clock.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type BulkWriter, inBulkTransaction } from '#platform/db/bulk.ts';
import { readAdvance } from '#platform/db/business-clock.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { findProcess } from '#platform/db/find-process.ts';
import { migrate, migrateWithin, readMigrations } from '#platform/db/migrate.ts';
import { MigrationError } from '#platform/db/migration-error.ts';
import { beginRestoredEpoch } from '#platform/feed/epoch/store.ts';
import type { Contents } from './contents.ts';
import { type HeldBack, holdBack } from './hold-back.ts';
import type { Manifest } from './manifest.ts';
import {
  analyse,
  copyInText,
  findFilled,
  loadUnchecked,
  lockTables,
  readAppliedMigrations,
  readTables,
  type Table,
} from './store.ts';
import type { Progress, Summary } from './summary.ts';

export interface RestoreOptions {
  /**
   * True: waiting messages are sent, because the database of the backup has sent nothing since and will not. False: they are held
   * back.
   */
  readonly sendWaiting: boolean;
  readonly progress: Progress;
  /** The business clock, which is set to the offset of the backup. */
  readonly clock: Clock;
  /** The folder of the migrations; this version's unless given. */
  readonly folder?: URL;
}

export interface Restored extends Summary {
  /** Null when waiting messages are sent. */
  readonly heldBack: HeldBack | null;
  /** Migrations that the backup lacked and that were applied after the restore. */
  readonly applied: readonly string[];
}

/** The rows are restored and committed, but not all migrations that the backup lacked were applied. */
export class MigrationsPending extends MigrationError {
  readonly restored: Omit<Restored, 'applied'>;

  constructor(restored: Omit<Restored, 'applied'>, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the backup is restored, but migrations are still to be applied: run pitlane migrate (${reason})`, {
      cause,
    });
    this.restored = restored;
  }
}

/**
 * Throws OperatorError when the backup does not fit this version, when the database is not empty or in use, or when the file is damaged.
 * No row is written then; the migrations of an empty database may be. Throws DatabaseUnavailable and MigrationError too; of what it
 * throws, only MigrationsPending comes after the rows were committed.
 */
export async function restore(db: Database, contents: Contents, options: RestoreOptions): Promise<Restored> {
  const { manifest } = contents;
  await requireMigrations(manifest, options.folder);
  await requireEmpty(db, manifest);
  await migrate(db, options.folder, newest(manifest));
  const { failure, applied, ...restored } = await inBulkTransaction(db, (tx) => load(tx, contents, options));
  if (failure !== null) throw new MigrationsPending(restored, failure);
  // Functions, which have a path, are those of this version after each restore.
  return { ...restored, applied: applied.filter((name) => !name.includes('/')) };
}

/** Checks that this version knows the migrations of the backup. Throws OperatorError. */
export async function requireMigrations({ migrations, pitlane }: Manifest, folder?: URL): Promise<void> {
  const own = new Map((await readMigrations(folder)).map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (own.get(name) === checksum) continue;
    throw new OperatorError(
      own.has(name)
        ? `the backup was made with another text of migrations/${name}: restore it with Pitlane ${pitlane}, which made it`
        : `the backup has migration ${name}, which this version of Pitlane does not know: restore it with Pitlane ${pitlane} or newer`,
    );
  }
}

const emptyOne = 'restore into an empty one: another PITLANE_DATA_DIR, or a new database in DATABASE_URL';

/** Before anything is changed: a database that is in use must not even be migrated. */
async function requireEmpty(db: Queryable, manifest: Manifest): Promise<void> {
  const process = await findProcess(db);
  if (process !== null)
    throw new OperatorError(`"${process}" is connected to the database: stop all servers and workers first`);
  const tables = await readTables(db);
  const applied = await readAppliedMigrations(db);
  if (tables.length > 0 && applied.length === 0)
    throw new OperatorError(`the database holds tables of something else: ${emptyOne}`);
  await requireNoRows(db, tables);
  const ahead = applied.findLast(({ name }) => name > newest(manifest));
  if (ahead !== undefined) {
    throw new OperatorError(
      `the database has migration ${ahead.name}, and the backup is of the state before it: ${emptyOne}`,
    );
  }
}

async function requireNoRows(db: Queryable, tables: readonly Table[]): Promise<void> {
  const filled = tables.length > 0 ? await findFilled(db, tables) : null;
  if (filled !== null)
    throw new OperatorError(`the database is not empty (table ${filled} has rows): ${emptyOne}`);
}

async function load(
  tx: BulkWriter,
  contents: Contents,
  { sendWaiting, progress, clock, folder }: RestoreOptions,
) {
  const tables = await readTables(tx);
  await lockTables(tx, tables, 'ACCESS EXCLUSIVE');
  await requireNoRows(tx, tables);
  requireTables(contents.manifest, tables);
  const summary = await loadUnchecked(tx, tables, () =>
    contents.read(async ({ table, content, rows }) => {
      const written = await tx.copyIn(copyInText(table), content);
      if (written !== rows)
        throw new OperatorError(
          `PostgreSQL took ${written} of ${rows} rows of table ${table.name}: nothing is restored`,
        );
    }, progress),
  );
  await analyse(tx, tables);
  // In the same commit, before the next steps, which use statements of this version.
  const { applied, failure } = await migrateWithin(tx, folder);
  try {
    await beginRestoredEpoch(tx);
    clock.setAdvance(await readAdvance(tx));
    const heldBack = sendWaiting ? null : await holdBack(tx, clock.now());
    return { ...summary, heldBack, applied, failure };
  } catch (error) {
    // Without the migrations they may have failed for the lack of them: nothing is restored then.
    throw failure ?? error;
  }
}

/** After the same migrations they are the same, unless somebody has changed one of the databases by hand. */
function requireTables({ tables }: Manifest, own: readonly Table[]): void {
  const lines = (all: readonly Table[]) => all.map(({ name, columns }) => `${name} (${columns.join(', ')})`);
  const theirs = new Set(lines(tables));
  const mine = new Set(lines(own));
  const [other] = theirs.symmetricDifference(mine);
  if (other === undefined) return;
  throw new OperatorError(
    `the backup and its migrations have different tables: ${other} is in one of them alone`,
  );
}

const newest = ({ migrations }: Manifest) => migrations.at(-1)?.name ?? '';
