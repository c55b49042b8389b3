/** A cluster by itself, as the tests use it: with other settings, and with an installed PostgreSQL of another version. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '#platform/db/database.ts';
import { isRunning, makeFolder, query } from '../../../../test/fixtures/embedded.ts';
import { startCluster } from './cluster.ts';

const debian15 = '/usr/lib/postgresql/15/bin';
const settings = { fsync: 'off', max_connections: '12' };

const small = ['shared_buffers = 48MB', 'io_method = sync', 'max_logical_replication_workers = 0'];

for (const [name, binDir, locale, buffers, changed] of [
  ['the embedded PostgreSQL', undefined, 'b', '48MB', small],
  ["Debian's PostgreSQL 15", debian15, 'c', '128MB', ['shared_buffers = 128MB']],
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
                current_setting('listen_addresses') AS addresses, current_setting('shared_buffers') AS buffers
           FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
      );
      assert.deepEqual(rows, [
        {
          fsync: 'off',
          connections: '12',
          rolsuper: true,
          upper: 'STRAßE É',
          locale,
          addresses: '',
          buffers,
        },
      ]);
      await assert.rejects(query(cluster.superuserUrl.replace(/:[^:@]*@/, ':x@'), 'SELECT 1'), /28P01/);
    } finally {
      await cluster.stop();
    }
    assert.equal(isRunning(cluster.pid), false);
    // The lines that an operator finds and changes.
    const lines = readFileSync(join(dir, 'postgresql.conf'), 'utf8').match(
      /^(shared_buffers|max_logical_replication_workers|io_method) = \w+/gm,
    );
    assert.deepEqual(lines, changed);
  });
}

test('two clusters run side by side', async (t) => {
  const folder = makeFolder(t);
  const clusters = await Promise.all(
    ['a', 'b'].map((name) => startCluster({ dir: join(folder, name), settings })),
  );
  try {
    assert.notEqual(clusters[0]?.superuserUrl, clusters[1]?.superuserUrl);
    for (const { superuserUrl } of clusters)
      assert.equal((await query(superuserUrl, 'SELECT 1 AS one')).length, 1);
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
});

test('always: the end of PostgreSQL is reported, also when it was killed', async (t) => {
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

test('it listens on a Unix socket in a folder that no other user may enter, and wants its password there too', async (t) => {
  const dir = join(makeFolder(t), 'data, and "more"');
  const cluster = await startCluster({ dir, settings });
  try {
    const socket = statSync(join(dir, '.s.PGSQL.5432'));
    assert.ok(socket.isSocket());
    assert.deepEqual([socket.mode & 0o777, statSync(dir).mode & 0o777], [0o700, 0o700]);
    assert.deepEqual(await query(cluster.superuserUrl, 'SELECT inet_server_addr() AS by'), [{ by: null }]);
    await assert.rejects(query(cluster.url('postgres', 'x', 'postgres'), 'SELECT 1'), /28P01/);
  } finally {
    await cluster.stop();
  }
  assert.equal(existsSync(join(dir, '.s.PGSQL.5432')), false);
});

test('with too long a path it listens on a port of 127.0.0.1', async (t) => {
  const folder = join(makeFolder(t), 'x'.repeat(100));
  mkdirSync(folder, { mode: 0o755 });
  const cluster = await startCluster({ dir: join(folder, 'data'), settings });
  try {
    assert.equal(new URL(cluster.superuserUrl).hostname, '127.0.0.1');
    const text = 'SELECT host(inet_server_addr()) AS by';
    assert.deepEqual(await query(cluster.superuserUrl, text), [{ by: '127.0.0.1' }]);
  } finally {
    await cluster.stop();
  }
});

test('on a file system that holds no sockets it listens on a port', {
  skip: !existsSync(join(debian15, 'initdb')) && 'not installed',
}, async (t) => {
  const folder = makeFolder(t);
  const binDir = join(folder, 'bin');
  mkdirSync(binDir);
  symlinkSync(join(debian15, 'initdb'), join(binDir, 'initdb'));
  // What PostgreSQL says there.
  writeFileSync(
    join(binDir, 'postgres'),
    `#!/bin/sh
case "$*" in *'unix_socket_directories="'*) echo 'FATAL:  could not create any Unix-domain sockets' >&2; exit 1;; esac
exec ${debian15}/postgres "$@"
`,
  );
  chmodSync(join(binDir, 'postgres'), 0o755);
  chmodSync(binDir, 0o755);
  const cluster = await startCluster({ dir: join(folder, 'data'), settings, binDir });
  try {
    assert.equal(new URL(cluster.superuserUrl).hostname, '127.0.0.1');
    assert.equal((await query(cluster.superuserUrl, 'SELECT 1 AS one')).length, 1);
  } finally {
    await cluster.stop();
  }
});

test('always: a socket that a killed PostgreSQL left, with the id of a living process in its lock, is no obstacle', async (t) => {
  const dir = join(makeFolder(t), 'data');
  const first = await startCluster({ dir, settings });
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  writeFileSync(join(dir, '.s.PGSQL.5432.lock'), `${process.ppid}\n${dir}\n`);
  const second = await startCluster({ dir, settings });
  try {
    assert.equal(new URL(second.superuserUrl).hostname, encodeURIComponent(dir));
    assert.equal((await query(second.superuserUrl, 'SELECT 1 AS one')).length, 1);
  } finally {
    await second.stop();
  }
});
