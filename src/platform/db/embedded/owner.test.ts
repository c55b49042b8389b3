/** Who may use a data folder, and its state after a user of it is killed. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isRunning, postmasterOf, query, runOwner, usedDataDir } from '../../../../test/fixtures/embedded.ts';
import { until } from '../../../../test/harness/wait.ts';
import { borrowEmbedded, startEmbedded } from './embedded.ts';
import { EmbeddedError } from './errors.ts';
import { readOwner } from './owner.ts';

const kept = [{ answer: 42 }];
const readKept = (url: string) => query(url, 'SELECT answer FROM kept');

test('a second server is refused in one line that names the first and the folder', async (t) => {
  const dataDir = await usedDataDir(t);
  const first = await runOwner(t, 'serve', dataDir);
  await assert.rejects(startEmbedded({ dataDir }), (error) => {
    assert.ok(error instanceof EmbeddedError);
    assert.ok(error.message.includes(`process ${first.child.pid}`), error.message);
    assert.ok(error.message.includes(dataDir), error.message);
    assert.ok(!error.message.includes('\n'));
    return true;
  });
  assert.deepEqual(await readKept(first.url), kept);
});

test('a server that is stopping is waited for', async (t) => {
  const dataDir = await usedDataDir(t);
  const first = await runOwner(t, 'serve', dataDir);
  first.child.kill('SIGTERM');
  await until('the first server says that it stops', () => readOwner(dataDir)?.stopping !== false);
  const second = await startEmbedded({ dataDir });
  assert.deepEqual(await readKept(second.url), kept);
  await second.stop();
  assert.equal(await first.ended, 0);
});

test('a command uses the PostgreSQL of the running server, and leaves it running', async (t) => {
  const dataDir = await usedDataDir(t);
  const server = await runOwner(t, 'serve', dataDir);
  const borrowed = await borrowEmbedded({ dataDir });
  assert.equal(borrowed.attached, true);
  assert.equal(borrowed.url, server.url);
  await borrowed.stop();
  assert.deepEqual(await readKept(server.url), kept);
});

test('without a server a command starts PostgreSQL, and a server waits until it is done', async (t) => {
  const dataDir = await usedDataDir(t);
  const command = await runOwner(t, 'borrow', dataDir);
  assert.equal(command.attached, false);
  assert.deepEqual(await readKept(command.url), kept);
  const server = startEmbedded({ dataDir });
  command.child.stdin?.end();
  const embedded = await server;
  assert.equal(await command.ended, 0);
  assert.deepEqual(await readKept(embedded.url), kept);
  await embedded.stop();
});

test('commands at the same time take turns', async (t) => {
  const dataDir = await usedDataDir(t);
  const answers = await Promise.all(
    [1, 2, 3].map(async () => {
      const borrowed = await borrowEmbedded({ dataDir });
      const rows = await readKept(borrowed.url);
      await borrowed.stop();
      return rows;
    }),
  );
  assert.deepEqual(answers, [kept, kept, kept]);
});

test('always: after a kill -9 PostgreSQL ends by itself, and the next start finds the data', async (t) => {
  const dataDir = await usedDataDir(t);
  const killed = await runOwner(t, 'serve', dataDir);
  await query(killed.url, 'INSERT INTO kept VALUES (43)');
  const postmaster = postmasterOf(dataDir);
  killed.child.kill('SIGKILL');
  if (process.platform === 'linux') await until('PostgreSQL ends', () => !isRunning(postmaster));
  const next = await startEmbedded({ dataDir });
  assert.equal(isRunning(postmaster), false);
  assert.deepEqual(await query(next.url, 'SELECT answer FROM kept ORDER BY answer'), [
    { answer: 42 },
    { answer: 43 },
  ]);
  await next.stop();
});

test('always: the lock of a killed owner is free at once, while its PostgreSQL may still be ending', async (t) => {
  const dataDir = await usedDataDir(t);
  const killed = await runOwner(t, 'serve', dataDir);
  const postmaster = postmasterOf(dataDir);
  killed.child.kill('SIGKILL');
  const next = await startEmbedded({ dataDir });
  assert.equal(isRunning(postmaster), false);
  assert.deepEqual(await readKept(next.url), kept);
  await next.stop();
});

test('a PostgreSQL that was left over is stopped', async (t) => {
  const dataDir = await usedDataDir(t);
  // It runs in the folder, and nobody holds the lock: what a kill -9 leaves where the kernel sends no death signal.
  await runOwner(t, 'cluster', dataDir);
  const postmaster = postmasterOf(dataDir);
  const embedded = await startEmbedded({ dataDir });
  assert.equal(isRunning(postmaster), false);
  assert.notEqual(postmasterOf(dataDir), postmaster);
  assert.deepEqual(await readKept(embedded.url), kept);
  await embedded.stop();
});

test('always: a PostgreSQL killed with its owner recovers', async (t) => {
  const dataDir = await usedDataDir(t);
  const killed = await runOwner(t, 'serve', dataDir);
  await query(killed.url, 'INSERT INTO kept VALUES (43)');
  process.kill(postmasterOf(dataDir), 'SIGKILL');
  killed.child.kill('SIGKILL');
  const next = await startEmbedded({ dataDir });
  assert.deepEqual(await query(next.url, 'SELECT count(*)::int AS n FROM kept'), [{ n: 2 }]);
  await next.stop();
});

test('a process that was given the id of a dead PostgreSQL or owner is no obstacle and comes to no harm', async (t) => {
  const [dataDir, otherDir] = [await usedDataDir(t), await usedDataDir(t)];
  const stranger = await runOwner(t, 'serve', otherDir);
  // The stranger is a PostgreSQL too, of the same user, but of another folder.
  writeFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    readFileSync(join(otherDir, 'postgres', 'postmaster.pid')),
  );
  writeFileSync(
    join(dataDir, 'owner.json'),
    JSON.stringify({ pid: process.pid, purpose: 'server', url: null }),
  );
  const embedded = await startEmbedded({ dataDir });
  assert.deepEqual(await readKept(embedded.url), kept);
  assert.deepEqual(await readKept(stranger.url), kept);
  await embedded.stop();
});
