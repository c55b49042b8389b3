/** Where a command finds its database: that of DATABASE_URL, or the embedded one, with and without a server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDatabase } from '#platform/db/database.ts';
import { startEmbedded } from '#platform/db/embedded/embedded.ts';
import { migrate, readMigrations } from '#platform/db/migrate.ts';
import { createTestDatabase } from '../harness/database.ts';
import { scratchFolder } from '../harness/scratch.ts';
import { fail, json, runAlone, runHere, succeed } from './run.ts';

const folder = await mkdtemp(join(scratchFolder(), 'pitlane-command-'));
after(() => rm(folder, { recursive: true, force: true }));

const dataDir = (name: string) => ({ PITLANE_DATA_DIR: join(folder, name) });

test('without a server a command starts the embedded database, migrates it, and stops it again', async () => {
  const env = dataDir('alone');
  const { stdout } = await succeed(['migrate'], env, runAlone);
  assert.match(stdout, /^applied \d+ migrations, 0001_core\.sql to /);
  const { partnerId } = await json(['partner', 'create', '--name', 'First'], env, runAlone);
  // Several at once take turns.
  const lists = await Promise.all([1, 2, 3].map(() => json(['partner', 'list'], env, runAlone)));
  for (const partners of lists)
    assert.deepEqual(
      partners.map((row: { partnerId: string }) => row.partnerId),
      [partnerId],
    );
  const status = await json(['status'], env, runAlone);
  assert.equal(status.database.place, env.PITLANE_DATA_DIR);
  assert.deepEqual([status.database.embedded, status.counts.partners, status.work.deadLetters], [true, 1, 0]);
});

test('only serve and migrate make a data folder: any other command says where it looked', async () => {
  const env = dataDir('mistaken');
  for (const command of [
    ['partner', 'create', '--name', 'Lost'],
    ['status', '--json'],
    ['partner', 'list'],
  ]) {
    await fail(
      command,
      env,
      1,
      /no database in the data folder .*mistaken: set PITLANE_DATA_DIR .* DATABASE_URL/,
    );
  }
  assert.equal(existsSync(env.PITLANE_DATA_DIR), false);
});

test('beside a server a command works on the same database and leaves it running', async () => {
  const env = dataDir('served');
  const embedded = await startEmbedded({ dataDir: env.PITLANE_DATA_DIR });
  try {
    assert.equal((await json(['migrate'], env)).applied[0], '0001_core.sql');
    assert.match((await succeed(['migrate'], env)).stdout, /nothing to apply/);
    const { partnerId } = await json(['partner', 'create', '--name', 'Beside'], env);
    assert.deepEqual(
      (await json(['partner', 'list'], env)).map((row: { partnerId: string }) => row.partnerId),
      [partnerId],
    );
  } finally {
    await embedded.stop();
  }
});

test('an embedded database of an earlier version is backed up before any command, or a start, migrates it', async () => {
  const env = { ...dataDir('earlier'), PORT: '0', PITLANE_DEMO: 'off' };
  const names = (await readMigrations()).map(({ name }) => name);
  const embedded = await startEmbedded({ dataDir: env.PITLANE_DATA_DIR });
  const db = openDatabase({ url: embedded.url, poolSize: 2, applicationName: 'test' });
  await migrate(db, undefined, names.at(-2));
  await db.query(
    `INSERT INTO partner (id, name, created_at, updated_at) VALUES (gen_random_uuid(), 'Kept', clock_timestamp(), clock_timestamp())`,
  );
  await db.close();
  await embedded.stop();
  const backups = join(env.PITLANE_DATA_DIR, 'backups');
  await writeFile(backups, 'a file where a folder should be');
  for (const command of ['serve', 'migrate']) {
    const { code, stderr } = await runAlone([command], env);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /pitlane: nothing is migrated, since [^\n]*backups is not a folder[^\n]* set PITLANE_MIGRATION_BACKUPS=0\n$/,
    );
  }
  await rm(backups);
  const { stdout, stderr } = await succeed(['partner', 'list'], env, runAlone);
  assert.match(stdout, /Kept/);
  const file = join(backups, `before-${names.at(-1)?.replace('.sql', '.backup')}`);
  assert.match(stderr, /backing up before .*\nbacked up \d+ rows to /);
  const { mode, uid } = await stat(file);
  assert.deepEqual([mode & 0o777, uid], [0o600, (await stat(env.PITLANE_DATA_DIR)).uid]);
});

test('a database of DATABASE_URL is migrated by nothing but migrate', async () => {
  const { db, url } = await createTestDatabase();
  const env = { DATABASE_URL: url };
  await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await fail(['partner', 'list'], env, 1, /lacks \d+ migrations, 0001_core\.sql to .*: run pitlane migrate/);
  const before = await json(['status'], env);
  assert.deepEqual(before.database.pendingMigrations[0], '0001_core.sql');
  assert.match(
    (await succeed(['status'], env)).stdout,
    /pending migrations +\d+ migrations, 0001_core\.sql to /,
  );
  assert.match((await succeed(['migrate'], env)).stdout, /^applied \d+ migrations, 0001_core\.sql to /);
  assert.deepEqual(await json(['partner', 'list'], env), []);
  assert.match((await succeed(['status'], env)).stdout, /pending migrations +none\n/);
});

test('a command follows the business clock', async () => {
  const { db, url } = await createTestDatabase();
  const env = { DATABASE_URL: url };
  const tenYears = 10 * 365 * 86_400;
  await db.query('UPDATE business_clock SET advance_seconds = $1', [tenYears]);
  const startedAt = Date.now();
  await json(['partner', 'create', '--name', 'Later'], env);
  const [partner] = await json(['partner', 'list'], env);
  assert.ok(Date.parse(partner.createdAt) >= startedAt + tenYears * 1000);
  assert.equal((await json(['status'], env)).clockAdvanceSeconds, tenYears);
});

test('a database that is not available is one line, without its password', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  server.close();
  await once(server, 'close');
  const env = { DATABASE_URL: `postgres://pitlane:hunter2@127.0.0.1:${port}/pitlane` };
  for (const command of [['partner', 'list'], ['status', '--json'], ['migrate']]) {
    await fail(command, env, 1, /can't reach PostgreSQL: /);
    assert.doesNotMatch((await runHere(command, env)).stderr, /hunter2/);
  }
  await fail(['status'], { DATABASE_URL: 'mysql://x' }, 1, /DATABASE_URL must be a URL/);
  const file = join(folder, 'file');
  await writeFile(file, '');
  await fail(['status'], { PITLANE_DATA_DIR: file }, 1, /is not a folder/);
});

test('serve accepts options in place of the settings, by the same rules', async () => {
  const env = { PITLANE_DATA_DIR: join(folder, 'never') };
  await fail(['serve', '--port', '99999'], env, 2, /--port 99999 is not a whole number from 0 to 65535/);
  await fail(['serve', '--role', 'boss'], env, 2, /--role boss is not one of: all, api, worker/);
  await fail(['serve', '--host', ''], env, 2, /take a value/);
  await fail(['serve'], { ...env, PORT: 'x' }, 1, /PORT=x is not/);
  await fail(['serve', 'now'], env, 2, /too many arguments/);
});
