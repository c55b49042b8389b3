/** A message whose gateway was not called is deferred unchanged: no attempt is spent, and no dead letter is written. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { enqueueInboxDigests } from '#product/notifications/inbox-digests/enqueue.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, book, send } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms, email } = app;
const { db } = context;

const notAsked: SmsOutcome & { readonly state: 'refused' } = {
  state: 'refused',
  permanent: false,
  reason: 'gatewayUnavailable',
  detail: 'It has much to do.',
  elsewhere: true,
  notAsked: true,
  retryAfterMs: 20_000,
};

interface Row {
  readonly state: string;
  readonly attempts: number;
  readonly attemptId: string | null;
  readonly rows: number;
}

const stored = async (recipient: string, kind: string): Promise<Row> => {
  const [row] = await db.query<Row>(
    `SELECT state, attempts, attempt_id, (SELECT count(*)::int FROM message_attempt a WHERE a.message_id = m.id) AS rows
       FROM message m WHERE recipient = $1 AND kind = $2 ORDER BY created_at, id LIMIT 1`,
    [recipient, kind],
  );
  return row ?? assert.fail('no message');
};
const untouched = { state: 'sending', attempts: 0, attemptId: null, rows: 0 };

/** Asserts the deferred message: when it is due, and that it has spent no attempt. */
async function waitsUnspent(tries = 0): Promise<void> {
  const waiting = await db.query<{ dueIn: number; tries: number; attempt: string | null }>(
    `SELECT tries::int, attempt_id AS attempt, extract(epoch FROM due_at - clock_timestamp())::float8 AS due_in FROM queued_message`,
  );
  const [entry] = waiting;
  assert.equal(waiting.length, 1);
  assert.ok(entry !== undefined && entry.dueIn > 10 && entry.dueIn <= 30, `${entry?.dueIn} s`);
  assert.deepEqual([entry.tries, entry.attempt], [tries, null]);
  assert.deepEqual(await listDeadLetters(db), []);
}

/** Runs the sender once, as if the message were due. */
async function again(): Promise<void> {
  await makeAllDue(db);
  await app.drain();
}

test('a deferred SMS notice waits unchanged, and is sent once when the gateway gives a permit', async () => {
  const phone = newPhone();
  sms.always(phone, notAsked);
  await book(phone);
  await app.drain();
  for (let times = 0; times < 10; times++) {
    assert.deepEqual(await stored(phone, 'bookingNotice'), untouched);
    await waitsUnspent();
    if (times === 9) sms.always(phone, { state: 'accepted', gatewayId: 'g' });
    await again();
  }
  const { state, attempts, rows } = await stored(phone, 'bookingNotice');
  assert.deepEqual([state, attempts, rows], ['accepted', 1, 1]);
});

test('a deferred e-mail notice', async () => {
  const address = 'later@customer.example';
  const { elsewhere: _, ...outcome } = notAsked;
  email.always(address, { ...outcome, reason: 'gatewayUnavailable' });
  await book(newPhone(), { customerEmail: address });
  await app.drain();
  assert.deepEqual(await stored(address, 'bookingNotice'), untouched);
  await waitsUnspent();
  email.clear();
  await app.drain({ retries: true });
  assert.equal((await stored(address, 'bookingNotice')).state, 'accepted');
});

test('a deferred inbox digest', async () => {
  const [phone, smsSender] = [newPhone(), '+61488771900'];
  await linkedWorkshop(app, [partner], { smsSender, phone, inboxNotices: 'sms' });
  sms.always(phone, notAsked);
  await answer(newPhone(), 'Hello', { to: smsSender });
  await enqueueInboxDigests(context);
  await app.drain();
  assert.deepEqual(await stored(phone, 'inboxDigest'), untouched);
  await waitsUnspent();
  sms.clear();
  await app.drain({ retries: true });
  assert.equal((await stored(phone, 'inboxDigest')).attempts, 1);
});

test('a deferred reply leaves no attempt and no failure event', async () => {
  const phone = newPhone();
  const { sms: first } = await send({ phone });
  await app.drain();
  sms.always(phone, notAsked);
  const { messageId } = await reply(context, first.conversationId, 'At 5 pm.', actors.operator);
  await app.drain();
  const known = async () => {
    const [row] = await db.query<{ failures: number }>(
      `SELECT count(*)::int AS failures FROM event WHERE subject_id = $1 AND kind = 'message.failed'`,
      [messageId],
    );
    const { attemptId, ...rest } = await stored(phone, 'reply');
    return { ...rest, free: attemptId === null, failures: row?.failures };
  };
  assert.deepEqual(await known(), { state: 'sending', attempts: 0, free: true, rows: 0, failures: 0 });
  await waitsUnspent();
  sms.always(phone, { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Later.' });
  await again();
  assert.deepEqual(await known(), { state: 'failed', attempts: 1, free: false, rows: 1, failures: 1 });
  // The message stays as its last attempt with a known outcome left it.
  sms.always(phone, notAsked);
  await again();
  assert.deepEqual(await known(), { state: 'failed', attempts: 1, free: false, rows: 1, failures: 1 });
  await waitsUnspent(1);
  sms.clear();
  await app.drain({ retries: true });
  assert.deepEqual(await known(), { state: 'accepted', attempts: 2, free: false, rows: 2, failures: 1 });
});

test('always: while the circuit breaker of its gateway is open, an attempt with an unknown outcome is neither dropped nor repeated', async () => {
  const phone = newPhone();
  let asked = 0;
  const { lookUp } = sms;
  sms.lookUp = async () => {
    asked++;
    return { state: 'unknown', notAsked: true, retryAfterMs: 20_000 };
  };
  sms.always(phone, { state: 'unknown', detail: 'No answer.' });
  await book(phone);
  await app.drain();
  const inDoubt = await stored(phone, 'bookingNotice');
  assert.equal(inDoubt.state, 'unknown');
  for (let times = 0; times < 10; times++) await again();
  assert.ok(asked >= 10);
  assert.deepEqual(await stored(phone, 'bookingNotice'), inDoubt);
  assert.equal(sms.to(phone).length, 1);
  assert.deepEqual(await listDeadLetters(db), []);
  sms.lookUp = lookUp;
  sms.setLookUp(inDoubt.attemptId ?? '', { state: 'accepted', gatewayId: 'found' });
  await app.drain({ retries: true });
  assert.equal((await stored(phone, 'bookingNotice')).state, 'accepted');
  assert.equal(sms.to(phone).length, 1);
});

test('an e-mail that can’t be composed is retried, without an unknown outcome', async () => {
  const address = 'broken@customer.example';
  await book(newPhone(), { customerEmail: address });
  const query: typeof db.query = async (text, values) => {
    if (text.includes('JOIN event e ON e.id = input')) throw new Error('a bug');
    return db.query(text, values);
  };
  const { drain } = await import('../../../test/harness/drain.ts');
  await drain({ ...context, db: { ...db, query } });
  const failed = await stored(address, 'bookingNotice');
  assert.deepEqual([failed.state, failed.attempts, email.to(address)], ['failed', 1, []]);
  await app.drain({ retries: true });
  assert.deepEqual(
    [(await stored(address, 'bookingNotice')).state, email.to(address).length],
    ['accepted', 1],
  );
});
