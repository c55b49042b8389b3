/** What this process takes for a time zone and what PostgreSQL makes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimezone } from '#base/values/timezone.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { DatabaseUnavailable } from './errors.ts';
import { knowsTimezone } from './time-zones.ts';

const { db } = await createTestDatabase();

test('a name is known as the server lists it; an abbreviation is not, and nothing is thrown', async () => {
  await db.transaction(async (tx) => {
    for (const name of ['Australia/Sydney', 'UTC', 'Asia/Kolkata', 'Australia/Sydney'])
      assert.ok(await knowsTimezone(tx, name), name);
    for (const name of ['AET', 'IST', 'AEST', 'australia/sydney', 'Australia/Nowhere', "x' OR true --", ''])
      assert.equal(await knowsTimezone(tx, name), false, name);
    assert.equal((await tx.query('SELECT')).length, 1, 'the transaction goes on');
  });
});

test('a server is asked once for a name that it has, by whichever of its databases, also in a transaction', async () => {
  await db.transaction(async (tx) => assert.ok(await knowsTimezone(tx, 'Pacific/Auckland')));
  const other = await createTestDatabase();
  await other.close();
  assert.ok(await knowsTimezone(other.db, 'Pacific/Auckland'));
  await assert.rejects(knowsTimezone(other.db, 'Pacific/Fiji'), DatabaseUnavailable);
});

test('short names that are taken mean the same to PostgreSQL, in summer and in winter', async () => {
  const rows = await db.query<{ name: string }>(
    `SELECT name FROM pg_timezone_names WHERE name !~ '/' ORDER BY name`,
  );
  const taken = rows.map(({ name }) => name).filter(isTimezone);
  assert.ok(taken.length > 5 && !taken.includes('CET'), taken.join());
  for (const at of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
    const shown = await db.query<{ name: string; local: string }>(
      `SELECT name, to_char($1::timestamptz AT TIME ZONE name, 'HH24:MI') AS local FROM unnest($2::text[]) AS name`,
      [at, taken],
    );
    for (const { name, local } of shown) {
      const here = Temporal.Instant.from(at).toZonedDateTimeISO(name).toPlainTime();
      assert.equal(local, here.toString({ smallestUnit: 'minute' }), name);
    }
  }
});
