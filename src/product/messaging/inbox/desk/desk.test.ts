/** Changes of a conversation by staff: once each, checked by version, in their own workshop, and recorded in the trail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { listTrail } from '#platform/audit/read/store.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { changeMember } from '#product/people/members/change.ts';
import { removeFrom } from '#product/people/remove.ts';
import { newPerson, newWorkshop } from '../../../../../test/fixtures/people.ts';
import { outdated, talkWorld } from '../../../../../test/fixtures/talks.ts';
import { changeWith, failing } from '../../../../../test/harness/change-with.ts';
import { listMessages } from '../store.ts';
import { addNote } from './add-note.ts';
import { assign } from './assign.ts';
import { markDone, markWaiting } from './mark.ts';
import { findDesk, listNotes } from './store.ts';

const { app, workshopId, send, answer, context, db, kim, ana, by, list, conversation, deskOf, holds } =
  await talkWorld();
const elsewhere = await newWorkshop(db);
const trail = async (customerId: string) =>
  (await listTrail(db, { workshopId, subjectId: customerId, before: null, limit: 20 })).map(
    (entry) => entry.action,
  );

test("done, waiting again and assigned: each once, only with the present version, and in the trail (specification: Customers' answers 3)", async () => {
  const talk = await conversation();
  await answer(talk.phone, 'Is it ready?');
  const { version, state } = await deskOf(talk);
  assert.equal(state, 'waiting');
  const done = await markDone(context, { ...talk, seen: version }, by);
  assert.deepEqual(
    [done.state, done.version, await holds({ filter: 'done' }, talk)],
    ['done', version + 1, true],
  );
  // From a second tab, with the previous version.
  assert.equal((await markDone(context, { ...talk, seen: version }, by)).version, done.version);
  await assert.rejects(markWaiting(context, { ...talk, seen: version }, by), outdated);
  const again = await markWaiting(context, { ...talk, seen: done.version }, by);
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

test("only staff of the workshop can have a conversation; a person who leaves loses it (specification: Customers' answers 3)", async () => {
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

test("a note is internal: no message, no text, no change of the conversation (specification: Customers' answers 5)", async () => {
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

test('a conversation of another workshop is not found', async () => {
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

test('when the change of a caller fails, the change fails with it', async () => {
  const talk = await conversation();
  const verbs: readonly ((its: typeof context) => Promise<unknown>)[] = [
    (its) => markDone(its, talk, by),
    (its) => assign(its, { ...talk, personId: kim.personId }, by),
    (its) => addNote(its, { ...talk, text: 'x' }, by),
  ];
  for (const verb of verbs) await assert.rejects(changeWith(context, verb, failing('no')), /no/);
  const { state, assignedTo } = await deskOf(talk);
  assert.deepEqual([state, assignedTo, await listNotes(db, { ...talk, limit: 9 })], ['open', null, []]);
});

test("a merged customer is one talk: it has the assignee and notes of both, it is done if both are, and an old form is outdated (specification: Customers' answers 6)", async () => {
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
  await assert.rejects(markDone(context, { ...gone, seen: version }, by), outdated);
  await markDone(context, kept, by);
  // An answer to one of the numbers.
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

test("a conversation of an erased customer can’t be changed, and its notes are deleted (specification: Customers' answers 6)", async () => {
  const talk = await conversation();
  await answer(talk.phone, 'Is it ready?');
  await assign(context, { ...talk, personId: kim.personId }, by);
  await addNote(context, { ...talk, text: 'Ava is a friend of the boss' }, by);
  await eraseCustomer({ db, clock: context.clock }, talk.customerId, actors.operator);
  const { state, isErased, assignedTo, phone } = await deskOf(talk);
  assert.deepEqual([state, isErased, assignedTo, phone], ['open', true, null, null]);
  assert.deepEqual(
    [await holds({ filter: 'waiting' }, talk), await listNotes(db, { ...talk, limit: 9 })],
    [false, []],
  );
  for (const verb of [
    () => markWaiting(context, talk, by),
    () => addNote(context, { ...talk, text: 'x' }, by),
  ])
    await assert.rejects(verb(), /was erased/);
});
