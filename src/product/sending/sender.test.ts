/** The sender claims, sends and records queued messages; retries, and what stops a message. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { eraseCustomerRow } from '#product/customers/store.ts';
import { composers } from '#work.ts';
import { messagingWorld, newPhone, refusedForNow } from '../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';
import { until } from '../../../test/harness/wait.ts';
import { enqueue, type NewMessage } from './enqueue.ts';
import { requeue } from './requeue.ts';
import { sendDue, startSender } from './sender.ts';

const { app, workshopId, customer, book } = await messagingWorld();
const { context, sms, email } = app;
const { db, clock } = context;

const queue = async (messages: readonly NewMessage[]) =>
  (await enqueue(db, messages, { now: clock.now(), actor: actors.schedule, exemptCountries: [] })).map(
    ({ messageId }) => messageId,
  );
async function reply(body: string): Promise<NewMessage> {
  const { id, phone } = await customer();
  return {
    ...{ kind: 'reply', workshopId, channel: 'sms', audience: 'customer', customerId: id },
    ...{ recipient: phone, body },
  };
}
const stateOf = async (id: string | undefined) => {
  const [row] = await db.query<{ state: string; reason: string | null; attempts: number }>(
    'SELECT state, reason, attempts FROM message WHERE id = $1',
    [id],
  );
  return [row?.state, row?.reason, row?.attempts];
};
const entries = async () => (await db.query('SELECT FROM queued_message')).length;

test('always: a booking’s notices go to customer and workshop, by SMS and e-mail, and the queue is empty afterwards', async () => {
  const phone = newPhone();
  await book(phone);
  await app.drain();
  assert.equal(sms.to(phone).length, 1);
  const rows = await db.query<{ channel: string; audience: string; state: string; attempts: number }>(
    `SELECT channel, audience, state, attempts FROM message WHERE kind = 'bookingNotice' ORDER BY audience, channel`,
  );
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['email', 'customer', 'accepted', 1],
      ['sms', 'customer', 'accepted', 1],
      ['email', 'workshop', 'accepted', 1],
      ['sms', 'workshop', 'accepted', 1],
    ],
  );
  assert.equal(email.sent.length, 2);
  assert.equal(await entries(), 0);
  const [talk] = await db.query<{ at: Date | null }>('SELECT last_sent_at AS at FROM conversation');
  assert.ok(talk?.at);
});

test('the gateway gets the remaining waiting time of an SMS: the rest of its day', async () => {
  const message = await reply('Still?');
  const [id] = await queue([message]);
  await db.query(
    `UPDATE queued_message SET expires_at = clock_timestamp() + interval '1 hour' WHERE message_id = $1`,
    [id],
  );
  await app.drain();
  const minutes = (sms.to(message.recipient)[0]?.validForMs ?? 0) / 60_000;
  assert.ok(minutes > 58 && minutes <= 60, String(minutes));
});

test('a temporary refusal: retried later as a further attempt; then the queue is empty', async () => {
  const message = await reply('Later, please');
  sms.next(refusedForNow);
  const [id] = await queue([message]);
  await app.drain();
  assert.deepEqual(await stateOf(id), ['failed', 'temporarilyRefused', 1]);
  assert.equal(await sendDue(context, composers), 0);
  await makeAllDue(db);
  await app.drain();
  assert.deepEqual(await stateOf(id), ['accepted', null, 2]);
  const attempts = await db.query(
    'SELECT number, state FROM message_attempt WHERE message_id = $1 ORDER BY number',
    [id],
  );
  assert.deepEqual(attempts, [
    { number: 1, state: 'failed' },
    { number: 2, state: 'accepted' },
  ]);
  assert.equal(await entries(), 0);
});

test('never accepted: eight attempts, then a dead letter', async () => {
  expectErrors(/a message is given up/);
  const message = await reply('In vain');
  sms.always(message.recipient, refusedForNow);
  const [id] = await queue([message]);
  await app.drain({ retries: true });
  assert.deepEqual(await stateOf(id), ['failed', 'temporarilyRefused', 8]);
  const letters = await db.query(
    `SELECT job, reason, attempts FROM dead_letter WHERE payload->>'messageId' = $1`,
    [id],
  );
  assert.deepEqual(letters, [{ job: 'send', reason: 'temporarilyRefused', attempts: 8 }]);
  assert.equal(await entries(), 0);
});

test('always: the loop sends what is queued before it starts and while it runs', async (t) => {
  const sender = startSender(context, composers);
  t.after(() => sender.stop());
  const messages = await Promise.all(Array.from({ length: 50 }, (_, n) => reply(`text ${n}`)));
  const first = await queue(messages.slice(0, 30));
  sender.nudge();
  await until('the last one is accepted', async () => (await stateOf(first[29]))[0] === 'accepted');
  const second = await queue(messages.slice(30));
  await until('the queue is empty', async () => (await entries()) === 0);
  for (const id of [...first, ...second]) assert.deepEqual(await stateOf(id), ['accepted', null, 1]);
  for (const { recipient } of messages) assert.equal(sms.to(recipient).length, 1);
});

test('always: a customer who is erased while a message waits gets nothing', async () => {
  const waiting = await reply('Done.');
  const [id] = await queue([waiting]);
  await db.transaction((tx) => eraseCustomerRow(tx, waiting.customerId ?? '', clock.now()));
  await app.drain();
  assert.equal(sms.to(waiting.recipient).length, 0);
  assert.deepEqual(await stateOf(id), ['failed', 'erased', 0]);
});

test('a message whose waiting time is over is expired, and not sent (specification: Notices 15)', async () => {
  const message = await reply('Too old');
  const [id] = await queue([message]);
  await db.query(
    `UPDATE queued_message SET expires_at = clock_timestamp() - interval '1 second' WHERE message_id = $1`,
    [id],
  );
  await app.drain();
  assert.deepEqual([await stateOf(id), sms.to(message.recipient)], [['expired', 'expired', 0], []]);
  assert.equal(await entries(), 0);
});

test('an SMS whose text is no longer stored is expired, also when its dead letter is retried', async () => {
  const message = await reply('');
  const [id] = await queue([message]);
  await app.drain();
  assert.deepEqual([await stateOf(id), sms.to(message.recipient)], [['expired', 'expired', 1], []]);
  assert.equal(await requeue(db, id ?? ''), true);
  await app.drain();
  assert.deepEqual([(await stateOf(id))[0], sms.to(message.recipient)], ['expired', []]);
});
