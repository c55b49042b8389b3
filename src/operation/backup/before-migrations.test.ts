/** The embedded database is backed up before it is migrated; a backup that fails leaves it unmigrated, and says what to do. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '#base/operator-error.ts';
import type { Database } from '#platform/db/database.ts';
import { migrate, pendingMigrations, readMigrations } from '#platform/db/migrate.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { migrateWithBackup } from './before-migrations.ts';
import { openContents } from './contents.ts';
import { openFile } from './file.ts';
import { requireMigrations } from './restore.ts';
import { roomGuard } from './rotation.ts';

const own = await readMigrations();
const base = await mkdtemp(join(tmpdir(), 'pitlane-before-'));
after(() => rm(base, { recursive: true, force: true }));
let count = 0;

/** A new version that brings these besides all of this one; its name is that of the first. */
async function nextVersion(...texts: readonly string[]): Promise<{ folder: URL; names: string[] }> {
  const path = await mkdtemp(join(base, 'migrations-'));
  for (const { name, sql } of own) await writeFile(join(path, name), sql);
  const names = texts.map((_, at) => `${String(own.length + 1 + at).padStart(4, '0')}_new.sql`);
  for (const [at, sql] of texts.entries()) await writeFile(join(path, names[at] ?? ''), sql);
  return { folder: pathToFileURL(`${path}/`), names };
}

const embedded = (dataDir: string, migrationBackups = 2) => ({
  ...{ databaseUrl: null, dataDir, migrationBackups },
  ...{ secretKey: Buffer.alloc(32, 1), formerSecretKeys: null },
});
const newDataDir = () => join(base, `data-${++count}`);
const backupsIn = (dataDir: string) =>
  existsSync(join(dataDir, 'backups')) ? readdirSync(join(dataDir, 'backups')).sort() : [];
const fill = (db: Database) =>
  db.query(
    `INSERT INTO partner (id, name, created_at, updated_at) VALUES (gen_random_uuid(), 'Kept', clock_timestamp(), clock_timestamp())`,
  );

test('what the database held before the first of them is in a file that the version before restores', async () => {
  const { db } = await createTestDatabase();
  await fill(db);
  const dataDir = newDataDir();
  const { folder, names } = await nextVersion('ALTER TABLE partner DROP COLUMN name CASCADE;', 'SELECT 1;');
  const notices: string[] = [];
  const applied = await migrateWithBackup(db, embedded(dataDir), (line) => notices.push(line), { folder });
  assert.deepEqual(applied, names);
  const file = join(dataDir, 'backups', `before-${names[0]?.replace('.sql', '')}.backup`);
  assert.equal(notices.length, 2);
  assert.equal(notices[1]?.replace(/\d+ rows/, 'n rows'), `backed up n rows to ${file}`);
  const contents = await openContents({ name: file, stream: openFile(file) });
  await requireMigrations(contents.manifest);
  const texts: string[] = [];
  await contents.read(
    async ({ table, content }) => void (table.name === 'partner' && texts.push(content.toString())),
    () => undefined,
  );
  assert.match(texts.join(), /\tKept\t/);
  // Nothing is missing any more, so nothing more is written.
  assert.deepEqual(await migrateWithBackup(db, embedded(dataDir), assert.fail, { folder }), []);
});

test('an empty database, one of DATABASE_URL and a setting of 0 are migrated without', async () => {
  const { folder, names } = await nextVersion('SELECT 1;');
  const dataDir = newDataDir();
  const { db: fresh } = await createTestDatabase();
  await fresh.pool.query(
    'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE of_something_else AS SELECT 1 AS n',
  );
  assert.equal((await migrateWithBackup(fresh, embedded(dataDir), assert.fail)).length, own.length);
  await fresh.pool.query('DROP TABLE of_something_else');
  assert.deepEqual(await migrateWithBackup(fresh, embedded(dataDir), assert.fail, { folder }), names);
  for (const settings of [embedded(dataDir, 0), { ...embedded(dataDir), databaseUrl: 'postgres://x' }]) {
    const { db } = await createTestDatabase();
    await fill(db);
    assert.deepEqual(await migrateWithBackup(db, settings, assert.fail, { folder }), names);
  }
  assert.deepEqual(backupsIn(dataDir), []);
});

test('the newest stay; a migration that fails again and again replaces its own, and other files are left alone', async () => {
  const { db } = await createTestDatabase();
  await fill(db);
  const dataDir = newDataDir();
  const settings = embedded(dataDir);
  const next = await nextVersion('SELECT 1;', 'SELECT 1 / 0;');
  const attempt = () => migrateWithBackup(db, settings, () => undefined, { folder: next.folder });
  await assert.rejects(attempt(), /division by zero/);
  const old = [
    'before-0001_a.backup',
    'before-0002_b.backup',
    'pitlane-1.backup',
    'before-x.backup.1.partial',
  ];
  for (const [at, name] of old.entries()) {
    writeFileSync(join(dataDir, 'backups', name), '');
    utimesSync(join(dataDir, 'backups', name), at + 1, at + 1);
  }
  const [first = '', second = ''] = next.names.map((name) => `before-${name.replace('.sql', '.backup')}`);
  for (let n = 0; n < 3; n++) {
    await assert.rejects(attempt(), /division by zero/);
    assert.deepEqual(backupsIn(dataDir), [first, second, 'pitlane-1.backup']);
  }
});

test('a backup that fails, or takes too long, leaves all as it is, in one line with the way out', async () => {
  const { db } = await createTestDatabase();
  await fill(db);
  const { folder, names } = await nextVersion('SELECT 1;');
  const dataDir = newDataDir();
  writeFileSync(dataDir, 'a file where the folder should be');
  const refused = (reason: RegExp) => (error: unknown) => {
    assert.ok(error instanceof OperatorError);
    assert.match(error.message, reason);
    assert.match(error.message, /^nothing is migrated, since .* set PITLANE_MIGRATION_BACKUPS=0$/);
    return true;
  };
  const quiet = () => undefined;
  await assert.rejects(
    migrateWithBackup(db, embedded(dataDir), quiet, { folder }),
    refused(/can't be made|ENOTDIR|no such folder/),
  );
  const other = newDataDir();
  await assert.rejects(
    migrateWithBackup(db, embedded(other), quiet, { folder, atMostMs: 0 }),
    refused(/longer than/),
  );
  assert.deepEqual(backupsIn(other), []);
  assert.deepEqual(await pendingMigrations(db, folder), names);
  assert.deepEqual(await migrate(db, folder), names);
});

test('half of the room that was free at first stays free', () => {
  let free = 1_000_000_000;
  const requireRoom = roomGuard('/data/x.backup', () => free);
  free = 500_000_000;
  requireRoom();
  free = 499_999_999;
  assert.throws(requireRoom, /x\.backup takes more than half of the 1000 MB that are free/);
});
