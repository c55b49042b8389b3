/** The inbox as staff read it: ordered by latest message, page by page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { listConversations, listMessages } from './store.ts';

const { app, partner, workshopId, send, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { db } = app.context;
const all = { workshopId, filter: 'all', assignedTo: null, before: null, limit: 50 } as const;

test('conversations by their latest message, each once, with whether it is unanswered', async () => {
  const [a, b, c] = [newPhone(), newPhone(), newPhone()];
  for (const phone of [a, b, c]) await send({ phone });
  await answer(b, 'from b');
  await answer(a, 'from a');
  await send({ phone: b });
  const listed = await listConversations(db, all);
  assert.deepEqual(
    listed.map(({ phone, state }) => [phone, state]),
    [
      [b, 'open'],
      [a, 'waiting'],
      [c, 'open'],
    ],
  );
  assert.deepEqual([listed[1]?.lastText, listed[1]?.lastState], ['from a', 'received']);
  const unanswered = await listConversations(db, { ...all, filter: 'waiting' });
  assert.deepEqual(
    unanswered.map(({ phone }) => phone),
    [a],
  );

  const paged: (string | null)[] = [];
  let before: string | null = null;
  for (;;) {
    const [row] = await listConversations(db, { ...all, before, limit: 1 });
    if (!row) break;
    paged.push(row.phone);
    before = row.lastMessageId;
  }
  assert.deepEqual(paged, [b, a, c]);
});

test('a reply that failed leaves the conversation unanswered, unless it failed because the customer had opted out', async () => {
  const phone = newPhone();
  const isUnanswered = async () => {
    const [latest] = await listConversations(db, { ...all, limit: 1 });
    assert.equal(latest?.phone, phone);
    const open = await listConversations(db, { ...all, filter: 'waiting' });
    assert.equal(
      open.some((row) => row.phone === phone),
      latest.state === 'waiting',
    );
    return latest.state === 'waiting';
  };
  const refused = { state: 'refused', permanent: true, detail: 'No.' } as const;
  app.sms.next({ ...refused, reason: 'refused' });
  await send({ phone });
  assert.equal(await isUnanswered(), false, 'the customer has sent nothing');
  await answer(phone, 'Is it ready?');
  app.sms.next({ ...refused, reason: 'refused' });
  await send({ phone });
  assert.equal(await isUnanswered(), true);
  await send({ phone });
  assert.equal(await isUnanswered(), false);
  app.sms.next({ ...refused, reason: 'refused' });
  await send({ phone });
  assert.equal(await isUnanswered(), false, 'an earlier reply has arrived');
  await answer(phone, 'stop');
  app.sms.next({ ...refused, reason: 'optedOut' });
  await app.drain();
  assert.equal(await isUnanswered(), false);
});

test('of one workshop, or of all', async () => {
  const other = await linkedWorkshop(app, [partner]);
  const phone = newPhone();
  await partner.call('POST', `/workshops/${other}/messages`, { phone, channels: { sms: { message: 'Hi' } } });
  const of = async (id: string | null) =>
    (await listConversations(db, { ...all, workshopId: id })).map((row) => row.phone);
  assert.deepEqual(await of(other), [phone]);
  assert.equal((await of(workshopId)).includes(phone), false);
  assert.equal((await of(null))[0], phone);
});

test('the messages of a conversation, newest first, page by page', async () => {
  const phone = newPhone();
  const { sms } = await send({ phone });
  for (const text of ['one', 'two', 'three']) await answer(phone, text);
  const page = { conversationId: sms.conversationId, limit: 2 };
  const first = await listMessages(db, { ...page, before: null });
  assert.deepEqual(
    first.map(({ body, direction }) => [body, direction]),
    [
      ['three', 'inbound'],
      ['two', 'inbound'],
    ],
  );
  const second = await listMessages(db, { ...page, before: first[1]?.messageId ?? null });
  assert.deepEqual(
    second.map(({ body, state, partnerId }) => [body, state, partnerId]),
    [
      ['one', 'received', null],
      ['Your car is ready.', 'accepted', partner.partnerId],
    ],
  );
});

test('notices of bookings and confirmations show in the conversation, but neither answer nor reorder it', async () => {
  const [asked, later] = [newPhone(), newPhone()];
  await send({ phone: asked });
  await answer(asked, 'Is it ready?');
  await send({ phone: later });
  await book(asked);
  await app.drain();
  const listed = (await listConversations(db, { ...all, limit: 2 })).map((row) => [
    row.phone,
    row.state,
    row.lastText,
  ]);
  assert.deepEqual(listed, [
    [later, 'open', 'Your car is ready.'],
    [asked, 'waiting', 'Is it ready?'],
  ]);
  const [conversation] = await listConversations(db, { ...all, filter: 'waiting', limit: 1 });
  assert.equal(conversation?.phone, asked);
  const { conversationId = '' } = conversation ?? {};
  const shown = await listMessages(db, { conversationId, before: null, limit: 10 });
  assert.deepEqual(
    shown.map(({ kind, state, partnerId }) => [kind, state, partnerId]),
    [
      ['bookingNotice', 'accepted', null],
      ['inbound', 'received', null],
      ['partnerMessage', 'accepted', partner.partnerId],
    ],
  );
  // An opt-out word needs no answer; the question before it still does.
  await answer(asked, 'STOP');
  await answer(later, 'STOP');
  await app.drain();
  const open = (await listConversations(db, { ...all, filter: 'waiting' })).map(({ phone }) => phone);
  assert.deepEqual([open.includes(asked), open.includes(later)], [true, false]);
});
