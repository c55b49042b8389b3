/** A full disk is one clear line: at start, at run time, for a backup, for the log; and once there is room, everything is there. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '#platform/db/database.ts';
import { readOwner } from '#platform/db/embedded/owner.ts';
import { fail, json, runAlone, succeed } from './command-line/run.ts';
import { isRoot, makeFolder } from './fixtures/embedded.ts';
import { childEnvironment, shortLived } from './harness/child.ts';
import { createTestDatabase } from './harness/database.ts';
import { freePorts } from './harness/ports.ts';
import { startServer } from './harness/server.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const mount = (...args: readonly string[]) => spawnSync('mount', args, { encoding: 'utf8' });

/** A file system of this size in memory; null where this user may not mount one. */
function smallDisk(t: TestContext, size: string): string | null {
  const path = mkdtempSync(join(tmpdir(), 'pitlane disk '));
  t.after(() => {
    spawnSync('umount', ['--lazy', path]);
    rmdirSync(path);
  });
  if (isRoot && mount('-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', path).status === 0) return path;
  t.skip('this user may not mount a file system');
  return null;
}

test('a first start', async (t) => {
  const disk = smallDisk(t, '20m');
  if (disk === null) return;
  const env = { PITLANE_DATA_DIR: join(disk, 'data') };
  const full = /^pitlane: the file system of the data folder .*data is full: make room/;
  await fail(['migrate'], env, 1, full, runAlone);
  const left = readdirSync(env.PITLANE_DATA_DIR).filter((name) => name.startsWith('postgres.new'));
  assert.deepEqual(left, []);
  await fail(['serve'], { ...env, PORT: '0' }, 1, full, runAlone);
});

test('a backup that does not fit leaves nothing', async (t) => {
  const disk = smallDisk(t, '64k');
  if (disk === null) return;
  const { db, url } = await createTestDatabase();
  await db.query(
    `INSERT INTO partner (id, name, created_at, updated_at)
     SELECT gen_random_uuid(), (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 100 + n)), clock_timestamp(), clock_timestamp()
       FROM generate_series(1, 100) AS n`,
  );
  await fail(
    ['backup', join(disk, 'it.backup')],
    { DATABASE_URL: url },
    1,
    /the file system of .*it\.backup is full/,
  );
  assert.deepEqual(readdirSync(disk), []);
});

test('a backup of a rotation leaves half of what was free, since PostgreSQL may need it', async (t) => {
  const disk = smallDisk(t, '12m');
  if (disk === null) return;
  const { db, url } = await createTestDatabase();
  await db.query(
    `INSERT INTO partner (id, name, created_at, updated_at)
     SELECT gen_random_uuid(), (SELECT string_agg(md5((m * n)::text), '') FROM generate_series(1, 9000) AS m), clock_timestamp(), clock_timestamp()
       FROM generate_series(1, 70) AS n`,
  );
  const half = /takes more than half of the 1\d MB that are free/;
  await fail(['backup', '--folder', join(disk, 'backups')], { DATABASE_URL: url }, 1, half);
  assert.deepEqual(readdirSync(join(disk, 'backups')), []);
});

test('at run time the server ends with one line; with room again all is there', async (t) => {
  const disk = smallDisk(t, '70m');
  if (disk === null) return;
  const env = { PITLANE_DATA_DIR: join(disk, 'data'), PITLANE_DEMO: 'off', LOG_LEVEL: 'silent' };
  const server = await startServer(t, env);
  const { partnerId } = await json(['partner', 'create', '--name', 'Kept'], env);
  const url = readOwner(env.PITLANE_DATA_DIR)?.url ?? '';
  const db = openDatabase({ url, poolSize: 1, applicationName: 'test' });
  // It fills PostgreSQL's own log (WAL), without which PostgreSQL can't go on.
  const filled = (async () => {
    for (;;) await db.query(`SELECT pg_logical_emit_message(true, 'fill', repeat('x', 4000000))`);
  })();
  await assert.rejects(filled, /PostgreSQL's disk is full|PostgreSQL answered|no connection/);
  await db.close();
  assert.equal(await server.ended, 1);
  const last =
    /"message":"the file system of the data folder [^\n]* is full: make room; nothing has to be repaired"}}\n$/;
  assert.match(server.log(), last);
  await fail(['partner', 'list'], env, 1, /the file system of the data folder .* is full/, runAlone);

  assert.equal(mount('-o', 'remount,size=160m', disk).status, 0);
  const { stdout } = await succeed(['partner', 'list', '--json'], env, runAlone);
  const kept = JSON.parse(stdout).map((row: { partnerId: string }) => row.partnerId);
  assert.deepEqual(kept, [partnerId]);
});

test('a log that has no room stops nothing, and standard error says so once', async (t) => {
  const disk = smallDisk(t, '256k');
  if (disk === null) return;
  const [port = 0] = await freePorts(1);
  const { url } = await createTestDatabase();
  const env = childEnvironment({ DATABASE_URL: url, PORT: String(port), PITLANE_DATA_DIR: makeFolder(t) });
  const log = openSync(join(disk, 'log'), 'w');
  const child = spawn(process.execPath, [...shortLived, program, 'serve'], {
    env,
    stdio: ['ignore', log, 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const said = text(child.stderr ?? assert.fail());
  const ask = async () => {
    const signal = AbortSignal.timeout(10_000);
    return (await fetch(`http://127.0.0.1:${port}/workshops`, { signal })).status;
  };
  while ((await ask().catch(() => 0)) === 0) await sleep(50);
  // What does not fit is left out; then each request writes some 150 bytes to the log.
  try {
    writeFileSync(join(disk, 'fill'), Buffer.alloc(1024 * 1024));
  } catch {
    // It is full.
  }
  const answers = new Set<number>();
  for (let round = 0; round < 10; round++)
    for (const status of await Promise.all(Array.from({ length: 10 }, ask))) answers.add(status);
  assert.deepEqual([...answers], [401]);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  assert.equal(await said, "pitlane: the log can't be written (ENOSPC): its lines are lost until it can\n");
});

test('nor does a log on standard error, for programs or for people', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full',
}, async (t) => {
  const { url } = await createTestDatabase();
  const dataDir = makeFolder(t);
  const serve = async (settings: Readonly<Record<string, string>>) => {
    const [port = 0] = await freePorts(1);
    const env = childEnvironment({
      ...{ DATABASE_URL: url, PORT: String(port), PITLANE_DATA_DIR: dataDir, PITLANE_ROLE: 'api' },
      ...settings,
    });
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [...shortLived, program, 'serve', '--json'], {
      env,
      stdio: ['ignore', 'pipe', full],
    });
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const asked = async () => (await fetch(`http://127.0.0.1:${port}/workshops`).catch(() => null))?.status;
    while ((await asked()) === undefined && child.exitCode === null) await sleep(50);
    assert.equal(await asked(), 401);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  };
  await serve({});
  await serve({ LOG_FORMAT: 'text' });
});
