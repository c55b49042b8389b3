/** Writes a backup: a snapshot of every table, while others go on writing. */
import type { Writable } from 'node:stream';
import { OperatorError } from '#base/operator-error.ts';
import { type BulkReader, inSnapshot } from '#platform/db/bulk.ts';
import type { Database } from '#platform/db/database.ts';
import { dataPart, manifestName, type Part, totalsName, writeArchive } from './archive.ts';
import { Count, lineBreak } from './count.ts';
import { formatVersion, type Manifest, type Totals } from './manifest.ts';
import {
  copyOutText,
  countOldJobs,
  lockTables,
  readAppliedMigrations,
  readMoment,
  readTables,
  type Table,
} from './store.ts';
import { type Progress, type Summary, summaryOf } from './summary.ts';

/** A part is a little longer: it ends with a row. */
const partBytes = 4 * 1024 ** 2;
/** The first migration with the tables that a restore needs to hold work back. */
const oldestMigration = '0027_campaigns.sql';

export interface BackupOptions {
  /** The version of Pitlane. */
  readonly version: string;
  readonly secretKeyMark: string | null;
  readonly progress: Progress;
}

/** Writes the archive and closes `to`. Throws OperatorError when this database can't be backed up, DatabaseUnavailable, and what `to` throws. */
export async function backUp(db: Database, to: Writable, options: BackupOptions): Promise<Summary> {
  const known = await readTables(db);
  return inSnapshot(db, async (tx) => {
    // Before the first read, which takes the snapshot: a table that a migration rewrites after it would be read as empty.
    if (known.length > 0) await lockTables(tx, known, 'ACCESS SHARE');
    const tables = await readTables(tx);
    if (tables.some(({ name }) => !known.some((one) => one.name === name)))
      throw new OperatorError('a migration has just added tables: run pitlane backup again');
    const migrations = await readAppliedMigrations(tx);
    if (!migrations.some(({ name }) => name === oldestMigration)) {
      throw new OperatorError(
        `the database lacks ${oldestMigration}: run pitlane migrate first, with a copy of the data folder at hand`,
      );
    }
    const oldJobs = await countOldJobs(tx);
    if (oldJobs > 0) {
      throw new OperatorError(
        `${oldJobs} jobs of a release before 0012_sending still wait: run the release whose newest migration is 0041_plain_page (pitlane serve) until they are taken over`,
      );
    }
    const { version: pitlane, secretKeyMark, progress } = options;
    const { server, at } = await readMoment(tx);
    const manifest: Manifest = {
      ...{
        kind: 'pitlane backup',
        format: formatVersion,
        pitlane,
        createdAt: at.toISOString(),
        server,
        migrations,
      },
      tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
      secretKeyMark,
    };
    const totals: Totals = {};
    await writeArchive(partsOf(tx, manifest, totals, progress), to);
    return summaryOf(manifest, totals);
  });
}

async function* partsOf(
  tx: BulkReader,
  manifest: Manifest,
  totals: Totals,
  progress: Progress,
): AsyncGenerator<Part> {
  yield { name: manifestName, content: json(manifest) };
  for (const table of manifest.tables) yield* partsOfTable(tx, table, totals, progress);
  yield { name: totalsName, content: json(totals) };
}

async function* partsOfTable(
  tx: BulkReader,
  table: Table,
  totals: Totals,
  progress: Progress,
): AsyncGenerator<Part> {
  const count = new Count();
  let number = 0;
  for await (const content of wholeRows(tx.copyOut(copyOutText(table)))) {
    progress({ rows: count.add(content), bytes: content.length });
    yield dataPart(table.name, ++number, content);
  }
  totals[table.name] = count.total();
}

/** Buffers of `partBytes` and the rest of their last row. */
async function* wholeRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    const end = heldBytes + chunk.length < partBytes ? 0 : chunk.lastIndexOf(lineBreak) + 1;
    if (end > 0) {
      yield Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [];
      heldBytes = 0;
    }
    held.push(chunk.subarray(end));
    heldBytes += chunk.length - end;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
