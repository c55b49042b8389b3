/** `statements.sql`: every statement of the product is one that PostgreSQL understands, on a database after all migrations. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compose, type Entry, parse } from '../scripts/statements/mirror.ts';
import { createTestDatabase } from './harness/database.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const mirror = readFileSync(`${root}statements.sql`, 'utf8');
const entries = parse(mirror);
const { db } = await createTestDatabase({ poolSize: 1 });

/** What PostgreSQL says of each that it does not understand. */
async function refused(statements: readonly Entry[]): Promise<string[]> {
  const client = await db.pool.connect();
  const found: string[] = [];
  for (const { file, name, text } of statements) {
    await client.query('DEALLOCATE ALL');
    await client
      .query(`PREPARE statement AS ${text}`)
      .catch((error: Error) => found.push(`${file}: ${name}: ${error.message}`));
  }
  client.release();
  return found;
}

test('each statement can be prepared', async () => {
  assert.ok(entries.length > 300, `only ${entries.length} statements were read`);
  assert.deepEqual(await refused(entries), []);
});

/** The types of each statement's columns, as PostgreSQL from 16 on tells them. */
async function columnsOf(statements: readonly Entry[]): Promise<string[]> {
  const client = await db.pool.connect();
  const found: string[] = [];
  try {
    for (const { file, name, text } of statements) {
      await client.query('DEALLOCATE ALL');
      const types = await client
        .query(`PREPARE statement AS ${text}`)
        .then(() =>
          client.query<{ types: string }>('SELECT result_types::text AS types FROM pg_prepared_statements'),
        )
        .then(({ rows }) => rows[0]?.types)
        .catch(({ message }: Error) => message);
      found.push(`${file}: ${name}: ${types}`);
    }
    return found;
  } finally {
    client.release(true);
  }
}

test('a further column of each table changes no result, so that statements prepared before a migration go on', async (t) => {
  const [server] = await db.query<{ number: number }>(
    "SELECT current_setting('server_version_num')::int AS number",
  );
  if ((server?.number ?? 0) < 160_000) return t.skip('only PostgreSQL from 16 on tells the columns');
  const before = await columnsOf(entries);
  await db.pool.query(`DO $$ DECLARE one regclass; BEGIN
    FOR one IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s ADD COLUMN of_a_later_release int', one); END LOOP; END $$`);
  assert.deepEqual(await columnsOf(entries), before);
});

test('one that can not is named by its file', async () => {
  const broken = [
    { file: 'src/product/bookings/store.ts', name: 'readBooking', text: 'SELECT colour FROM booking' },
  ];
  assert.deepEqual(await refused(broken), [
    'src/product/bookings/store.ts: readBooking: column "colour" does not exist',
  ]);
});

test('the file is in order, and each statement stands below a file that has its declaration', () => {
  assert.equal(compose(entries), mirror);
  const lost = entries.filter(({ file, name }) => {
    const path = `${root}${file}`;
    return !existsSync(path) || !new RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8'));
  });
  assert.deepEqual(
    lost.map(({ file, name }) => `${file}: ${name}`),
    [],
  );
});
