/**
 * A process that stood still between the record that a hand-over begins and the hand-over itself: others may have sent in its
 * place, so it hands over nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '#context.ts';
import { relayBatch } from '#events/batch.ts';
import { reply } from '#messaging/inbox/reply.ts';
import { sendMessage } from '#messaging/send.ts';
import { deliverNotification } from '#notifications/deliver.ts';
import { reactions } from '#reactions.ts';
import { Postponed } from '#work/postponed.ts';
import { messagingWorld, newPhone, text } from '../../../test/fixtures/messaging.ts';
import { sendQueued } from '../queued/send.ts';

const { app, partner, workshopId, send, book, read } = await messagingWorld();
const { context, sms } = app;
const { db, clock } = context;
const { partnerId } = partner;

/** Each look at the machine's clock is so much later than the one before. */
function slow(seconds: number): Context {
  let at = clock.machineNow().getTime();
  const machineNow = () => {
    at += seconds * 1_000;
    return new Date(at);
  };
  return { ...context, clock: { ...clock, machineNow } };
}

test("a partner's message, its first attempt and a further one: not sent, and sent when it is tried again", async () => {
  const phone = newPhone();
  const request = { partnerId, workshopId, body: { phone, referenceId: 'R', ...text('Ready.') } };
  const { outcome } = await sendMessage(slow(6), request);
  assert.deepEqual([outcome.sent, outcome.reason], [false, 'gatewayUnavailable']);
  assert.equal((await read(outcome.messageId)).state, 'failed');
  const again = await sendMessage(slow(6), request);
  assert.deepEqual([again.outcome.sent, again.outcome.reason], [false, 'gatewayUnavailable']);
  assert.equal(sms.to(phone).length, 0);
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
});

test('a reply and a notice are put back, with no attempt spent', async () => {
  const phone = newPhone();
  const { conversationId } = (await send({ phone })).sms;
  const { messageId } = await reply(db, clock, conversationId, 'At 5.');
  await assert.rejects(sendQueued(slow(6), { messageId }), Postponed);
  await book(phone);
  await relayBatch(context, reactions);
  const [notice] = await db.query<{ id: string }>(
    `SELECT id FROM notification WHERE recipient = $1 AND channel = 'sms'`,
    [phone],
  );
  await assert.rejects(deliverNotification(slow(6), { notificationId: notice?.id }), Postponed);
  assert.equal(sms.to(phone).length, 1);
  await app.drain();
  const rows = await db.query(
    `SELECT state, attempts FROM message WHERE id = $1
     UNION ALL SELECT state, attempts FROM notification WHERE id = $2`,
    [messageId, notice?.id],
  );
  assert.deepEqual(rows, [
    { state: 'accepted', attempts: 1 },
    { state: 'accepted', attempts: 1 },
  ]);
});

test('five seconds are not too late, and an e-mail never is', async () => {
  const phone = newPhone();
  const body = { phone, ...text('Ready.') };
  assert.equal((await sendMessage(slow(5), { partnerId, workshopId, body })).outcome.sent, true);
  await book(phone, { customerEmail: 'late@customer.example' });
  await relayBatch(context, reactions);
  const [mail] = await db.query<{ id: string }>(
    `SELECT id FROM notification WHERE recipient = 'late@customer.example'`,
  );
  await deliverNotification(slow(60), { notificationId: mail?.id });
  assert.equal(app.email.to('late@customer.example').length, 1);
});
