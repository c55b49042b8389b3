/** The lists of the inbox: their content, their search, and the rows that they read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findIdsAsTyped } from '#product/customers/search/find.ts';
import { keepSearchedNow } from '#product/customers/search/keep.ts';
import { assertLittleRead } from '../../../../../test/fixtures/explained.ts';
import { talkWorld } from '../../../../../test/fixtures/talks.ts';
import { expectErrors } from '../../../../../test/harness/log.ts';
import { type InboxFilter, listStatement } from '../store.ts';
import { markDone, markWaiting } from './mark.ts';
import { talkFilters } from './talk-sql.ts';

const { app, workshopId, customer, book, answer, context, db, ana, by, list, conversation, deskOf, holds } =
  await talkWorld();

test('a conversation with notices only is listed once staff mark it, or a notice fails', async () => {
  const { phone, id } = await customer();
  await book(phone);
  expectErrors(/a message is given up/);
  // The workshop gets a text about the booking too.
  app.sms.always(phone, { state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  await app.drain();
  const [{ conversationId } = assert.fail()] = await list({ filter: 'failed', limit: 1 });
  const desk = await deskOf({ conversationId });
  assert.deepEqual([desk.customerId, desk.failed, desk.state], [id, true, 'open']);
  await markDone(context, { workshopId, conversationId }, by);
  assert.deepEqual(
    [await holds({ filter: 'failed' }, desk), await holds({ filter: 'done' }, desk)],
    [false, true],
  );

  const other = await customer();
  await book(other.phone);
  await app.drain();
  const isTheirs = ({ customerId }: { readonly customerId: string }) => customerId === other.id;
  assert.equal((await list({})).some(isTheirs), false);
  const [row] = await db.query<{ id: string }>('SELECT id FROM conversation WHERE customer_id = $1', [
    other.id,
  ]);
  await markWaiting(context, { workshopId, conversationId: row?.id ?? '' }, by);
  assert.equal((await list({ filter: 'waiting' })).some(isTheirs), true);
});

test('search by name and phone; by phone only for people who see phones', async () => {
  const talk = await conversation({ name: 'Zoe Quill', firstName: 'Zoe', lastName: 'Quill' });
  await answer(talk.phone, 'Hello');
  await db.transaction((tx) => keepSearchedNow(tx, [talk.customerId]));
  const found = async (q: string, seesPhones = false, asked: Partial<InboxFilter> = {}) => {
    const { customerIds, isWhole } = await findIdsAsTyped(db, { workshopId, q, seesPhones }, 100);
    assert.ok(isWhole);
    return (await list({ ...asked, customerIds })).map(({ customerId }) => customerId);
  };
  assert.deepEqual(await found('quill'), [talk.customerId]);
  assert.deepEqual(await found('quill', false, { filter: 'done' }), []);
  assert.deepEqual(await found(talk.phone, true), [talk.customerId]);
  assert.deepEqual(await found(talk.phone), []);
  await assert.rejects(found('x'.repeat(101)), {
    errors: [{ field: 'q', message: 'must have at most 100 characters' }],
  });
});

test('each list is read by its index, on the first and on late pages, also for one person', async () => {
  await db.query(
    `WITH person AS (
       INSERT INTO customer (id, workshop_id, name, created_at, updated_at) SELECT gen_random_uuid(), $1, 'Ava', now(), now()
         FROM generate_series(1, 4000) RETURNING id),
     talk_of AS (INSERT INTO conversation (id, workshop_id, customer_id, created_at) SELECT gen_random_uuid(), $1, id, now() FROM person RETURNING *)
     INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, created_at, updated_at)
     SELECT gen_random_uuid(), $1, id, customer_id, 'outbound', 'reply', '', 'Hi', 'gsm7', 1, 'delivered', now(), now() FROM talk_of`,
    [workshopId],
  );
  await db.query(
    `UPDATE talk SET assigned_to = CASE WHEN place % 2 = 0 THEN $2::uuid END, done_at = CASE WHEN place % 3 = 0 THEN now() END,
            heard_id = CASE WHEN place % 50 = 1 THEN 'ffffffff-0000-7000-8000-000000000000'::uuid END,
            failed_id = CASE WHEN place % 7 = 1 THEN 'ffffffff-0000-7000-8000-000000000000'::uuid END
       FROM (SELECT customer_id, row_number() OVER () AS place FROM talk WHERE workshop_id = $1 AND merged_into IS NULL) AS its WHERE its.customer_id = talk.customer_id`,
    [workshopId, ana.personId],
  );
  await db.query('ANALYZE');
  const index = {
    all: 'talk_last',
    waiting: 'talk_waiting',
    done: 'talk_done',
    failed: 'talk_failed',
  } as const;
  for (const assignedTo of [null, ana.personId])
    for (const filter of talkFilters)
      for (const before of [null, '70000000-0000-7000-8000-000000000000']) {
        if (assignedTo !== null && filter !== 'all') continue;
        const statement = listStatement({ workshopId, filter, assignedTo, before, limit: 20 });
        await assertLittleRead(db, statement, {
          ...{ table: 'talk', rowsAtMost: 60 },
          index: assignedTo === null ? index[filter] : 'talk_assigned',
        });
      }
});
