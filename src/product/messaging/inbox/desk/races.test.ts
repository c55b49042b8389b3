/** What meets a conversation at the same time: texts, merges, other people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { newId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';
import { lockCustomers } from '#product/customers/merged/store.ts';
import { outdated, talkWorld } from '../../../../../test/fixtures/talks.ts';
import { assign } from './assign.ts';
import { markDone } from './mark.ts';

const { workshopId, answer, context, db, kim, ana, by, conversation, deskOf } = await talkWorld();

/** Runs `first` in a transaction, then `second` until it waits or is done, and commits. */
async function meeting(first: (tx: Queryable) => Promise<unknown>, second: () => Promise<unknown>) {
  let isDone = false;
  let met: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await first(tx);
    met = second().finally(() => {
      isDone = true;
    });
    const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while (!isDone && (await db.query(sql)).length === 0) await setImmediate();
  });
  await met;
}

test('an answer that arrives while its conversation is being marked as done: it waits, whichever is first', async () => {
  const talk = await conversation();
  const within = (tx: Queryable) => ({
    ...context,
    db: { ...db, transaction: (work: (its: Queryable) => Promise<unknown>) => work(tx) },
  });
  await meeting(
    (tx) => markDone(within(tx) as typeof context, talk, by),
    () => answer(talk.phone, 'One more thing'),
  );
  assert.equal((await deskOf(talk)).state, 'waiting');

  const { version } = await deskOf(talk);
  await meeting(
    (tx) =>
      tx.query(
        `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'inbound', 'inbound', '', 'And another', 'gsm7', 1, 'received', now(), now())`,
        [newId(), workshopId, talk.conversationId, talk.customerId],
      ),
    () => assert.rejects(markDone(context, { ...talk, version }, by), outdated),
  );
  assert.equal((await deskOf(talk)).state, 'waiting');
});

test('a text that arrives during a merge is of the one who is kept', async () => {
  const [kept, gone] = [await conversation(), await conversation()];
  await meeting(
    async (tx) => {
      await lockCustomers(tx, [kept.customerId, gone.customerId]);
      // As any release writes it.
      await tx.query('UPDATE customer SET merged_into = $2 WHERE id = $1', [
        gone.customerId,
        kept.customerId,
      ]);
    },
    () => answer(gone.phone, 'Hello?'),
  );
  const { state, conversationId } = await deskOf(kept);
  assert.deepEqual([state, conversationId], ['waiting', gone.conversationId]);
});

test('two people at once: one has it, the other is told', async () => {
  const talk = await conversation();
  const { version } = await deskOf(talk);
  const tried = await Promise.allSettled(
    [kim, ana].map(({ personId }) => assign(context, { ...talk, version, personId }, by)),
  );
  assert.deepEqual(tried.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});
