/** Folders in a bad state, and users who may not do everything. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  isRoot,
  makeFolder,
  nobody,
  nobodyCanRun,
  query,
  runOwner,
  usedDataDir,
} from '../../../../test/fixtures/embedded.ts';
import { until } from '../../../../test/harness/wait.ts';
import { startEmbedded } from './embedded.ts';
import { EmbeddedError } from './errors.ts';

const kept = [{ answer: 42 }];
const rootOnly = isRoot ? false : 'only root can be another user';
const needsNobody = nobodyCanRun() ? false : 'needs root, and a repository that other users can read';

async function refuses(dataDir: string, ...patterns: RegExp[]): Promise<void> {
  await assert.rejects(startEmbedded({ dataDir }), (error) => {
    assert.ok(error instanceof EmbeddedError, String(error));
    for (const pattern of [...patterns, /^[^\n]+$/]) assert.match(error.message, pattern);
    return true;
  });
}

async function startsAndKeeps(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir });
  assert.deepEqual(await query(embedded.url, 'SELECT answer FROM kept'), kept);
  await embedded.stop();
}

test('always: a first start that is killed in the middle starts over', async (t) => {
  const dataDir = join(makeFolder(t), 'data');
  const started = runOwner(t, 'serve', dataDir);
  const staged = () =>
    (existsSync(dataDir) ? readdirSync(dataDir) : []).find((name) => name.includes('.new-'));
  // initdb has written its first files, and not yet its last.
  await until('initdb works', () => existsSync(join(dataDir, staged() ?? '', 'data', 'PG_VERSION')));
  assert.equal(existsSync(join(dataDir, 'postgres')), false);
  const pid = JSON.parse(readFileSync(join(dataDir, 'owner.json'), 'utf8')).pid;
  process.kill(pid, 'SIGKILL');
  await assert.rejects(started, /SIGKILL/);
  const embedded = await startEmbedded({ dataDir });
  assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await embedded.stop();
  assert.equal(staged(), undefined);
});

test('a folder of another major version is named, and left as it is', async (t) => {
  const dataDir = await usedDataDir(t);
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await refuses(dataDir, /postgres was made by PostgreSQL 17, and this is PostgreSQL 18/);
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  await startsAndKeeps(dataDir);
});

test('a folder with other things in it is not touched', async (t) => {
  const dataDir = makeFolder(t);
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'thesis.txt'), 'x');
  await refuses(dataDir, /neither empty nor PostgreSQL's data/);
  assert.deepEqual(readdirSync(join(dataDir, 'postgres')), ['thesis.txt']);
});

test('a file in the place of the folder, or of a folder above it, is one clear line', async (t) => {
  const file = join(makeFolder(t), 'file');
  writeFileSync(file, '');
  await refuses(file, /is not a folder/);
  await refuses(join(file, 'data'), /is not a folder/);
});

test('a postmaster.pid without an id, as a crash of the machine leaves it, is no obstacle', async (t) => {
  const dataDir = await usedDataDir(t);
  for (const content of ['', '\0'.repeat(64), '\n']) {
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), content);
    await startsAndKeeps(dataDir);
  }
});

test('what PostgreSQL itself refuses is passed on in one line with the place of its log', async (t) => {
  const dataDir = await usedDataDir(t);
  writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), 'shared_buffers = lots\n');
  await refuses(
    dataDir,
    /does not start in .*: .*postgresql\.conf.*contains errors \(invalid value for parameter "shared_buffers": "lots"\) \(its log: .*postgres\.log\)/,
  );
  // The lock was let go.
  await refuses(dataDir, /does not start/);
});

test('a data folder that only root can enter works for root', { skip: rootOnly }, async (t) => {
  const folder = makeFolder(t);
  chmodSync(folder, 0o700);
  const dataDir = join(folder, 'data');
  for (const round of ['first', 'second']) {
    const embedded = await startEmbedded({ dataDir });
    assert.deepEqual(await query(embedded.url, 'SELECT 1 AS one'), [{ one: 1 }], round);
    await embedded.stop();
  }
  assert.equal(statSync(join(dataDir, 'postgres')).uid, 0);
});

test('root hands PostgreSQL to another user where that user can get in', { skip: needsNobody }, async (t) => {
  const dataDir = await usedDataDir(t);
  const embedded = await startEmbedded({ dataDir });
  const owner = statSync(join(dataDir, 'postgres'));
  assert.equal(owner.uid, nobody.uid);
  assert.equal(statSync(join(dataDir, 'postgres', 'postmaster.pid')).uid, nobody.uid);
  await embedded.stop();
});

test('a plain user can start, and root after that, and the user again', { skip: needsNobody }, async (t) => {
  const folder = join(makeFolder(t), 'home');
  mkdirSync(folder, { mode: 0o755 });
  chownSync(folder, nobody.uid, nobody.gid);
  const dataDir = join(folder, 'data');
  const asUser = async () => {
    const owner = await runOwner(t, 'serve', dataDir, nobody);
    assert.equal(owner.error, undefined);
    owner.child.kill('SIGTERM');
    assert.equal(await owner.ended, 0);
  };
  await asUser();
  const asRoot = await startEmbedded({ dataDir });
  assert.equal(statSync(join(dataDir, 'postgres', 'postmaster.pid')).uid, nobody.uid);
  await asRoot.stop();
  await asUser();
});

test('a folder of root is refused to another user in one line', { skip: needsNobody }, async (t) => {
  for (const dataDir of [await usedDataDir(t), join(makeFolder(t), 'absent')]) {
    const owner = await runOwner(t, 'serve', dataDir, nobody);
    assert.equal(owner.name, 'EmbeddedError');
    assert.match(owner.error ?? '', /^the data folder .* can't be used by this user[^\n]+PITLANE_DATA_DIR$/);
    assert.equal(await owner.ended, 1);
  }
});

test('a folder that cannot be written is refused in one line', {
  skip: isRoot && 'root writes everywhere',
}, async (t) => {
  const folder = makeFolder(t);
  chmodSync(folder, 0o555);
  await refuses(join(folder, 'data'), /can't be used by this user/);
});
