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
