/** STOP and START take effect at once, and one SMS confirms each of them, whatever crashes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const { app, partner, send, customer, book } = await messagingWorld();
const { answer, conversations, optedOutAt, events } = inboundWorld(app);
const { db } = app.context;
const smsSender = '+61488880003';
await linkedWorkshop(app, [partner], { smsSender, name: 'Reply Motors' });
const stopped = 'Reply Motors: you will get no more SMS from us. Reply START to get them again.';
const started = 'Reply Motors: you will get SMS from us again. Reply STOP to end them.';

const say = (phone: string, body: string) => answer(phone, body, { to: smsSender });
const sentTo = (phone: string) => app.sms.to(phone).map(({ body }) => body);
const outbound = async (phone: string) =>
  ((await conversations(phone))[0]?.messages ?? []).filter(({ direction }) => direction === 'outbound');

test('STOP opts out at once, and one confirmation is sent despite the opt-out (specification: Opting out 3)', async () => {
  const phone = newPhone();
  await say(phone, ' stop. ');
  assert.ok((await optedOutAt(phone)) instanceof Date);
  await app.drain();
  assert.deepEqual(sentTo(phone), [stopped]);
  assert.equal(app.sms.to(phone)[0]?.from, smsSender);
  const [confirmation, ...rest] = await outbound(phone);
  assert.deepEqual([confirmation?.state, confirmation?.body, rest], ['accepted', stopped, []]);
  const [event, ...more] = await events('customer.optedOut', phone);
  assert.deepEqual(
    [Object.keys(event?.payload ?? {}).sort(), more],
    [['customer', 'customerId', 'messageId'], []],
  );
});

test('a sender without a number is opted out too, and gets no confirmation', async () => {
  await say('Telco', 'STOP');
  assert.ok((await optedOutAt('Telco')) instanceof Date);
  await say('Telco', 'START');
  await app.drain();
  const [conversation] = await db.query<{ id: string }>(
    `SELECT c.id FROM conversation c JOIN customer k ON k.id = c.customer_id WHERE k.phone = 'Telco'`,
  );
  await assert.rejects(
    reply(app.context, conversation?.id ?? '', 'Hello', actors.operator),
    /wrote as "Telco", which is no number that can be answered/,
  );
  assert.deepEqual([await outbound('Telco'), await listDeadLetters(db)], [[], []]);
});

test('an SMS that the gateway reports as an opt-out counts as one, whatever its text', async () => {
  const phone = newPhone();
  await answer(phone, 'ARRET', { to: smsSender, optOut: 'stop' });
  assert.ok((await optedOutAt(phone)) instanceof Date);
  await answer(phone, 'Bonjour', { to: smsSender, optOut: null });
  assert.ok((await optedOutAt(phone)) instanceof Date);
  await answer(phone, 'ENCORE', { to: smsSender, optOut: 'start' });
  assert.equal(await optedOutAt(phone), null);
});

test('a repeated STOP changes nothing and gets no second confirmation; START undoes it, once', async () => {
  const phone = newPhone();
  await say(phone, 'STOP');
  const at = await optedOutAt(phone);
  app.advance(60);
  await say(phone, 'Unsubscribe!');
  assert.deepEqual(await optedOutAt(phone), at);
  await app.drain();
  await say(phone, 'START');
  assert.equal(await optedOutAt(phone), null);
  await say(phone, 'unstop');
  await app.drain();
  assert.deepEqual(sentTo(phone), [stopped, started]);
  assert.equal((await events('customer.optedIn', phone)).length, 1);
  // All four SMS are in the inbox.
  assert.equal((await conversations(phone))[0]?.messages.length, 6);
});

test('START from a customer who has not opted out is an ordinary SMS', async () => {
  const phone = newPhone();
  await say(phone, 'Start');
  await app.drain();
  assert.deepEqual([sentTo(phone), await events('customer.optedIn', phone)], [[], []]);
});

test('an opt-out word among other words is an ordinary SMS', async () => {
  const phone = newPhone();
  await say(phone, 'please stop the work');
  await app.drain();
  assert.deepEqual([await optedOutAt(phone), sentTo(phone)], [null, []]);
});

test('20 concurrent STOPs, with one id or with 20, make one opt-out and one confirmation', async () => {
  for (const id of [
    () => newId(),
    (
      (one) => () =>
        one
    )(newId()),
  ]) {
    const phone = newPhone();
    await Promise.all(
      Array.from({ length: 20 }, () => answer(phone, 'STOP', { to: smsSender, gatewayId: id() })),
    );
    await app.drain();
    assert.deepEqual(sentTo(phone), [stopped]);
    assert.equal((await events('customer.optedOut', phone)).length, 1);
  }
});

test('when the gateway repeats an old STOP, a later START stays in force', async () => {
  const phone = newPhone();
  const gatewayId = newId();
  await answer(phone, 'STOP', { to: smsSender, gatewayId });
  await say(phone, 'START');
  await answer(phone, 'STOP', { to: smsSender, gatewayId });
  assert.equal(await optedOutAt(phone), null);
});

test('always: after the opt-out nothing is sent: neither messages nor notices of bookings', async () => {
  const { phone } = await customer();
  await send({ phone });
  await answer(phone, 'CANCEL');
  const refused = await send({ phone });
  assert.deepEqual([refused.success, refused.sms.reason], [false, 'optedOut']);
  await book(phone);
  await app.drain();
  assert.equal(app.sms.to(phone).length, 2, 'the first message and the confirmation');
  await answer(phone, 'START');
  assert.equal((await send({ phone })).success, true);
});

test('the opt-out applies only to that workshop', async () => {
  const { phone } = await customer();
  await say(phone, 'STOP');
  assert.equal((await send({ phone })).success, true);
});

test('when workshops share a number an opt-out applies to the one that sent last; to the other once that one has sent again', async () => {
  const shared = '+61488880004';
  const names = ['First Motors', 'Second Motors'] as const;
  const ids = [];
  for (const name of names) ids.push(await linkedWorkshop(app, [partner], { smsSender: shared, name }));
  const [first = '', second = ''] = ids;
  const phone = newPhone();
  const write = async (workshopId: string) =>
    (
      await partner.call('POST', `/workshops/${workshopId}/messages`, {
        phone,
        channels: { sms: { message: 'Hi' } },
      })
    ).body;
  await write(first);
  await write(second);
  await answer(phone, 'STOP', { to: shared });
  await answer(phone, 'STOP', { to: shared });
  await app.drain();
  assert.match(sentTo(phone).at(-1) ?? '', /^Second Motors: you will get no more SMS/);
  assert.deepEqual([(await write(second)).sms.reason, (await write(first)).success], ['optedOut', true]);
  await answer(phone, 'STOP', { to: shared });
  await app.drain();
  assert.match(sentTo(phone).at(-1) ?? '', /^First Motors: you will get no more SMS/);
  assert.equal((await write(first)).sms.reason, 'optedOut');
  await answer(phone, 'START', { to: shared });
  assert.deepEqual([(await write(first)).success, (await write(second)).sms.reason], [true, 'optedOut']);
});

test('START is not confirmed to a customer who opted out again before the confirmation was sent', async () => {
  const phone = newPhone();
  for (const word of ['STOP', 'START', 'STOP']) await say(phone, word);
  await app.drain();
  assert.deepEqual(sentTo(phone), [stopped, stopped]);
  const start = (await outbound(phone)).find(({ body }) => body === started);
  assert.deepEqual([start?.state, start?.reason], ['failed', 'optedOut']);
});

test('a crash after the hand-over: the attempt is looked up, and the confirmation is not sent twice', async () => {
  const phone = newPhone();
  await say(phone, 'STOP');
  await app.drain();
  const [confirmation] = await outbound(phone);
  const messageId = confirmation?.id ?? '';
  // The state that a dead worker leaves: handed over, nothing recorded, the lease ended.
  await db.query(
    `WITH a AS (UPDATE message_attempt SET state = 'sending', started_at = started_at - interval '20 seconds'
       WHERE message_id = $1 RETURNING id),
     m AS (UPDATE message SET state = 'sending', attempt_id = NULL, attempts = 0 WHERE id = $1 RETURNING *),
     q AS (INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient, created_at)
       SELECT m.id, workshop_id, channel, 0, clock_timestamp(), a.id, true, 1, recipient, clock_timestamp() FROM m, a
       RETURNING workshop_id, channel, class, due_at)
     INSERT INTO send_wake (workshop_id, channel, class, due_at) SELECT * FROM q`,
    [messageId],
  );
  await app.drain();
  assert.deepEqual(sentTo(phone), [stopped]);
  assert.equal((await outbound(phone))[0]?.state, 'accepted');
});
