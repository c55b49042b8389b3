import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { run } from './database.ts';
import { planByIndex, planEachTime, planOnce } from './plan-modes.ts';
import { planOnly } from './plan-only.ts';
import { nameOf } from './prepared.ts';

const { db } = await createTestDatabase({ poolSize: 1 });

test('a statement that is only planned has run on no values, and is planned later as it was to be', async () => {
  const text = (n: number) => `SELECT FROM business_clock WHERE advance_seconds = $1 AND ${n} = ${n}`;
  const texts = [text(0), planOnce(text(1)), planByIndex(text(2)), planEachTime(text(3))];
  const client = await db.pool.connect();
  const plans = async () => {
    const { rows } = await client.query<{ plans: number[] }>(
      `SELECT ARRAY[generic_plans, custom_plans]::int[] AS plans FROM pg_prepared_statements
         JOIN unnest($1::text[]) WITH ORDINALITY AS wanted (name, ordinal) USING (name) ORDER BY ordinal`,
      [texts.map(nameOf)],
    );
    return rows.map((row) => row.plans);
  };
  try {
    await planOnly(client, texts);
    assert.deepEqual(await plans(), Array(4).fill([1, 0]));
    for (const each of texts) await run(client, each, [1]);
    assert.deepEqual(await plans(), [
      [1, 1],
      [2, 0],
      [1, 1],
      [1, 1],
    ]);
  } finally {
    client.release();
  }
});
