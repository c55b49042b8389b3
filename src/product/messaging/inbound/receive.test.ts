/** Which conversation an inbound SMS is stored in, and what is recorded with it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import { bookingBody, linkedWorkshop } from '../../../../test/harness/world.ts';

const { app, partner, workshopId, send, customer, book } = await messagingWorld();
const { answer, conversations, events } = inboundWorld(app);
const { db, clock } = app.context;
const other = await linkedWorkshop(app, [partner]);
let senders = 0;
const numbered = async () => {
  const smsSender = `+6148888${String(1000 + senders++)}`;
  return { smsSender, id: await linkedWorkshop(app, [partner], { smsSender }) };
};
const sendFrom = (id: string, phone: string) =>
  partner.call('POST', `/workshops/${id}/messages`, { phone, channels: { sms: { message: 'Ready.' } } });

test("it is stored in the conversation of the workshop that sent, with an event for the partner that sent (specification: Customers' answers 1)", async () => {
  const { phone, id } = await customer();
  await send({ phone });
  await answer(phone, ' \u001bYes\u0007 please\u009b ');
  const [conversation, ...rest] = await conversations(phone);
  assert.deepEqual([conversation?.workshopId, conversation?.customerId, rest], [workshopId, id, []]);
  const [sent, received] = conversation?.messages ?? [];
  assert.equal(sent?.direction, 'outbound');
  const { id: messageId = '', ...stored } = received ?? {};
  assert.deepEqual(stored, {
    direction: 'inbound',
    state: 'received',
    body: 'Yes please',
    segments: 1,
    reason: null,
  });
  const [event, ...more] = await events('message.received', phone);
  assert.deepEqual([event?.partnerId, more], [partner.partnerId, []]);
  const { id: inEvent, direction, phone: from, body } = Object(event?.payload['message']);
  assert.deepEqual([inEvent, direction, from, body], [messageId, 'inbound', phone, 'Yes please']);
});

test('it goes to the conversation with the latest hand-over', async () => {
  const phone = newPhone();
  for (const [place, text] of [
    [workshopId, 'first'],
    [other, 'second'],
    [workshopId, 'third'],
  ] as const) {
    await sendFrom(place, phone);
    await answer(phone, text);
  }
  const found = (await conversations(phone)).map(({ workshopId: id, messages }) => [
    id,
    messages.filter(({ direction }) => direction === 'inbound').map(({ body }) => body),
  ]);
  assert.deepEqual(Object.fromEntries(found), { [workshopId]: ['first', 'third'], [other]: ['second'] });
});

test('messages that were not handed over do not count: a workshop gets no answers to an SMS that the customer never got', async () => {
  expectErrors(/"detail":"No\."/);
  const { phone } = await customer();
  await send({ phone });
  app.sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  assert.equal((await sendFrom(other, phone)).body.sms.reason, 'refused');
  app.sms.always(phone, { state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  await partner.call('POST', '/bookings', bookingBody(other, { customerPhone: phone }));
  await answer(phone, 'Before it is tried');
  await app.drain();
  await answer(phone, 'After it');
  app.sms.clear();
  const heard = (await conversations(phone)).map(({ workshopId: id, messages }) => [
    id,
    messages.filter(({ direction }) => direction === 'inbound').length,
  ]);
  assert.deepEqual(Object.fromEntries(heard), { [workshopId]: 2, [other]: 0 });
});

test('a notice of a booking counts as a hand-over too: answers and STOP match its workshop', async () => {
  const phone = newPhone();
  await customer({ phone, workshopId: other });
  await book(phone);
  await app.drain();
  await answer(phone, 'See you then');
  assert.deepEqual(
    (await conversations(phone)).map(({ workshopId: id }) => id),
    [workshopId],
  );
});

test('the number that it was sent to decides, even when another workshop has a later conversation', async () => {
  const { smsSender, id } = await numbered();
  const phone = newPhone();
  await sendFrom(workshopId, phone);
  for (const to of [smsSender, smsSender.slice(1), `00${smsSender.slice(1)}`])
    await answer(phone, to, { to });
  const found = await conversations(phone);
  const at = found.find(({ workshopId: place }) => place === id);
  assert.equal(at?.messages.length, 3);
});

test('an unknown sender becomes a customer, with the phone as name', async () => {
  const { smsSender, id } = await numbered();
  const phone = newPhone();
  await answer(phone.slice(1), 'Are you open?', { to: smsSender });
  const [found] = await conversations(phone);
  assert.deepEqual([found?.workshopId, found?.name, found?.messages.length], [id, phone, 1]);
});

test('a national number is read in the country of the workshop; a name or short code is stored as it is', async () => {
  const { smsSender } = await numbered();
  const phone = newPhone();
  await answer(`0${phone.slice(3)}`, 'national', { to: smsSender });
  assert.equal((await conversations(phone)).length, 1);
  for (const from of ['Telco', '1234', '']) {
    await answer(from, 'Code 1', { to: smsSender });
    assert.equal((await conversations(from || 'unknown'))[0]?.name, from || 'unknown');
  }
});

test('an SMS to a shared number goes to the one of its workshops that sent last', async () => {
  const { smsSender, id } = await numbered();
  const twin = await linkedWorkshop(app, [partner], { smsSender });
  const phone = newPhone();
  await sendFrom(id, phone);
  await sendFrom(twin, phone);
  await sendFrom(workshopId, phone);
  await answer(phone, 'Hello', { to: smsSender });
  const found = (await conversations(phone)).find(({ messages }) => messages.length === 2);
  assert.equal(found?.workshopId, twin);
});

test('when workshops share the number or none has it, the gateway’s reference to the answered SMS decides', async () => {
  const { smsSender, id } = await numbered();
  const twin = await linkedWorkshop(app, [partner], { smsSender });
  const alone = await numbered();
  for (const [to, from, expected] of [
    [smsSender, [id, twin], id],
    ['', [id, workshopId], id],
    // A number that only one workshop has takes precedence.
    [alone.smsSender, [id, alone.id], alone.id],
  ] as const) {
    const phone = newPhone();
    for (const place of from) await sendFrom(place, phone);
    const inReplyTo = app.sms.to(phone)[0]?.reference ?? '';
    await answer(phone, 'Hello', { to, inReplyTo });
    const inbound = (await conversations(phone)).filter(({ messages }) =>
      messages.some(({ direction }) => direction === 'inbound'),
    );
    assert.deepEqual(
      inbound.map((each) => each.workshopId),
      [expected],
    );
  }
});

test('a notice can be answered too; a reference to another person’s SMS, an unknown one, or none has no effect', async () => {
  const phone = newPhone();
  await book(phone);
  await app.drain();
  const notice = app.sms.to(phone)[0]?.reference ?? '';
  await sendFrom(other, phone);
  const stranger = newPhone();
  await sendFrom(workshopId, stranger);
  for (const inReplyTo of [app.sms.to(stranger)[0]?.reference ?? '', newId(), 'R-1', '', null]) {
    await answer(phone, 'Other', { inReplyTo });
  }
  await answer(phone, 'Notice', { inReplyTo: notice });
  const heard = (await conversations(phone)).map(({ workshopId: id, messages }) => [
    id,
    messages.filter(({ direction }) => direction === 'inbound').map(({ body }) => body),
  ]);
  assert.deepEqual(Object.fromEntries(heard), {
    [workshopId]: ['Notice'],
    [other]: ['Other', 'Other', 'Other', 'Other', 'Other'],
  });
});

test('the same id of the same gateway 20 times at once is one message, and one event', async () => {
  const { smsSender } = await numbered();
  const phone = newPhone();
  const gatewayId = newId();
  await Promise.all(Array.from({ length: 20 }, () => answer(phone, 'Once', { to: smsSender, gatewayId })));
  const found = await conversations(phone);
  assert.deepEqual([found.length, found[0]?.messages.length], [1, 1]);
  assert.equal((await events('message.received', phone)).length, 1);
  await answer(phone, 'Once', { to: smsSender, gatewayId });
  await answer(phone, 'Once', { to: smsSender, gatewayId, gateway: 'another' });
  await answer(phone, 'Once', { to: smsSender, gatewayId: '' });
  await answer(phone, 'Once', { to: smsSender, gatewayId: '' });
  assert.equal((await conversations(phone))[0]?.messages.length, 4);
});

test('20 concurrent SMS of an unknown sender are one customer and one conversation', async () => {
  const { smsSender } = await numbered();
  const phone = newPhone();
  await Promise.all(Array.from({ length: 20 }, (_, i) => answer(phone, `${i}`, { to: smsSender })));
  const found = await conversations(phone);
  assert.deepEqual([found.length, found[0]?.messages.length], [1, 20]);
});

test('a repeat after the erasure does not store the person again', async () => {
  const { smsSender } = await numbered();
  const phone = newPhone();
  const gatewayId = newId();
  await answer(phone, 'Hello', { to: smsSender, gatewayId });
  const [found] = await conversations(phone);
  await eraseCustomer({ db, clock }, found?.customerId ?? '', actors.operator);
  await answer(phone, 'Hello', { to: smsSender, gatewayId });
  assert.deepEqual(await conversations(phone), []);
  await answer(phone, 'Hello again', { to: smsSender });
  assert.equal((await conversations(phone))[0]?.messages.length, 1);
});

test('any text is stored, without the characters that PostgreSQL can’t store', async () => {
  const { smsSender } = await numbered();
  const phone = newPhone();
  for (const text of ['', 'a\0b\ud800c', '😀'.repeat(200)]) await answer(phone, text, { to: smsSender });
  const [found] = await conversations(phone);
  assert.deepEqual(
    found?.messages.map(({ body, segments }) => [body, segments]),
    [
      ['', 1],
      ['ab\ufffdc', 1],
      ['😀'.repeat(200), 7],
    ],
  );
});
