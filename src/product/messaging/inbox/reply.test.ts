/** Replies of staff: retries, unknown outcomes, and what stops a reply. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { sendDue } from '#product/sending/sender.ts';
import { sweepSending } from '#product/sending/sweep.ts';
import { composers } from '#work.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { accepted, holdNext, messagingWorld, refusedForNow } from '../../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import { makeAllDue } from '../../../../test/harness/sending.ts';
import { reply } from './reply.ts';

const { app, send, customer } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms } = app;
const { db, clock } = context;

/** A conversation whose customer got an SMS; the recorded SMS are cleared. */
async function conversation() {
  const { phone, id } = await customer();
  const { sms: sent } = await send({ phone });
  sms.clear();
  return { phone, id, conversationId: sent.conversationId as string };
}
async function stateOf(messageId: string) {
  const [row] = await db.query<{
    state: string;
    reason: string | null;
    attempts: number;
    partner: string | null;
  }>('SELECT state, reason, attempts, partner_id AS partner FROM message WHERE id = $1', [messageId]);
  return [row?.state, row?.reason, row?.attempts, row?.partner];
}
const letters = async (messageId: string) =>
  (await listDeadLetters(db)).filter(({ payload }) => payload['messageId'] === messageId);

test('a reply is stored without a partner, queued, and sent once', async () => {
  const { phone, conversationId } = await conversation();
  const { messageId, segments } = await reply(context, conversationId, '  At 5 pm. ', actors.operator);
  assert.deepEqual([await stateOf(messageId), segments], [['sending', null, 0, null], 1]);
  await app.drain();
  await app.drain();
  assert.deepEqual(
    sms.to(phone).map(({ body }) => body),
    ['At 5 pm.'],
  );
  assert.deepEqual(await stateOf(messageId), ['accepted', null, 1, null]);
});

test('the same checks as for partners: opted out, blank, too long, no recipient', async () => {
  const { phone, conversationId } = await conversation();
  await assert.rejects(reply(context, conversationId, ' \n ', actors.operator), {
    errors: [{ field: 'text', message: 'must not be blank' }],
  });
  await assert.rejects(
    reply(context, conversationId, 'x'.repeat(1_531), actors.operator),
    /11 SMS segments|InvalidInput|text/,
  );
  await assert.rejects(reply(context, newId(), 'x', actors.operator), /there is no conversation/);
  await answer(phone, 'STOP');
  await assert.rejects(
    reply(context, conversationId, 'x', actors.operator),
    /has opted out of SMS from this workshop/,
  );
});

test('an opt-out after the reply and before its sending stops it', async () => {
  const { phone, conversationId } = await conversation();
  const { messageId } = await reply(context, conversationId, 'Too late', actors.operator);
  await answer(phone, 'STOP');
  await app.drain();
  assert.equal(
    sms.to(phone).some(({ body }) => body === 'Too late'),
    false,
  );
  assert.deepEqual((await stateOf(messageId)).slice(0, 2), ['failed', 'optedOut']);
  assert.deepEqual(await letters(messageId), []);
});

test('an erasure of the customer stops it, with the reason', async () => {
  const { phone, id, conversationId } = await conversation();
  const { messageId } = await reply(context, conversationId, 'Too late', actors.operator);
  await eraseCustomer({ db, clock }, id, actors.operator);
  await app.drain();
  assert.deepEqual([await stateOf(messageId), sms.to(phone)], [['failed', 'erased', 0, null], []]);
  assert.deepEqual(await letters(messageId), []);
});

test('always: a temporary refusal is retried; a permanent one is a dead letter at once', async () => {
  expectErrors(/No such number/);
  const { phone, conversationId } = await conversation();
  sms.next(refusedForNow);
  const first = await reply(context, conversationId, 'one', actors.operator);
  await app.drain({ retries: true });
  assert.deepEqual(await stateOf(first.messageId), ['accepted', null, 2, null]);
  sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No such number.' });
  const second = await reply(context, conversationId, 'two', actors.operator);
  await app.drain({ retries: true });
  assert.equal(sms.to(phone).length, 3);
  assert.deepEqual(
    (await letters(second.messageId)).map(({ reason }) => reason),
    ['refused'],
  );
});

