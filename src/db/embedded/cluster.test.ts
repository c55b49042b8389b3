/** A cluster by itself, as the tests use it: with other settings, and with an installed PostgreSQL of another version. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '#db/database.ts';
import { isRunning, makeFolder, query } from '../../../test/fixtures/embedded.ts';
import { startCluster } from './cluster.ts';

const debian15 = '/usr/lib/postgresql/15/bin';
const settings = { fsync: 'off', max_connections: '12' };

for (const [name, binDir, locale] of [
  ['the embedded PostgreSQL', undefined, 'b'],
  ["Debian's PostgreSQL 15", debian15, 'c'],
] as const) {
  const skip = binDir !== undefined && !existsSync(join(binDir, 'initdb')) && 'not installed';
  test(`${name} takes settings, lets the superuser in, and knows letters`, { skip }, async (t) => {
    const dir = join(makeFolder(t), 'data');
    const cluster = await startCluster({ dir, settings, ...(binDir === undefined ? {} : { binDir }) });
    try {
      const rows = await query(
        cluster.superuserUrl,
        `SELECT current_setting('fsync') AS fsync, current_setting('max_connections') AS connections, rolsuper,
                upper('straße é') AS upper, datlocprovider::text AS locale,
                current_setting('unix_socket_directories') AS sockets
           FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
      );
      assert.deepEqual(rows, [
        { fsync: 'off', connections: '12', rolsuper: true, upper: 'STRAßE É', locale, sockets: '' },
      ]);
      await assert.rejects(query(cluster.superuserUrl.replace(/:[^:@]*@/, ':x@'), 'SELECT 1'), /28P01/);
    } finally {
      await cluster.stop();
    }
    assert.equal(isRunning(cluster.pid), false);
  });
}

test('two clusters run side by side', async (t) => {
  const folder = makeFolder(t);
  const clusters = await Promise.all(
    ['a', 'b'].map((name) => startCluster({ dir: join(folder, name), settings })),
  );
  try {
    assert.notEqual(clusters[0]?.port, clusters[1]?.port);
    for (const { superuserUrl } of clusters)
      assert.equal((await query(superuserUrl, 'SELECT 1 AS one')).length, 1);
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
});

test('the end of PostgreSQL is told, when it was killed too', async (t) => {
  const cluster = await startCluster({ dir: join(makeFolder(t), 'data'), settings });
  process.kill(cluster.pid, 'SIGKILL');
  await cluster.ended;
  await cluster.stop();
  assert.equal(isRunning(cluster.pid), false);
});

test('a polite kill by somebody else ends PostgreSQL although we are connected', async (t) => {
  const cluster = await startCluster({ dir: join(makeFolder(t), 'data'), settings });
  const db = openDatabase({ url: cluster.superuserUrl, poolSize: 1, applicationName: 'test' });
  try {
    await db.query('SELECT 1 AS one');
    process.kill(cluster.pid, 'SIGTERM');
    await cluster.ended;
  } finally {
    await db.close();
    await cluster.stop();
  }
});
