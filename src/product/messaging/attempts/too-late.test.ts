/**
 * A process that stalled between recording the beginning of an attempt and the hand-over: another process may have claimed the
 * attempt since, so it hands nothing over.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { sendMessage } from '#product/messaging/send.ts';
import { sendDue } from '#product/sending/sender.ts';
import { reactions } from '#reactions.ts';
import { composers } from '#work.ts';
import { messagingWorld, newPhone, text } from '../../../../test/fixtures/messaging.ts';

const { app, partner, workshopId, send, book, read } = await messagingWorld();
const { context, sms } = app;
const { db, clock } = context;
const { partnerId } = partner;
const actor = actors.partner(partnerId, 'k', 'r');

/** A context whose machine clock advances by this many seconds at each reading. */
function slow(seconds: number): Context {
  let at = clock.machineNow().getTime();
  const machineNow = () => {
    at += seconds * 1_000;
    return new Date(at);
  };
  return { ...context, clock: { ...clock, machineNow } };
}

test("always: a partner's message, at its first and at a further attempt: not sent, and sent when it is tried again", async () => {
  const phone = newPhone();
  const request = { partnerId, workshopId, actor, body: { phone, referenceId: 'R', ...text('Ready.') } };
  const { outcome } = await sendMessage(slow(6), request);
  assert.deepEqual([outcome.sent, outcome.reason], [false, 'gatewayUnavailable']);
  assert.equal((await read(outcome.messageId)).state, 'failed');
  const again = await sendMessage(slow(6), request);
  assert.deepEqual([again.outcome.sent, again.outcome.reason], [false, 'gatewayUnavailable']);
  assert.equal(sms.to(phone).length, 0);
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
});

test('always: a reply and a notice are deferred, and spend no attempt', async () => {
  const phone = newPhone();
  const { conversationId } = (await send({ phone })).sms;
  const { messageId } = await reply(context, conversationId, 'At 5.', actors.operator);
  await book(phone);
  await relayBatch(context, reactions);
  assert.ok((await sendDue(slow(6), composers)) >= 2);
  assert.equal(sms.to(phone).length, 1);
  const both = () =>
    db.query(
      `SELECT m.state, m.attempts, q.tries, q.attempt_id AS attempt, (SELECT count(*)::int FROM message_attempt a WHERE a.message_id = m.id) AS rows
         FROM message m LEFT JOIN queued_message q ON q.message_id = m.id
        WHERE m.id = $1 OR m.recipient = $2 AND m.kind = 'bookingNotice' AND m.channel = 'sms' ORDER BY m.kind`,
      [messageId, phone],
    );
  const waits = { state: 'sending', attempts: 0, tries: 0, attempt: null, rows: 0 };
  assert.deepEqual(await both(), [waits, waits]);
  await app.drain({ retries: true });
  const sent = { state: 'accepted', attempts: 1, tries: null, attempt: null, rows: 1 };
  assert.deepEqual(await both(), [sent, sent]);
  assert.equal(sms.to(phone).length, 3);
});

test('always: five seconds are not too late, and an e-mail never is', async () => {
  const phone = newPhone();
  const body = { phone, ...text('Ready.') };
  assert.equal((await sendMessage(slow(5), { partnerId, workshopId, actor, body })).outcome.sent, true);
  await book(phone, { customerEmail: 'late@customer.example' });
  await relayBatch(context, reactions);
  await sendDue(slow(60), composers);
  assert.equal(app.email.to('late@customer.example').length, 1);
});
