/** The outcomes of one batch lock rows in id order, whatever order they were recorded in. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { makeBacklog } from '../../../../test/fixtures/backlog.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { finishOf } from './outcome.ts';
import { recordFinish } from './store.ts';

const { db } = await createTestDatabase();

test('entries are locked by id: while another transaction holds the first, the last is not locked', async () => {
  await makeBacklog(db, { workshops: 1, messages: 5 });
  const ids = (
    await db.query<{ id: string }>('SELECT message_id AS id FROM queued_message ORDER BY message_id')
  ).map(({ id }) => id);
  const [first = '', last = ''] = [ids[0], ids.at(-1)];
  let recorded: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM queued_message WHERE message_id = $1 FOR UPDATE', [first]);
    recorded = Promise.all(
      ids.toReversed().map((messageId) =>
        recordFinish(
          db,
          finishOf({
            actor: actors.schedule,
            messageId,
            attemptId: null,
            state: 'expired',
            now: new Date(),
          }),
        ),
      ),
    );
    for (let blocked = 0; blocked === 0; ) {
      const [row] = await db.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      blocked = row?.count ?? 0;
    }
    const free = await tx.query('SELECT FROM queued_message WHERE message_id = $1 FOR UPDATE SKIP LOCKED', [
      last,
    ]);
    assert.equal(free.length, 1);
  });
  await recorded;
  assert.deepEqual(await db.query('SELECT FROM queued_message'), []);
});
