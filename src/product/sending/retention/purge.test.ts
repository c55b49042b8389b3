/** How long messages are kept: notices and conversations as the settings say, messages with a referenceId for ever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { addDeadLetter } from '#platform/work/dead-letters/store.ts';
import { reactions } from '#reactions.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { purgeOldMessages } from './purge.ts';
import { purgeMessages } from './store.ts';

const { app, send, customer, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context } = app;
const { db } = context;

/** Gives the messages of a phone ids that are this many days old. */
async function age(days: number): Promise<void> {
  await db.query('ALTER TABLE message_attempt DROP CONSTRAINT message_attempt_message_id_fkey');
  await db.query(
    `WITH aged AS (
       SELECT id AS old, overlay(id::text PLACING left(first_id(made_at(id) - make_interval(days => $1))::text, 13) FROM 1 FOR 13)::uuid AS new FROM message),
     attempts AS (UPDATE message_attempt a SET message_id = aged.new FROM aged WHERE a.message_id = aged.old),
     entries AS (UPDATE queued_message q SET message_id = aged.new FROM aged WHERE q.message_id = aged.old)
     UPDATE message SET id = aged.new FROM aged WHERE id = aged.old`,
    [days],
  );
  await db.query(
    `ALTER TABLE message_attempt ADD CONSTRAINT message_attempt_message_id_fkey FOREIGN KEY (message_id) REFERENCES message (id) ON DELETE CASCADE`,
  );
}
const kept = async () => {
  const rows = await db.query<{ kind: string; body: string; reference: string | null }>(
    'SELECT DISTINCT kind, body <> $1 AS body, reference_id AS reference FROM message ORDER BY kind, reference',
    [''],
  );
  return rows.map(({ kind, body, reference }) => [kind, body, reference]);
};
const purge = (noticesKeptDays: number, messagesKeptDays: number | null) =>
  purgeOldMessages({ ...context, config: { ...context.config, noticesKeptDays, messagesKeptDays } });

test('notices and conversations are deleted after their time; a message with a referenceId loses only its text (specification: Erasure and retention 4)', async () => {
  const { phone } = await customer();
  await send({ phone });
  await send({ phone, referenceId: 'R1' });
  await answer(phone, 'Thank you');
  await book(phone);
  await app.drain();
  const all = [
    ['bookingNotice', true, null],
    ['inbound', true, null],
    ['partnerMessage', true, 'R1'],
    ['partnerMessage', true, null],
  ];
  await purge(90, 90);
  assert.deepEqual(await kept(), all, 'nothing is old yet');
  await age(100);
  const [letter] = await db.query<{ id: string }>(
    `SELECT id FROM message WHERE kind = 'bookingNotice' LIMIT 1`,
  );
  const payload = { messageId: letter?.id ?? '' };
  await addDeadLetter(db, {
    job: 'send',
    payload,
    reason: 'refused',
    detail: null,
    attempts: 1,
    at: context.clock.now(),
  });
  await purge(120, null);
  assert.deepEqual(await kept(), all);
  await purge(90, null);
  assert.deepEqual(await kept(), all.slice(1));
  assert.deepEqual(await db.query('SELECT FROM dead_letter'), []);
  await purge(90, 90);
  assert.deepEqual(await kept(), [['partnerMessage', false, 'R1']]);
  const again = await send({ phone, referenceId: 'R1' });
  assert.deepEqual(
    [again.success, app.sms.to(phone).filter(({ body }) => body === 'Your car is ready.').length],
    [true, 2],
  );
  const attempts = await db.query(
    'SELECT FROM message_attempt WHERE message_id NOT IN (SELECT id FROM message)',
  );
  assert.deepEqual(attempts, []);
});

test('the purge continues where it stopped: rows that are kept are not read again', async () => {
  const step = { name: newId(), kinds: ['bookingNotice'], olderThanDays: 30, limit: 1 };
  const seen: number[] = [];
  for (let times = 0; times < 3; times++) seen.push(await purgeMessages(db, step));
  assert.deepEqual(seen, [1, 0, 0]);
});

test('a message that was still queued at the end of its retention time is deleted once it is settled', async () => {
  await app.drain({ retries: true });
  const phone = newPhone();
  await book(phone);
  await relayBatch(context, reactions);
  await age(100);
  const notices = async () => (await db.query(`SELECT FROM message WHERE kind = 'bookingNotice'`)).length;
  const queued = await notices();
  await purge(90, null);
  assert.deepEqual([queued > 0, await notices()], [true, queued]);
  await purge(90, null);
  assert.equal(await notices(), queued, 'they are still queued');
  await db.query('DELETE FROM queued_message');
  await purge(90, null);
  assert.equal(await notices(), 0);
  const skipped = await db.query(`SELECT FROM retention WHERE skipped <> '{}'`);
  assert.deepEqual(skipped, []);
});
