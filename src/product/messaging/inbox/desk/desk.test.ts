/** What staff do with a conversation: once each, by version, of their own workshop, in the trail; and what meets it at the same time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { listTrail } from '#platform/audit/read/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { lockCustomers } from '#product/customers/merged/store.ts';
import { keepSearchedNow } from '#product/customers/search/keep.ts';
import { changeMember } from '#product/people/members/change.ts';
import { removeFrom } from '#product/people/remove.ts';
import { assertLittleRead } from '../../../../../test/fixtures/explained.ts';
import { inboundWorld } from '../../../../../test/fixtures/inbound.ts';
import { messagingWorld } from '../../../../../test/fixtures/messaging.ts';
import { newPerson, newWorkshop } from '../../../../../test/fixtures/people.ts';
import { expectErrors } from '../../../../../test/harness/log.ts';
import { type InboxFilter, listConversations, listMessages, listStatement } from '../store.ts';
import { addNote } from './add-note.ts';
import { assign } from './assign.ts';
import { markDone, markWaiting } from './mark.ts';
import { findDesk, listNotes } from './store.ts';
import { talkFilters } from './talk-sql.ts';

const { app, workshopId, send, customer, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context } = app;
const { db } = context;
const kim = await newPerson(db, 'kim@carlton.example', { workshopId, role: 'owner' });
const ana = await newPerson(db, 'ana@carlton.example', { workshopId, role: 'viewer' });
const by = actors.person(kim.personId, 'r-1');
const elsewhere = await newWorkshop(db);

async function conversation(changes: Parameters<typeof customer>[0] = {}) {
  const { phone, id } = await customer(changes);
  const { sms } = await send({ phone });
  return { phone, customerId: id, conversationId: sms.conversationId as string, workshopId };
}
const deskOf = async ({ conversationId }: { readonly conversationId: string }) =>
  (await findDesk(db, workshopId, conversationId)) ?? assert.fail();
const list = (asked: Partial<InboxFilter>) =>
  listConversations(db, {
    ...{ workshopId, filter: 'all', assignedTo: null, search: null, before: null, limit: 100 },
    ...asked,
  });
const holds = async (asked: Partial<InboxFilter>, { conversationId }: { readonly conversationId: string }) =>
  (await list(asked)).some((row) => row.conversationId === conversationId);
const trail = async (customerId: string) =>
  (await listTrail(db, { workshopId, subjectId: customerId, before: null, limit: 20 })).map(
    (entry) => entry.action,
  );
const outdated = { errorCode: '000010' };

test('done, waiting again and assigned: each once, for whoever saw the present version, and in the trail', async () => {
  const talk = await conversation();
  await answer(talk.phone, 'Is it ready?');
  const { version, state } = await deskOf(talk);
  assert.equal(state, 'waiting');
  const done = await markDone(context, { ...talk, version }, by);
  assert.deepEqual(
    [done.state, done.version, await holds({ filter: 'done' }, talk)],
    ['done', version + 1, true],
  );
  // By a second tab, whose version is the one before.
  assert.equal((await markDone(context, { ...talk, version }, by)).version, done.version);
  await assert.rejects(markWaiting(context, { ...talk, version }, by), outdated);
  const again = await markWaiting(context, { ...talk, version: done.version }, by);
  assert.deepEqual([again.state, await holds({ filter: 'waiting' }, talk)], ['waiting', true]);

  const mine = await assign(context, { ...talk, personId: kim.personId }, by);
  assert.deepEqual(mine.assignedTo, { personId: kim.personId, name: 'Kim Lee' });
  await assign(context, { ...talk, personId: kim.personId.toUpperCase() }, by);
  assert.deepEqual(
    [
      await holds({ assignedTo: kim.personId }, talk),
      await holds({ assignedTo: kim.personId, filter: 'waiting' }, talk),
      await holds({ assignedTo: ana.personId }, talk),
    ],
    [true, true, false],
  );
  await send({ phone: talk.phone });
  assert.equal((await deskOf(talk)).state, 'open', 'what is sent ends the waiting');
  assert.deepEqual((await assign(context, { ...talk, personId: null }, by)).assignedTo, null);
  assert.deepEqual(
    (await trail(talk.customerId)).filter((action) => action.startsWith('customer.talk')),
    ['customer.talkUnassigned', 'customer.talkAssigned', 'customer.talkReopened', 'customer.talkDone'],
  );
});

test('only one of the workshop’s people has a conversation; whoever leaves it has none', async () => {
  const talk = await conversation();
  const stranger = await newPerson(db, 'x@other.example', { workshopId: elsewhere, role: 'owner' });
  for (const personId of [stranger.personId, newId(), 'x'])
    await assert.rejects(assign(context, { ...talk, personId }, by), /nobody of this workshop/);
  const lee = await newPerson(db, 'lee@carlton.example', { workshopId, role: 'adviser' });
  await assign(context, { ...talk, personId: lee.personId }, by);
  await changeMember(
    context,
    actors.operator,
    { workshopId, personId: lee.personId },
    { role: 'technician' },
  );
  assert.equal((await deskOf(talk)).assignedTo?.name, 'Kim Lee');
  await removeFrom(context, actors.operator, lee.personId, { workshopId });
  assert.equal((await deskOf(talk)).assignedTo, null);
  assert.deepEqual(await list({ assignedTo: lee.personId }), []);
});

test('a note is for staff alone: no message, no text, no change of the conversation', async () => {
  const talk = await conversation();
  app.sms.clear();
  const before = await deskOf(talk);
  const { noteId } = await addNote(context, { ...talk, text: '  Rang her: Friday.  ' }, by);
  await addNote(context, { ...talk, text: 'x'.repeat(2_000) }, actors.operator);
  for (const text of [' ', 'x'.repeat(2_001)])
    await assert.rejects(addNote(context, { ...talk, text }, by), {
      errors: [{ field: 'text', message: 'must have 1 to 2,000 characters' }],
    });
  await app.drain();
  assert.deepEqual([app.sms.to(talk.phone), await deskOf(talk)], [[], before]);
  assert.equal(
    (await listMessages(db, { conversationId: talk.conversationId, before: null, limit: 9 })).length,
    1,
  );
  const [newest, oldest] = await listNotes(db, { ...talk, limit: 2 });
  assert.deepEqual([newest?.name, newest?.actor], [null, 'operator']);
  assert.deepEqual([oldest?.noteId, oldest?.text, oldest?.name], [noteId, 'Rang her: Friday.', 'Kim Lee']);
  const older = await listNotes(db, { ...talk, before: newest?.noteId ?? null, limit: 2 });
  assert.deepEqual(
    older.map((note) => note.noteId),
    [noteId],
  );
  const entries = await listTrail(db, { workshopId, subjectId: talk.customerId, before: null, limit: 9 });
  assert.doesNotMatch(JSON.stringify(entries), /Friday/);
});

test('a conversation of another workshop is none', async () => {
  const talk = { ...(await conversation()), workshopId: elsewhere };
  const verbs = [
    () => markDone(context, talk, by),
    () => markWaiting(context, talk, by),
    () => assign(context, { ...talk, personId: null }, by),
    () => addNote(context, { ...talk, text: 'x' }, by),
    () => markDone(context, { ...talk, conversationId: 'x' }, by),
  ];
  for (const verb of verbs) await assert.rejects(verb(), { errorCode: '040001' });
  assert.equal(await findDesk(db, elsewhere, talk.conversationId), null);
  assert.deepEqual(await listNotes(db, { ...talk, limit: 9 }), []);
  assert.deepEqual(await list({ workshopId: elsewhere }), []);
});

test('what belongs into the commit fails with it', async () => {
  const talk = await conversation();
  const fail = () => Promise.reject(new Error('no'));
  for (const verb of [
    markDone(context, talk, by, fail),
    assign(context, { ...talk, personId: kim.personId }, by, fail),
    addNote(context, { ...talk, text: 'x' }, by, fail),
  ])
    await assert.rejects(verb, /no/);
  const { state, assignedTo } = await deskOf(talk);
  assert.deepEqual([state, assignedTo, await listNotes(db, { ...talk, limit: 9 })], ['open', null, []]);
});

test('two who were merged are one talk: assignee and notes of both, done if both are, and an old form is outdated', async () => {
  const [kept, gone] = [await conversation(), await conversation()];
  await assign(context, { ...gone, personId: ana.personId }, by);
  await addNote(context, { ...kept, text: 'of the first' }, by);
  await addNote(context, { ...gone, text: 'of the second' }, by);
  await markDone(context, gone, by);
  const { version } = await deskOf(gone);
  await mergeCustomers(context, {
    ...{ workshopId, actor: actors.operator },
    both: [{ customerId: kept.customerId }, { customerId: gone.customerId }],
  });
  for (const { conversationId } of [kept, gone]) {
    const desk = await deskOf({ conversationId });
    assert.deepEqual(
      [desk.customerId, desk.conversationId, desk.phone, desk.state, desk.assignedTo?.personId],
      [kept.customerId, gone.conversationId, gone.phone, 'open', ana.personId],
    );
    assert.deepEqual(
      (await listNotes(db, { workshopId, conversationId, limit: 9 })).map(({ text }) => text),
      ['of the second', 'of the first'],
    );
  }
  await assert.rejects(markDone(context, { ...gone, version }, by), outdated);
  await markDone(context, kept, by);
  // An answer to either number.
  await answer(gone.phone, 'Hello?');
  assert.equal((await deskOf(kept)).state, 'waiting');
  const listed = (await list({})).filter(({ customerId }) =>
    [kept.customerId, gone.customerId].includes(customerId),
  );
  assert.deepEqual(
    listed.map((row) => [row.customerId, row.state]),
    [[kept.customerId, 'waiting']],
  );
});

test('of a customer who was erased nothing is left to do, and no note is', async () => {
  const talk = await conversation();
  await answer(talk.phone, 'Is it ready?');
  await assign(context, { ...talk, personId: kim.personId }, by);
  await addNote(context, { ...talk, text: 'Ava is a friend of the boss' }, by);
  await eraseCustomer(db, context.clock, talk.customerId, actors.operator);
  const { state, isErased, assignedTo, phone } = await deskOf(talk);
  assert.deepEqual([state, isErased, assignedTo, phone], ['open', true, null, null]);
  assert.deepEqual(
    [await holds({ filter: 'waiting' }, talk), await listNotes(db, { ...talk, limit: 9 })],
    [false, []],
  );
  for (const verb of [markWaiting(context, talk, by), addNote(context, { ...talk, text: 'x' }, by)])
    await assert.rejects(verb, /was erased/);
});

test('a conversation that has notices alone is listed once staff mark it, or one did not arrive', async () => {
  const { phone, id } = await customer();
  await book(phone);
  expectErrors(/a message is given up/);
  app.sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
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

test('by name and by phone, the phone for those who see phones', async () => {
  const talk = await conversation({ name: 'Zoe Quill', firstName: 'Zoe', lastName: 'Quill' });
  await answer(talk.phone, 'Hello');
  await db.transaction((tx) => keepSearchedNow(tx, [talk.customerId]));
  const found = async (asked: Partial<InboxFilter>) =>
    (await list(asked)).map(({ customerId }) => customerId);
  assert.deepEqual(await found({ search: 'quill' }), [talk.customerId]);
  assert.deepEqual(await found({ search: 'quill', filter: 'done' }), []);
  assert.deepEqual(await found({ search: talk.phone, seesPhones: true }), [talk.customerId]);
  assert.deepEqual(await found({ search: talk.phone }), []);
  await assert.rejects(found({ search: 'x'.repeat(101) }), {
    errors: [{ field: 'q', message: 'must have at most 100 characters' }],
  });
});

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

test('each list is read by its index, at its beginning and far down, also for one person', async () => {
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
