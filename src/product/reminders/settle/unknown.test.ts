/** A due reminder whose SMS keeps an unknown outcome. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { sweepSending } from '#product/sending/sweep.ts';
import { reminderWorld } from '../../../../test/fixtures/reminder-api.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import { settleForgotten } from './forgotten.ts';

const { app, newPhone, remind, readReminder, reminderEvents, sendDue } = await reminderWorld();
const { db, clock } = app.context;
expectErrors(/"reason":"unknownOutcome".*a message is given up/);
const hour = 3_600;

/** A due reminder whose SMS was handed over without a response, and the result of the look-up. */
async function unanswered(permanent: boolean) {
  const phone = newPhone();
  const sendAt = new Date(clock.now().getTime() + hour * 1_000).toISOString();
  const { serviceReminder } = await remind({ customerPhone: phone, sendAt });
  app.sms.always(phone, ({ reference }) => {
    app.sms.setLookUp(reference, { state: 'unknown', permanent });
    return { state: 'unknown', detail: 'No answer.' };
  });
  app.advance(hour + 1);
  await sendDue();
  const { id } = serviceReminder;
  assert.equal((await readReminder(id)).status, 'scheduled', 'the gateway is asked');
  const [message] = await db.query<{ id: string; attemptId: string }>(
    `SELECT id, attempt_id FROM message WHERE cause_id = $1`,
    [id],
  );
  assert.ok(message);
  return { id, phone, message };
}

const told = async (messageId: string) =>
  (
    await db.query<{ kind: string; state: string }>(
      `SELECT kind, payload->'message'->>'state' AS state FROM event WHERE subject_id = $1 ORDER BY version`,
      [messageId],
    )
  ).map(({ kind, state }) => [kind, state]);

test('always: giving up an unknown outcome fails the reminder, once, with events and a dead letter', async () => {
  const { id, phone, message } = await unanswered(true);
  await db.query(`UPDATE message_attempt SET started_at = started_at - interval '61 seconds' WHERE id = $1`, [
    message.attemptId,
  ]);
  await app.drain({ retries: true });
  assert.equal((await readReminder(id)).status, 'failed');
  assert.deepEqual(
    (await reminderEvents(id)).map(({ kind }) => kind),
    ['serviceReminder.scheduled', 'serviceReminder.failed'],
  );
  assert.deepEqual(await told(message.id), [
    ['message.failed', 'unknown'],
    ['message.failed', 'unknown'],
  ]);
  assert.equal(app.sms.to(phone).length, 1);
  assert.ok((await listDeadLetters(db)).some(({ payload }) => payload['messageId'] === message.id));
  // A late report.
  const report = { reference: message.attemptId, state: 'delivered', detail: null } as const;
  await recordReport({ db, clock }, 'recorded', report);
  await app.drain();
  assert.equal((await readReminder(id)).status, 'sent');
});

test('it is given up too when its gateway could not be looked up for an hour longer than the SMS may wait', async () => {
  const { id, message } = await unanswered(false);
  const expire = (age: string) =>
    db.query(
      `UPDATE queued_message SET expires_at = clock_timestamp() - $2::interval, due_at = clock_timestamp() + interval '1 day' WHERE message_id = $1`,
      [message.id, age],
    );
  await expire('59 minutes');
  await sweepSending(app.context);
  await app.drain();
  assert.equal((await readReminder(id)).status, 'scheduled');
  await expire('61 minutes');
  await Promise.all([sweepSending(app.context), sweepSending(app.context)]);
  await app.drain();
  assert.equal((await readReminder(id)).status, 'failed');
  assert.equal((await told(message.id)).length, 2);
  assert.ok((await listDeadLetters(db)).some(({ payload }) => payload['messageId'] === message.id));
});

test('a reminder that an earlier release left scheduled is settled by the hourly job', async () => {
  const { id, message } = await unanswered(false);
  const waiting = await unanswered(false);
  await db.query('DELETE FROM queued_message WHERE message_id = $1', [message.id]);
  app.advance(2 * hour);
  await settleForgotten(app.context);
  assert.equal((await readReminder(id)).status, 'failed');
  assert.equal((await readReminder(waiting.id)).status, 'scheduled', 'its SMS is still asked about');
});
