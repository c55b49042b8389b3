/** Long because one database serves all its cases: which migrations are applied, by whom, and what one that fails leaves. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createTestDatabase, withoutTriggers } from '../../../test/harness/database.ts';
import { openDatabase } from './database.ts';
import { migrate, pendingMigrations, readMigrations } from './migrate.ts';
import { MigrationError } from './migration-error.ts';
import { migrationsInWords } from './migration-names.ts';

const own = (await readMigrations()).map((migration) => migration.name);
const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** Without the functions whose later editions follow the migrations. */
const migrationsIn = (applied: readonly string[]) => applied.filter((name) => !name.startsWith('src/'));

/** A folder with our own migrations and the given ones after them. */
async function folderWith(more: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'pitlane-migrations-'));
  folders.push(folder);
  for (const { name, sql } of await readMigrations()) await writeFile(join(folder, name), sql);
  for (const [name, sql] of Object.entries(more)) await writeFile(join(folder, name), sql);
  return pathToFileURL(`${folder}/`);
}

const numbered = (ahead: number, what: string) =>
  `${String(own.length + ahead).padStart(4, '0')}_${what}.sql`;

async function emptyDatabase() {
  const { db, url } = await createTestDatabase();
  await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return { db, url };
}

describe('migrate', () => {
  test('applies every migration, once', async () => {
    const { db } = await emptyDatabase();
    assert.deepEqual(migrationsIn(await pendingMigrations(db)), own);
    assert.deepEqual(migrationsIn(await migrate(db)), own);
    assert.deepEqual(await migrate(db), []);
    assert.deepEqual(await pendingMigrations(db), []);
    const rows = await db.query<{ name: string; checksum: string; aged: boolean }>(
      'SELECT name, checksum, applied_at <= clock_timestamp() AS aged FROM migration ORDER BY name',
    );
    const expected = (await readMigrations()).map(({ name, checksum }) => ({ name, checksum, aged: true }));
    assert.deepEqual(rows, expected);
  });

  test('may be started by many processes at once: one applies, the others wait', async () => {
    const { url } = await emptyDatabase();
    const pools = Array.from({ length: 6 }, () =>
      openDatabase({ url, poolSize: 2, applicationName: 'test' }),
    );
    const applied = await Promise.all(pools.map((db) => migrate(db)));
    await Promise.all(pools.map((db) => db.close()));
    assert.deepEqual(applied.filter((names) => names.length > 0).map(migrationsIn), [own]);
  });

  test('a failing migration leaves nothing of itself, and what came before it stays', async () => {
    const { db } = await emptyDatabase();
    const good = numbered(1, 'good');
    const bad = numbered(2, 'bad');
    const folder = await folderWith({
      [good]: 'CREATE TABLE good (id int);',
      [bad]: 'CREATE TABLE half (id int);\nSELECT 1 / 0;',
    });
    await assert.rejects(migrate(db, folder), (error) => {
      assert.ok(error instanceof MigrationError);
      assert.equal(error.message, `migrations/${bad} failed: division by zero`);
      return true;
    });
    assert.deepEqual(
      await db.query("SELECT to_regclass('good')::text AS good, to_regclass('half')::text AS half"),
      [{ good: 'good', half: null }],
    );
    assert.deepEqual(await pendingMigrations(db, folder), [bad]);
  });

  test('waits ten seconds at most for a table that something else holds, unless it says otherwise', async () => {
    const { db } = await createTestDatabase();
    const waits = (table: string) =>
      `CREATE TABLE ${table} AS SELECT current_setting('lock_timeout') AS waits;`;
    const folder = await folderWith({
      [numbered(1, 'usual')]: waits('usual'),
      [numbered(2, 'own')]: `SET LOCAL lock_timeout = '2s'; ${waits('own')}`,
      [numbered(3, 'next')]: waits('next'),
    });
    await migrate(db, folder);
    const rows = await db.query<{ waits: string }>(
      'SELECT waits FROM usual UNION ALL SELECT waits FROM own UNION ALL SELECT waits FROM next',
    );
    assert.deepEqual(
      rows.map(({ waits }) => waits),
      ['10s', '2s', '10s'],
    );
  });

  const blocked = numbered(1, 'blocked');
  const blocking = () =>
    folderWith({
      [blocked]: `SET LOCAL lock_timeout = '50ms'; ALTER TABLE workshop ADD COLUMN blocked int;`,
    });

  test('a held table is left alone: the migration gives up after some tries, and can be run again', async () => {
    const { db } = await createTestDatabase();
    const folder = await blocking();
    const said: string[] = [];
    const patience = { notice: (line: string) => said.push(line), minTimeout: 1 };
    await db.transaction(async (tx) => {
      await tx.query('SELECT FROM workshop');
      await assert.rejects(migrate(db, folder, undefined, patience), {
        message: `migrations/${blocked} failed: canceling statement due to lock timeout`,
      });
    });
    assert.equal(said.length, 4);
    assert.deepEqual(await migrate(db, folder), [blocked]);
  });

  test('one that gets no lock is tried again, says so, and is applied once the table is free', async () => {
    const { db } = await createTestDatabase();
    const folder = await blocking();
    const said: string[] = [];
    const [taken, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = db.transaction(async (tx) => {
      await tx.query('SELECT FROM workshop');
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    const notice = (line: string) => {
      said.push(line);
      held.resolve();
    };
    assert.deepEqual(await migrate(db, folder, undefined, { notice, minTimeout: 100 }), [blocked]);
    await holder;
    assert.equal(
      said[0],
      `migrations/${blocked} got no lock on a table, which a running process holds. Nothing was changed; it is tried again in 0.1 s`,
    );
  });

  test('one that meets a deadlock with a running process is tried again', async () => {
    const { db, url } = await createTestDatabase();
    const gate = 'SELECT pg_advisory_xact_lock(7)';
    const folder = await folderWith({
      [blocked]: `CREATE TABLE half (id int); LOCK TABLE partner IN ACCESS EXCLUSIVE MODE; ${gate};
        LOCK TABLE workshop IN ACCESS EXCLUSIVE MODE;`,
    });
    const said: string[] = [];
    const somebodyWaits = async (which: string) => {
      const text = `SELECT FROM pg_locks WHERE NOT granted AND ${which}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      while ((await db.query(text)).length === 0) await setImmediate();
    };
    let migrated: Promise<string[]> | undefined;
    // The older process holds what the migration wants last, and asks for what it holds. A superuser, for its time-out: the migration is
    // the one that PostgreSQL ends.
    await withoutTriggers(url, async (older) => {
      await older.query(`SET deadlock_timeout = '1min'`);
      await older.query('BEGIN; LOCK TABLE workshop IN SHARE MODE');
      let asked: Promise<unknown> | undefined;
      await db.transaction(async (tx) => {
        await tx.query(gate);
        migrated = migrate(db, folder, undefined, { notice: (line) => said.push(line), minTimeout: 20 });
        await somebodyWaits(`locktype = 'advisory'`);
        asked = older.query('SELECT FROM partner');
        await somebodyWaits(`relation = 'partner'::regclass`);
      });
      await asked;
      await older.query('COMMIT');
    });
    assert.deepEqual(await migrated, [blocked]);
    assert.match(said.join(' '), /met a deadlock with a statement of a running process/);
  });

  test('refuses a landed migration that was changed', async () => {
    const { db } = await createTestDatabase();
    const name = numbered(1, 'more');
    await migrate(db, await folderWith({ [name]: 'CREATE TABLE more (id int);' }));
    const changed = await folderWith({ [name]: 'CREATE TABLE more (id bigint);' });
    await assert.rejects(migrate(db, changed), {
      message: `migrations/${name} was changed after it was applied: restore it and put the change into a new migration`,
    });
  });

  test('line ends of a checkout are no change', async () => {
    const { db } = await createTestDatabase();
    const name = numbered(1, 'more');
    await migrate(db, await folderWith({ [name]: 'CREATE TABLE more (\n  id int\n);\n' }));
    assert.deepEqual(
      await migrate(db, await folderWith({ [name]: 'CREATE TABLE more (\r\n  id int\r\n);\r\n' })),
      [],
    );
  });

  test('refuses a database that is newer than the code; for readiness it lacks nothing', async () => {
    const { db } = await createTestDatabase();
    const name = numbered(1, 'newer');
    await migrate(db, await folderWith({ [name]: 'CREATE TABLE newer (id int);' }));
    await assert.rejects(migrate(db), {
      message: `the database has migration ${name}, which this version of Pitlane does not know: run the newer version`,
    });
    assert.deepEqual(await pendingMigrations(db), []);
  });

  test('refuses a gap, a doubled number and a stray file in the folder', async () => {
    const strays = [{ [numbered(2, 'gap')]: '' }, { [numbered(0, 'zz_doubled')]: '' }, { 'notes.sql': '' }];
    for (const stray of strays) {
      const [file = ''] = Object.keys(stray);
      await assert.rejects(readMigrations(await folderWith(stray)), (error) => {
        assert.ok(error instanceof MigrationError);
        assert.match(error.message, new RegExp(`^migrations/${file} is out of line`));
        return true;
      });
    }
  });

  test('refuses a server older than PostgreSQL 15 before it touches anything', async () => {
    const { db } = await emptyDatabase();
    // Any client that says so will do: no such server is at hand.
    const old = {
      ...db,
      direct: Object.create(db.direct, {
        connect: {
          value: async () => ({
            query: async () => ({ rows: [{ number: 140_011, version: '14.11' }] }),
            release: () => undefined,
          }),
        },
      }),
    };
    await assert.rejects(migrate(old), {
      message: 'Pitlane needs PostgreSQL 15 or newer; this server is PostgreSQL 14.11',
    });
    assert.deepEqual(migrationsIn(await pendingMigrations(db)), own);
  });

  test('refuses a server that takes no writes, also where nothing is to be applied', async () => {
    const { db, url } = await createTestDatabase();
    const name = new URL(url).pathname.slice(1);
    await db.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const readOnly = openDatabase({ url, poolSize: 1, applicationName: 'test' });
    await assert.rejects(migrate(readOnly), MigrationError);
    await readOnly.close();
  });
});

test('what an upgrade applied in one line: many migrations and many files of functions, each with their own count', () => {
  const names = (count: number, name: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => name(n));
  const migrations = names(6, (n) => `000${n}_a.sql`);
  const functions = names(7, (n) => `src/a/f${n}.sql`);
  assert.equal(
    migrationsInWords([...migrations, ...functions]),
    '6 migrations, 0000_a.sql to 0005_a.sql; 7 files of functions, src/a/f0.sql to src/a/f6.sql',
  );
  assert.equal(
    migrationsInWords(['0001_a.sql', '0002_b.sql', 'src/f.sql']),
    '0001_a.sql, 0002_b.sql; src/f.sql',
  );
});
