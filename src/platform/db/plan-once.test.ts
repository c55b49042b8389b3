/** Which statements have one plan for any values on a connection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import type { Queryable } from './database.ts';
import { planOnce } from './plan-modes.ts';

const { db } = await createTestDatabase({ poolSize: 1 });
const usual = 'SELECT id FROM workshop WHERE id = $1 AND true';
const once = planOnce('SELECT id FROM workshop WHERE id = $1 AND NOT false');
const values = ['01900000-0000-7000-8000-000000000001'];

/** How often the connection planned a statement for its values, and how often it used the plan for any. */
async function plansOf(on: Queryable, text: string): Promise<readonly [custom: number, generic: number]> {
  const [row] = await on.query<{ custom: number; generic: number }>(
    'SELECT custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements WHERE statement = $1',
    [text],
  );
  return row === undefined ? [0, 0] : [row.custom, row.generic];
}

test('a statement that is planned once has the plan for any values from its first run, another has not', async () => {
  await db.query(usual, values);
  await db.query(once, values);
  await db.query(usual, values);
  await db.query(once, values);
  assert.deepEqual(
    [await plansOf(db, usual), await plansOf(db, once)],
    [
      [2, 0],
      [0, 2],
    ],
  );
});

test('also in a transaction, and after one that was rolled back', async () => {
  const refused = new Error('undo');
  const before = [await plansOf(db, usual), await plansOf(db, once)];
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(usual, values);
      await tx.query(once, values);
      throw refused;
    }),
    refused,
  );
  await db.query(once, values);
  await db.query(usual, values);
  const [[custom = 0] = [], [, generic = 0] = []] = before;
  assert.deepEqual(
    [await plansOf(db, usual), await plansOf(db, once)],
    [
      [custom + 2, 0],
      [0, generic + 2],
    ],
  );
});

test('a statement that is planned once reads no table from end to end where an index can be used; others as they like', async () => {
  const setting = `SELECT current_setting('enable_seqscan') AS scans`;
  const hot = planOnce(`${setting}, 1 AS hot`);
  const report = `${setting}, 2 AS report`;
  const scans = async (text: string) => (await db.query<{ scans: string }>(text))[0]?.scans;
  assert.deepEqual([await scans(report), await scans(hot), await scans(report)], ['on', 'off', 'on']);
});
