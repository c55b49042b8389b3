import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { deleteInBatches } from './in-batches.ts';

const { db } = await createTestDatabase();

test('rows are deleted some thousand in a statement; what others have locked, and what does not meet the condition, stays', async () => {
  await db.query('CREATE TABLE old AS SELECT n FROM generate_series(1, 11000) AS n');
  const deleted: number[] = [];
  const watching: typeof db = {
    ...db,
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const rows = await db.query<Row & { count: number }>(text, values);
      deleted.push(rows[0]?.count ?? 0);
      return rows;
    },
  };
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM old WHERE n <= 100 FOR UPDATE');
    await deleteInBatches(watching, 'old', 'n <= $1::int', [10_900]);
  });
  assert.deepEqual(deleted, [5_000, 5_000, 800]);
  assert.deepEqual(await db.query('SELECT count(*)::int AS count FROM old WHERE n <= 100 OR n > 10900'), [
    { count: 200 },
  ]);
});
