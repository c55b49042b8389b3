/** Tables are analysed once, when they have some hundred rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { openDatabase } from './database.ts';
import { analyseYoungTables } from './young-tables.ts';

const { db, url } = await createTestDatabase();

/** By one connection, which then tells at once what it has written. */
async function insertWorkers(from: number, to: number): Promise<void> {
  const client = await db.pool.connect();
  await client.query(
    `INSERT INTO worker (id, started_at, seen_at)
     SELECT 'worker ' || n, clock_timestamp(), clock_timestamp() FROM generate_series($1::int, $2::int) n`,
    [from, to],
  );
  await client.query('SELECT pg_stat_force_next_flush()');
  client.release();
}

const estimate = async () =>
  (
    await db.query<{ rows: number }>(`SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'worker'`)
  )[0];

test('not while it has few rows', async () => {
  await insertWorkers(1, 299);
  assert.deepEqual(await analyseYoungTables(db), []);
  assert.deepEqual(await estimate(), { rows: -1 });
});

test('by one of many processes, or by each; and once', async () => {
  await insertWorkers(300, 400);
  const others = Array.from({ length: 4 }, () =>
    openDatabase({ url, poolSize: 1, applicationName: 'other' }),
  );
  const found = await Promise.all(others.map(analyseYoungTables));
  await Promise.all(others.map((other) => other.close()));
  assert.ok(found.some((names) => names.includes('public.worker')));
  assert.deepEqual(await estimate(), { rows: 400 });
  await insertWorkers(401, 5_000);
  assert.deepEqual(await analyseYoungTables(db), []);
  assert.deepEqual(await estimate(), { rows: 400 });
});

test('one that another holds is left to it, without a wait', async () => {
  const client = await db.pool.connect();
  await client.query(`INSERT INTO sign_in_attempt SELECT int4send(n), '{}' FROM generate_series(1, 500) n`);
  await client.query('SELECT pg_stat_force_next_flush()');
  await client.query('BEGIN');
  await client.query('LOCK TABLE sign_in_attempt IN SHARE UPDATE EXCLUSIVE MODE');
  await analyseYoungTables(db);
  const has = `SELECT count(*)::int AS n FROM pg_stats WHERE tablename = 'sign_in_attempt'`;
  assert.deepEqual(await db.query(has), [{ n: 0 }]);
  await client.query('COMMIT');
  client.release();
  await analyseYoungTables(db);
  assert.deepEqual(await db.query(has), [{ n: 2 }]);
});

test('one that was analysed while it was empty is analysed again', async () => {
  const client = await db.pool.connect();
  await client.query('ANALYZE page_use');
  await client.query(
    `INSERT INTO page_use SELECT 'phone', n, '{}', NULL, clock_timestamp() FROM generate_series(1, 500) n`,
  );
  await client.query('SELECT pg_stat_force_next_flush()');
  client.release();
  assert.deepEqual(await analyseYoungTables(db), ['public.page_use']);
});

test('tables of another role are not analysed', async () => {
  const names = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE NOT pg_has_role(relowner, 'USAGE') AND relnamespace = 'public'::regnamespace`,
  );
  assert.deepEqual(names, []);
  assert.deepEqual(await analyseYoungTables(db), []);
});
