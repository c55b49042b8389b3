/** A message that no gateway was asked about waits as it was: no attempt is spent, no letter written, nothing forgotten. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsOutcome } from '#gateways/sms/gateway.ts';
import { reply } from '#messaging/inbox/reply.ts';
import { listDeadLetters } from '#work/dead-letters/store.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { tellOfAnswers } from '../answers/tell.ts';

const { app, partner, book, send } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms, email } = app;
const { db, clock } = context;

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
  readonly reason: string | null;
  readonly attempts: number;
  readonly attemptId: string | null;
}

const noticeOf = async (table: string, recipient: string): Promise<Row> => {
  const [row] = await db.query<Row>(
    `SELECT state, reason, attempts, attempt_id AS "attemptId" FROM ${table} WHERE recipient = $1 ORDER BY created_at, id LIMIT 1`,
    [recipient],
  );
  return row ?? assert.fail('no notice');
};

/** The one job that is left: when it is due, and what it may still do. */
async function theJob() {
  const jobs = await db.query<{ dueIn: number; attempts: number; maxAttempts: number; flags: object }>(
    `SELECT attempts, max_attempts AS "maxAttempts", flags, extract(epoch FROM run_at - clock_timestamp())::float8 AS "dueIn"
     FROM graphile_worker.jobs`,
  );
  const [job] = jobs;
  assert.equal(jobs.length, 1);
  return job ?? assert.fail();
}

/** Runs what is left once, as if its time had come. */
async function again(): Promise<void> {
  await db.query(
    `SELECT graphile_worker.reschedule_jobs(ARRAY(SELECT id FROM graphile_worker.jobs), run_at := clock_timestamp())`,
  );
  await app.drain();
}

async function waitsUnspent(flag: string): Promise<void> {
  const { dueIn, attempts, maxAttempts, flags } = await theJob();
  assert.ok(dueIn > 10 && dueIn <= 30, `${dueIn} s`);
  assert.deepEqual([attempts, maxAttempts, flag in flags], [0, 8, true]);
  assert.deepEqual(await listDeadLetters(db), []);
}

test('a notice by SMS: pending again, and sent once when it may be', async () => {
  const phone = newPhone();
  sms.always(phone, notAsked);
  await book(phone);
  await app.drain();
  for (let times = 0; times < 10; times++) {
    const { state, reason, attempts, attemptId } = await noticeOf('notification', phone);
    assert.deepEqual([state, reason, attempts, attemptId], ['pending', 'gatewayUnavailable', 0, null]);
    await waitsUnspent('sms');
    if (times === 9) sms.always(phone, { state: 'accepted', gatewayId: 'g' });
    await again();
  }
  const { state, reason, attempts } = await noticeOf('notification', phone);
  assert.deepEqual([state, reason, attempts], ['accepted', null, 1]);
});

test('a notice by e-mail', async () => {
  const address = 'later@customer.example';
  const { elsewhere: _, ...outcome } = notAsked;
  email.always(address, { ...outcome, reason: 'gatewayUnavailable' });
  await book(newPhone(), { customerEmail: address });
  await app.drain();
  assert.deepEqual((await noticeOf('notification', address)).state, 'pending');
  await waitsUnspent('email');
  email.clear();
  await app.drain({ retries: true });
  assert.equal((await noticeOf('notification', address)).state, 'accepted');
});

test('a notice of answers', async () => {
  const [phone, smsSender] = [newPhone(), '+61488771900'];
  const workshopId = await linkedWorkshop(app, [partner], { smsSender, phone, inboxNotices: 'sms' });
  sms.always(phone, notAsked);
  await answer(newPhone(), 'Hello', { to: smsSender });
  await tellOfAnswers(context);
  await app.drain();
  assert.deepEqual((await noticeOf('answer_notice', phone)).state, 'pending');
  await waitsUnspent(`workshop:${workshopId}`);
  sms.clear();
  await app.drain({ retries: true });
  assert.equal((await noticeOf('answer_notice', phone)).attempts, 1);
});

test('a reply: no attempt is left behind, and no event says that it failed', async () => {
  const phone = newPhone();
  const { sms: first } = await send({ phone });
  await app.drain();
  sms.always(phone, notAsked);
  const { messageId } = await reply(db, clock, first.conversationId, 'At 5 pm.');
  await app.drain();
  const stored = async () =>
    (
      await db.query(
        `SELECT state, attempts, attempt_id IS NULL AS free,
           (SELECT count(*)::int FROM message_attempt a WHERE a.message_id = m.id) AS rows,
           (SELECT count(*)::int FROM event e WHERE e.subject_id = m.id AND e.kind = 'message.failed') AS failures
         FROM message m WHERE id = $1`,
        [messageId],
      )
    )[0];
  assert.deepEqual(await stored(), { state: 'sending', attempts: 0, free: true, rows: 0, failures: 0 });
  await waitsUnspent('sms');
  sms.always(phone, { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Later.' });
  await again();
  assert.deepEqual(await stored(), { state: 'failed', attempts: 1, free: false, rows: 1, failures: 1 });
  // After an attempt of which something is known it is as it was after that one.
  sms.always(phone, notAsked);
  await again();
  assert.deepEqual(await stored(), { state: 'failed', attempts: 1, free: false, rows: 1, failures: 1 });
  assert.equal((await theJob()).maxAttempts, 7);
  sms.clear();
  await app.drain({ retries: true });
  assert.deepEqual(await stored(), { state: 'accepted', attempts: 2, free: false, rows: 2, failures: 1 });
});

test('while the gateway of an attempt in doubt is left alone, that attempt is neither forgotten nor repeated', async () => {
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
  const inDoubt = await noticeOf('notification', phone);
  assert.equal(inDoubt.state, 'unknown');
  for (let times = 0; times < 10; times++) await again();
  assert.ok(asked >= 10);
  assert.deepEqual(await noticeOf('notification', phone), inDoubt);
  assert.equal(sms.to(phone).length, 1);
  assert.deepEqual(await listDeadLetters(db), []);
  sms.lookUp = lookUp;
  sms.setLookUp(inDoubt.attemptId ?? '', { state: 'accepted', gatewayId: 'found' });
  await app.drain({ retries: true });
  assert.equal((await noticeOf('notification', phone)).state, 'accepted');
  assert.equal(sms.to(phone).length, 1);
});
