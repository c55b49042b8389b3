/** Containers that are killed and started again: each gives out the same process ids as the one before. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  inNamespace,
  lacksNamespaces,
  makeFolder,
  postmasterOf,
  query,
  runOwner,
  usedDataDir,
} from '../../../../test/fixtures/embedded.ts';
import { until } from '../../../../test/harness/wait.ts';

const skip = lacksNamespaces();
const text = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Starts in a container and kills it once `isThere`; the start may be over by then. */
async function killAt(t: TestContext, dataDir: string, what: string, isThere: () => boolean): Promise<void> {
  let child: ChildProcess | undefined;
  const owner = runOwner(t, 'serve', dataDir, {
    prefix: inNamespace,
    started: (started) => {
      child = started;
    },
  });
  const settled = owner.then(
    () => true,
    () => true,
  );
  await until(what, isThere);
  if (child !== undefined) await kill(child);
  await settled;
}

test('always: a killed container starts again, at whichever point of its start it was killed', {
  skip,
}, async (t) => {
  const dataDir = await usedDataDir(t);
  const [cluster, owner] = [join(dataDir, 'postgres'), join(dataDir, 'owner.json')];
  const postmasters = new Set<number>();
  let rows = 1;
  /** Each start finds what was written before, and is killed when it serves. */
  const serves = async (after: string) => {
    const server = await runOwner(t, 'serve', dataDir, { prefix: inNamespace });
    assert.equal(server.error, undefined, `after ${after}`);
    postmasters.add(postmasterOf(dataDir));
    const [kept] = await query(server.url, 'SELECT count(*)::int AS n FROM kept');
    assert.deepEqual(kept, { n: rows }, after);
    await query(server.url, 'INSERT INTO kept VALUES (43)');
    rows++;
    await kill(server.child);
  };
  await serves('an orderly stop');
  await serves('a kill');
  assert.equal(postmasters.size, 1, 'the ids were not given out again: nothing was tested');

  let before = '';
  const changed = (path: string) => text(path) !== before;
  const stages: readonly (readonly [what: string, path: string, isThere: (path: string) => boolean])[] = [
    ['the folder is taken', owner, (path) => changed(path) && text(path) !== ''],
    [
      'PostgreSQL has written its file',
      join(cluster, 'postmaster.pid'),
      (path) => changed(path) && text(path) !== '',
    ],
    [
      'PostgreSQL recovers',
      join(dataDir, 'postgres.log'),
      // Where the kill left PostgreSQL the time for a checkpoint, there is nothing to redo.
      (path) => changed(path) && /redo starts|was shut down at/.test(text(path)),
    ],
    [
      'PostgreSQL is ready',
      join(dataDir, 'postgres.log'),
      (path) => changed(path) && /accept/.test(text(path)),
    ],
  ];
  for (const [what, path, isThere] of stages) {
    before = text(path);
    await killAt(t, dataDir, what, () => isThere(path));
    await serves(what);
  }
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.includes('.new')),
    [],
  );
});

test('so does one whose first start was killed', { skip }, async (t) => {
  const dataDir = join(makeFolder(t), 'data');
  const cluster = join(dataDir, 'postgres');
  const staged = () =>
    (existsSync(dataDir) ? readdirSync(dataDir) : []).find((name) => name.includes('.new-'));
  await killAt(t, dataDir, 'initdb works', () =>
    existsSync(join(dataDir, staged() ?? '', 'data', 'PG_VERSION')),
  );
  await killAt(t, dataDir, 'the cluster is made', () => existsSync(join(cluster, 'postmaster.pid')));
  const server = await runOwner(t, 'serve', dataDir, { prefix: inNamespace });
  assert.equal(server.error, undefined);
  assert.deepEqual(await query(server.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal(staged(), undefined);
  await kill(server.child);
});
