/** Work that refers to a row which another transaction has deleted meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { violatedConstraint } from './errors.ts';

test('always: what refers to a row that was deleted meanwhile looks again; one that refers to nothing fails in the end', async () => {
  const { db } = await createTestDatabase();
  await db.pool.query(
    'CREATE TABLE held (id int PRIMARY KEY); CREATE TABLE holds (held_id int REFERENCES held)',
  );
  await db.pool.query('INSERT INTO held VALUES (1), (2)');
  const kept = await db.transaction(async (tx) => {
    const [first] = await tx.query<{ id: number }>('SELECT id FROM held ORDER BY id LIMIT 1');
    // Another transaction deletes it after it was read.
    if (first?.id === 1) await db.pool.query('DELETE FROM held WHERE id = 1');
    await tx.query('INSERT INTO holds VALUES ($1)', [first?.id]);
    return first?.id;
  });
  assert.equal(kept, 2);
  assert.deepEqual(await db.query('SELECT * FROM holds'), [{ heldId: 2 }]);
  await assert.rejects(
    db.query('INSERT INTO holds VALUES (3)'),
    (error) => violatedConstraint(error) === 'holds_held_id_fkey',
  );
});