test('a time-out is reconciled until the gateway has the outcome, and never repeated without it (specification: Notices 16)', async () => {
  expectErrors(/it is not sent again, since it may arrive/, /does not say for now/);
  const { phone, conversationId } = await conversation();
  for (const [says, times] of [
    [{ state: 'unknown' }, 1],
    [{ state: 'unknown', permanent: true }, 1],
    [{ state: 'accepted', gatewayId: 'found' }, 1],
    [{ state: 'notFound' }, 2],
  ] as const) {
    sms.clear();
    sms.next((sent) => {
      sms.setLookUp(sent.reference, says);
      return { state: 'unknown', detail: 'No answer.' };
    });
    const { messageId } = await reply(context, conversationId, 'Hello', actors.operator);
    await app.drain();
    // Moves the attempt back by the minute in which a report may come.
    await db.query(
      `UPDATE message_attempt SET started_at = started_at - interval '60 seconds' WHERE message_id = $1`,
      [messageId],
    );
    await app.drain({ retries: true });
    assert.equal(sms.to(phone).length, times, says.state);
    const wanted = says.state === 'unknown' ? 'unknown' : 'accepted';
    assert.equal((await stateOf(messageId))[0], wanted, says.state);
    const given = (await letters(messageId)).map(({ reason }) => reason);
    assert.deepEqual(given, says.state === 'unknown' ? ['unknownOutcome'] : [], says.state);
  }
});

test('always: two concurrent senders send a reply once', async () => {
  const { phone, conversationId } = await conversation();
  await reply(context, conversationId, 'Once', actors.operator);
  const held = holdNext(app);
  const running = sendDue(context, composers);
  await held.begun;
  assert.equal(await sendDue(context, composers), 0);
  await makeAllDue(db);
  assert.equal(await sendDue(context, composers), 0, 'a message in flight can not be claimed');
  held.answer(accepted);
  await running;
  await app.drain();
  assert.equal(sms.to(phone).length, 1);
});

/** Ends its lease, as 20 seconds would. */
const endLease = (messageId: string) =>
  db.query(
    `WITH q AS (UPDATE queued_message SET due_at = clock_timestamp() WHERE message_id = $1 AND in_flight RETURNING *),
     a AS (UPDATE message_attempt SET started_at = started_at - interval '20 seconds' WHERE message_id = $1)
     INSERT INTO send_wake (workshop_id, channel, class, due_at) SELECT workshop_id, channel, class, due_at FROM q`,
    [messageId],
  );

test('always: a sender that lost its claim and finishes after another one has sent the reply changes nothing', async () => {
  const { phone, conversationId } = await conversation();
  for (const late of [
    refusedForNow,
    { ...refusedForNow, notAsked: true },
    { state: 'unknown', detail: '' },
  ] as SmsOutcome[]) {
    sms.clear();
    const { messageId } = await reply(context, conversationId, 'two', actors.operator);
    const held = holdNext(app);
    const running = sendDue(context, composers);
    await held.begun;
    await endLease(messageId);
    await app.drain();
    assert.equal(sms.to(phone).length, 2);
    held.answer(late);
    await running;
    await app.drain({ retries: true });
    assert.deepEqual((await stateOf(messageId)).slice(0, 3), ['accepted', null, 2]);
    assert.equal(sms.to(phone).length, 2, 'and nothing is sent a third time');
  }
});

test('always: a process that died before the hand-over: the next one sends, even when the sweep ran first', async () => {
  for (const sweeps of [false, true]) {
    const { phone, conversationId } = await conversation();
    const { messageId } = await reply(context, conversationId, 'Once', actors.operator);
    // The process has only claimed the message.
    await db.query(
      `WITH q AS (UPDATE queued_message SET attempt_id = $2, in_flight = true, tries = 1, first_tried_at = clock_timestamp(),
           due_at = clock_timestamp() + interval '20 seconds' WHERE message_id = $1)
       INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at) VALUES ($2, $1, 1, 'recorded', 'sending', clock_timestamp())`,
      [messageId, newId()],
    );
    await app.drain({ retries: true });
    assert.equal(sms.to(phone).length, 0);
    await endLease(messageId);
    if (sweeps) await sweepSending(context);
    await app.drain({ retries: true });
    assert.equal(sms.to(phone).length, 1);
    assert.deepEqual(await stateOf(messageId), ['accepted', null, 2, null]);
  }
});
