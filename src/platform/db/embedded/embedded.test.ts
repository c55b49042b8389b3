/** The embedded PostgreSQL of a data folder: first start, later starts, and what the application gets. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder, query, usedDataDir } from '../../../../test/fixtures/embedded.ts';
import { endedEarly, startEmbedded } from './embedded.ts';

test('a first start makes the folder, and the application gets a database of its own', async (t) => {
  const dataDir = join(makeFolder(t), 'deep', 'data');
  const embedded = await startEmbedded({ dataDir });
  try {
    assert.deepEqual(
      await query(
        embedded.url,
        `SELECT current_user::text AS me, rolsuper, rolcreatedb, rolcreaterole, rolreplication,
                datlocprovider::text, datlocale, pg_encoding_to_char(encoding)::text AS encoding, datdba = r.oid AS owner
           FROM pg_roles r, pg_database WHERE rolname = current_user AND datname = current_database()`,
      ),
      [
        {
          me: 'pitlane',
          rolsuper: false,
          rolcreatedb: false,
          rolcreaterole: false,
          rolreplication: false,
          datlocprovider: 'b',
          datlocale: 'C.UTF-8',
          encoding: 'UTF8',
          owner: true,
        },
      ],
    );
    await query(embedded.url, 'CREATE TABLE mine (id integer)');
    const settings = await query(
      embedded.url,
      `SELECT name, setting FROM pg_settings
        WHERE name IN ('fsync', 'listen_addresses', 'password_encryption') ORDER BY name`,
    );
    assert.deepEqual(
      settings.map((row) => [row['name'], row['setting']]),
      [
        ['fsync', 'on'],
        ['listen_addresses', ''],
        ['password_encryption', 'scram-sha-256'],
      ],
    );
  } finally {
    await embedded.stop();
  }
  await embedded.ended;
  assert.equal(existsSync(join(dataDir, 'postgres', 'postmaster.pid')), false);
  assert.equal(existsSync(join(dataDir, 'owner.json')), false);
});

test('nobody gets in without the password, and only their owner can read the files that hold it', async (t) => {
  const dataDir = await usedDataDir(t);
  const embedded = await startEmbedded({ dataDir });
  try {
    const url = new URL(embedded.url);
    for (const [user, password] of [
      ['pitlane', ''],
      ['pitlane', 'guess'],
      ['postgres', url.password],
    ]) {
      url.username = user ?? '';
      url.password = password ?? '';
      await assert.rejects(
        query(url.href, 'SELECT 1'),
        /28P01|client password must be a string/,
        `${user} with "${password}"`,
      );
    }
    for (const name of ['owner.json', 'owner.lock', 'postgres.log', 'postgres/superuser-password']) {
      assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600, name);
    }
    assert.equal(statSync(join(dataDir, 'postgres')).mode & 0o777, 0o700);
  } finally {
    await embedded.stop();
  }
});

test('a second start keeps the data', async (t) => {
  const dataDir = await usedDataDir(t);
  for (const round of ['second', 'third']) {
    const embedded = await startEmbedded({ dataDir });
    assert.deepEqual(await query(embedded.url, 'SELECT answer FROM kept'), [{ answer: 42 }], round);
    await embedded.stop();
  }
});

test('stopping with open connections is quick, can be asked for twice, and is written to disk in order', async (t) => {
  const dataDir = await usedDataDir(t);
  const embedded = await startEmbedded({ dataDir });
  const sleeping = query(embedded.url, 'SELECT pg_sleep(60)');
  const refused = assert.rejects(sleeping);
  await Promise.all([embedded.stop(), embedded.stop()]);
  await refused;
  assert.match(readFileSync(join(dataDir, 'postgres.log'), 'utf8'), /database system is shut down\n$/);
});

test('a role or database that an interrupted first start left out is made', async (t) => {
  const dataDir = await usedDataDir(t);
  const first = await startEmbedded({ dataDir });
  const admin = new URL(first.url);
  admin.username = 'postgres';
  admin.password = readFileSync(join(dataDir, 'postgres', 'superuser-password'), 'utf8').trim();
  admin.pathname = 'postgres';
  await query(admin.href, 'DROP DATABASE pitlane');
  await query(admin.href, 'DROP ROLE pitlane');
  await first.stop();
  const second = await startEmbedded({ dataDir });
  assert.deepEqual(await query(second.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await second.stop();
});

test('a PostgreSQL that ended is said to have, also where its log can not be read', (t) => {
  assert.match(
    endedEarly(makeFolder(t)).message,
    /^the embedded PostgreSQL has ended \(its log: .*postgres\.log\)$/,
  );
});
