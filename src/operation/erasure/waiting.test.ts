/** Messages that are queued or in flight when their customer is erased. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { retryDeadLetter } from '#dead-letters.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { addDeadLetter, listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { claimEntries } from '#product/sending/claim/store.ts';
import { sendDue } from '#product/sending/sender.ts';
import { takeWakes } from '#product/sending/wake/store.ts';
import { reactions } from '#reactions.ts';
import { composers } from '#work.ts';
import { blockedConnections, untilBlocked } from '../../../test/fixtures/booking-api.ts';
import { holdNext, messagingWorld, refusedForNow } from '../../../test/fixtures/messaging.ts';
import { bookingBody, linkedWorkshop } from '../../../test/harness/world.ts';
import { eraseCustomer } from './erase-customer.ts';

const { app, partner, send, customer } = await messagingWorld();
const { context, sms, email } = app;
const { db, clock } = context;

test('a workshop still gets the notice of the booking, without the person', async () => {
  const [phone, desk] = ['+61255507001', 'desk7@garage.example'];
  const workshopId = await linkedWorkshop(app, [partner], { phone, email: desk });
  const person = {
    customerPhone: '0491570313',
    customerName: 'Quentin Zephyrson',
    customerEmail: 'q@zephyr.example',
  };
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId, person));
  await relayBatch(context, reactions);
  await eraseCustomer({ db, clock }, body.booking.customerId, actors.operator);
  await app.drain();
  const [text, mail] = [sms.to(phone)[0], email.to(desk)[0]];
  assert.match(text?.body ?? '', new RegExp(`^New booking ${body.booking.code}`));
  assert.match(mail?.subject ?? '', new RegExp(`^New booking ${body.booking.code}`));
  const told = JSON.stringify([text, mail]);
  assert.doesNotMatch(told, /Quentin|Zephyrson|zephyr|491570313/i);
  assert.deepEqual([sms.to('+61491570313'), email.to('q@zephyr.example')], [[], []]);
});

test('a dead notice that is retried tells the workshop of the booking, without the person', async () => {
  const phone = '+61255507002';
  const workshopId = await linkedWorkshop(app, [partner], { phone });
  const person = { customerPhone: '0491570314', customerName: 'Quentin Zephyrson' };
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId, person));
  await relayBatch(context, reactions);
  const [notice] = await db.query<{ id: string }>(
    `SELECT id FROM message WHERE workshop_id = $1 AND audience = 'workshop' AND channel = 'sms'`,
    [workshopId],
  );
  const messageId = notice?.id ?? '';
  await db.query('DELETE FROM queued_message WHERE message_id = $1', [messageId]);
  const given = { job: 'send', payload: { messageId }, reason: 'refused', detail: null, attempts: 1 };
  await addDeadLetter(db, { ...given, at: clock.now() });
  await eraseCustomer({ db, clock }, body.booking.customerId, actors.operator);
  const [letter] = await listDeadLetters(db);
  assert.ok(await retryDeadLetter({ db, clock }, actors.operator, letter?.id ?? ''));
  await app.drain();
  const told = sms.to(phone)[0]?.body ?? '';
  assert.match(told, new RegExp(`^New booking ${body.booking.code}`));
  assert.doesNotMatch(told, /Quentin|Zephyrson|491570314/i);
});

test('always: a message in flight gets its outcome, and is not sent again', async () => {
  const { phone, id } = await customer();
  const { sms: sent } = await send({ phone });
  sms.clear();
  const { messageId } = await reply(context, sent.conversationId, 'At 5 pm.', actors.operator);
  const held = holdNext(app);
  const running = sendDue(context, composers);
  await held.begun;
  await eraseCustomer({ db, clock }, id, actors.operator);
  held.answer(refusedForNow);
  await running;
  await app.drain({ retries: true });
  const [left] = await db.query('SELECT state, reason, recipient, body FROM message WHERE id = $1', [
    messageId,
  ]);
  assert.deepEqual(left, { state: 'failed', reason: 'erased', recipient: '', body: 'Erased' });
  assert.equal(sms.sent.length, 1);
  assert.deepEqual([await listDeadLetters(db), await db.query('SELECT FROM queued_message')], [[], []]);
});

test('a change of the booking during the erasure keeps nothing of the person', async () => {
  const workshopId = await linkedWorkshop(app, [partner]);
  const person = {
    customerPhone: '0491570737',
    customerName: 'Quentin Zephyrson',
    customerEmail: 'q@zephyr.example',
  };
  const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId, person));
  const { id, customerId } = body.booking;
  let erased: Promise<unknown> = Promise.resolve();
  let changed: Promise<unknown> = Promise.resolve();
  // The erasure waits for the event of the creation while the change comes.
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM event WHERE subject_id = $1 FOR UPDATE', [id]);
    erased = eraseCustomer({ db, clock }, customerId, actors.operator);
    await untilBlocked(app, 1);
    let over = false;
    changed = partner.call('PUT', `/bookings/${id}`, { date: '2031-01-01T00:00:00Z' }).finally(() => {
      over = true;
    });
    while (!over && (await blockedConnections(app)) < 2);
  });
  await Promise.all([erased, changed]);
  const events = await db.query('SELECT payload FROM event WHERE subject_id = $1', [id]);
  assert.equal(events.length, 2);
  assert.doesNotMatch(JSON.stringify(events), /Quentin|Zephyrson|zephyr|491570737/i);
});

test('a message that is claimed while its person is being erased keeps no phone in the queue', async () => {
  const { phone, id } = await customer();
  const { sms: sent } = await send({ phone });
  const { messageId } = await reply(context, sent.conversationId, 'At 6 pm.', actors.operator);
  await takeWakes(db);
  let erased: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    const gateways = { smsGateway: 'recorded', emailGateway: 'recorded', exemptCountries: [] };
    const { entries } = await claimEntries(tx, { routes: ['sms'], room: 10, ...gateways, now: clock.now() });
    assert.deepEqual(
      entries.map((entry) => entry.id),
      [messageId],
    );
    erased = eraseCustomer({ db, clock }, id, actors.operator);
    await untilBlocked(app, 1);
  });
  await erased;
  const left = await db.query('SELECT recipient FROM queued_message WHERE message_id = $1', [messageId]);
  assert.deepEqual(left, [{ recipient: '' }]);
});
