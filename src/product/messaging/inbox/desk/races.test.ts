/** Races on a conversation: with texts, merges, and changes by other people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { joining, type Queryable } from '#platform/db/database.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { lockCustomers } from '#product/customers/merged/store.ts';
import { outdated, talkWorld } from '../../../../../test/fixtures/talks.ts';
import { assign } from './assign.ts';
import { markDone } from './mark.ts';

type Talk = Awaited<ReturnType<typeof conversation>>;

const { workshopId, answer, context, db, kim, ana, by, conversation, deskOf } = await talkWorld();

/** Runs `first` in a transaction, runs `second` until it waits for a lock or ends, then commits the first. */
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

test("always: an answer that arrives while its conversation is marked as done: the conversation waits, in either order (specification: Customers' answers 3)", async () => {
  const talk = await conversation();
  await meeting(
    (tx) => markDone({ ...context, db: joining(db, tx) }, talk, by),
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
    () => assert.rejects(markDone(context, { ...talk, seen: version }, by), outdated),
  );
  assert.equal((await deskOf(talk)).state, 'waiting');
});

test('always: a text that arrives during a merge belongs to the kept customer', async () => {
  const [kept, gone] = [await conversation(), await conversation()];
  await meeting(
    async (tx) => {
      await lockCustomers(tx, [kept.customerId, gone.customerId]);
      // The merge as any release writes it.
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

test('always: two people assign at once: one succeeds, the other gets the error', async () => {
  const talk = await conversation();
  const { version } = await deskOf(talk);
  const tried = await Promise.allSettled(
    [kim, ana].map(({ personId }) => assign(context, { ...talk, seen: version, personId }, by)),
  );
  assert.deepEqual(tried.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('always: two batches of texts to the same customers, through different rows of each, do not deadlock', async () => {
  const talks = [];
  for (let n = 0; n < 4; n++) talks.push(await conversation());
  const [one, two, ...others] = talks as [Talk, Talk, Talk, Talk];
  for (const [n, kept] of [one, two].entries())
    await mergeCustomers(context, {
      ...{ workshopId, actor: actors.operator },
      both: [{ customerId: kept.customerId }, { customerId: others[n]?.customerId ?? '' }],
    });
  // Directly on the pool, because the database wrapper would retry after a deadlock.
  const batch = (its: readonly Talk[]) =>
    db.pool.query(
      `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, created_at, updated_at)
       SELECT its.id, $1, its.conversation_id, its.customer_id, 'inbound', 'inbound', '', 'Hello', 'gsm7', 1, 'received', now(), now()
         FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS its (id, conversation_id, customer_id)`,
      [
        workshopId,
        its.map(() => newId()),
        its.map(({ conversationId }) => conversationId),
        its.map(({ customerId }) => customerId),
      ],
    );
  const waiting = async () =>
    (
      await db.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).length;
  const sent: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM talk WHERE customer_id = $1 FOR UPDATE', [one.customerId]);
    for (const its of [
      [one, others[1]],
      [two, others[0]],
    ]) {
      sent.push(batch(its as Talk[]));
      while ((await waiting()) < sent.length) await setImmediate();
    }
  });
  await Promise.all(sent);
  for (const talk of [one, two]) assert.equal((await deskOf(talk)).state, 'waiting');
});

test('always: statements on texts of the same customers, read in opposite order, meet in no deadlock', async (t) => {
  const talks = await Promise.all(Array.from({ length: 12 }, () => conversation()));
  // Each customer has a text of either set: what the statements share is the conversations.
  const textsOf = async () => {
    const ids = talks.map(() => newId());
    await db.query(
      `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state,
         created_at, updated_at)
       SELECT id, $1, conversation_id, customer_id, 'outbound', 'bookingNotice', '', '', 'gsm7', 1, 'accepted', now(), now()
         FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS t (id, conversation_id, customer_id)`,
      [
        workshopId,
        ids,
        talks.map(({ conversationId }) => conversationId),
        talks.map(({ customerId }) => customerId),
      ],
    );
    return ids;
  };
  const [some, others] = [await textsOf(), (await textsOf()).reverse()];
  // Connections of their own: a transaction of the product is tried again after a deadlock.
  const clients = [await db.pool.connect(), await db.pool.connect()] as const;
  t.after(() => {
    for (const client of clients) client.release(true);
  });
  // Message by message, as they are named.
  for (const client of clients)
    await client.query('SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off');
  const become = (nth: 0 | 1, states: readonly string[]) =>
    clients[nth].query(
      `UPDATE message SET state = its.state FROM unnest($1::uuid[], $2::text[]) AS its (id, state) WHERE message.id = its.id`,
      [nth === 0 ? some : others, states],
    );
  const all = (state: string) => talks.map(() => state);
  // Every other one fails, and the rest is unknown: two kinds of change in one statement.
  const mixed = talks.map((_, n) => (n % 2 === 0 ? 'failed' : 'unknown'));
  for (let round = 0; round < 20; round++)
    for (const states of [all('failed'), all('accepted'), mixed, all('accepted')])
      await Promise.all([become(0, states), become(1, states)]);

  await Promise.all([become(0, mixed), become(1, all('accepted'))]);
  const failed = await db.query<{ customerId: string; failedId: string | null }>(
    'SELECT customer_id, failed_id FROM talk WHERE customer_id = ANY ($1::uuid[])',
    [talks.map(({ customerId }) => customerId)],
  );
  assert.deepEqual(
    new Map(failed.map(({ customerId, failedId }) => [customerId, failedId])),
    new Map(talks.map(({ customerId }, n) => [customerId, some[n]])),
  );
});
