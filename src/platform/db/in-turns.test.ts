/** Jobs that delete what is old share one connection, and none holds up another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import type { Database } from './database.ts';
import { inTurns, LaneEnded } from './in-turns.ts';

const { db } = await createTestDatabase();

test('statements take turns at one connection: a long job and one that fails hold up no other', async () => {
  let running = 0;
  let most = 0;
  const watching: Database = {
    ...db,
    async query(text, values) {
      most = Math.max(most, ++running);
      try {
        return await db.query(text, values);
      } finally {
        running--;
      }
    },
  };
  const { db: lane, end } = inTurns(watching);
  const ended: string[] = [];
  const long = async () => {
    for (let step = 0; step < 5; step++) await lane.query('SELECT 1');
    ended.push('long');
  };
  const failing = async () => {
    await assert.rejects(lane.query('SELECT 1 / 0'));
    ended.push('failing');
  };
  const short = async () => {
    await lane.query('SELECT 2');
    ended.push('short');
  };
  await Promise.all([long(), failing(), short()]);
  assert.equal(most, 1);
  assert.deepEqual(ended, ['failing', 'short', 'long']);
  // A process that stops waits for the statement that runs, and for no other.
  const begun = lane.query('SELECT 3');
  const waiting = lane.query('SELECT 4');
  end();
  await assert.rejects(waiting, LaneEnded);
  assert.deepEqual(await begun, [{ '?column?': 3 }]);
});
