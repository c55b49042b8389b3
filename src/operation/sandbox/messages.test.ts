/** Messages through the real sandbox, with its magic numbers and its delivery reports (specification: Sandbox 1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { magicNumbers, sandboxSms } from '#platform/gateways/sms/sandbox.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { finishOf } from '#product/sending/finish/outcome.ts';
import { recordFinish } from '#product/sending/finish/store.ts';

import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { tryFailedAgain } from '../../../test/harness/failed-work.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { bookingBody, linkedWorkshop } from '../../../test/harness/world.ts';
import { handOutReports } from './reports.ts';
import { sandboxOutbox } from './store.ts';

const { app, partner, send, read } = await messagingWorld({
  gateways: ({ db, clock }) => ({ sms: sandboxSms({ outbox: sandboxOutbox(db, clock), latencyMs: 0 }) }),
});
const { context } = app;
const { db } = context;

const kept = (phone: string) =>
  db.query<{ outcome: string }>('SELECT outcome FROM sandbox_message WHERE recipient = $1 ORDER BY id', [
    phone,
  ]);

test('a message is stored, and counts as sent', async () => {
  const phone = newPhone();
  assert.equal((await send({ phone })).success, true);
  assert.deepEqual(await kept(phone), [{ outcome: 'accepted' }]);
});

test('0491570156 is refused for good, at every attempt', async () => {
  const phone = magicNumbers.refusedForGood;
  for (let i = 0; i < 2; i++) {
    const { success, sms } = await send({ phone, referenceId: 'R' });
    assert.deepEqual([success, sms.reason], [false, 'refused']);
  }
});

test('0491570157 is refused once for each message, and then accepted', async () => {
  const phone = magicNumbers.refusedOnce;
  for (const referenceId of ['R', 'S']) {
    const first = await send({ phone, referenceId });
    assert.deepEqual([first.success, first.sms.reason], [false, 'temporarilyRefused']);
    const second = await send({ phone, referenceId });
    assert.deepEqual([second.success, second.sms.messageId], [true, first.sms.messageId]);
  }
});

test('0491570158 never answers: after 10 seconds the outcome is unknown; 0491570110 is accepted after 2', async () => {
  const phone = magicNumbers.neverAnswers;
  const timed = async (to: string) => {
    const startedAt = performance.now();
    const result = await send({ phone: to, referenceId: 'R' });
    return { ...result, seconds: (performance.now() - startedAt) / 1000 };
  };
  const [silent, slow] = await Promise.all([timed(phone), timed(magicNumbers.slow)]);
  assert.deepEqual([silent.success, silent.sms.sent, silent.sms.reason], [false, false, 'unknownOutcome']);
  assert.ok(silent.seconds >= 9.9 && silent.seconds < 15, `${silent.seconds} s`);
  assert.deepEqual([slow.success, slow.seconds >= 1.9 && slow.seconds < 8], [true, true]);
  assert.equal((await read(silent.sms.messageId)).state, 'unknown');
  assert.deepEqual(await kept(phone), []);
  const { attemptId } = await attemptOf(silent.sms.messageId);
  assert.deepEqual(await context.sms.lookUp(attemptId, AbortSignal.timeout(1_000)), { state: 'notFound' });
});

async function attemptOf(messageId: string): Promise<{ attemptId: string }> {
  const [row] = await db.query<{ attemptId: string }>('SELECT attempt_id FROM message WHERE id = $1', [
    messageId,
  ]);
  return row ?? { attemptId: '' };
}

test('0491570159 is accepted, then reported undelivered, once', async () => {
  const { success, sms } = await send({ phone: magicNumbers.undelivered, referenceId: 'R' });
  assert.equal(success, true);
  assert.equal((await read(sms.messageId)).state, 'accepted');
  await Promise.all([handOutReports(context), handOutReports(context)]);
  assert.equal((await read(sms.messageId)).state, 'undelivered');
  assert.equal((await send({ phone: magicNumbers.undelivered, referenceId: 'R' })).success, true);
  const waiting = await db.query('SELECT FROM sandbox_message WHERE report IS NOT NULL');
  assert.equal(waiting.length, 0);
});

test('a notice to 0491570159 is reported undelivered too', async () => {
  const workshopId = await linkedWorkshop(app, [partner]);
  const body = bookingBody(workshopId, { customerPhone: magicNumbers.undelivered });
  const { status, body: made } = await partner.call('POST', '/bookings', body);
  assert.equal(status, 201);
  await app.drain();
  await handOutReports(context);
  const states = await db.query(`SELECT state FROM message WHERE booking_id = $1 AND recipient = $2`, [
    made.booking.id,
    magicNumbers.undelivered,
  ]);
  assert.deepEqual(states, [{ state: 'undelivered' }]);
});

test('a report about a notice that is still being recorded is not lost', async () => {
  const [notice] = await db.query<{ id: string; attemptId: string }>(
    `WITH m AS (UPDATE message SET state = 'sending' WHERE recipient = $1 AND kind = 'bookingNotice' RETURNING id, attempt_id),
     a AS (UPDATE message_attempt SET state = 'sending' FROM m WHERE message_attempt.id = m.attempt_id)
     SELECT id, attempt_id FROM m`,
    [magicNumbers.undelivered],
  );
  const { id = '', attemptId = '' } = notice ?? {};
  const at = context.clock.now();
  await recordReport({ db, clock: context.clock }, 'sandbox', {
    reference: attemptId,
    state: 'undelivered',
    detail: null,
  });
  const accepted = { messageId: id, attemptId, state: 'accepted', gatewayId: 'g', now: at } as const;
  await recordFinish(db, finishOf({ ...accepted, actor: actors.schedule }));
  const states = await db.query('SELECT state FROM message WHERE id = $1', [id]);
  assert.deepEqual(states, [{ state: 'undelivered' }]);
});

test('a report that could not be recorded is handed out again', async () => {
  expectErrors(/"job":"handOutReport"/);
  const { sms } = await send({ phone: magicNumbers.undelivered });
  await db.query('ALTER TABLE message_attempt RENAME TO message_attempt_away');
  await handOutReports(context);
  await db.query('ALTER TABLE message_attempt_away RENAME TO message_attempt');
  assert.equal(await tryFailedAgain(context), 1);
  assert.equal((await read(sms.messageId)).state, 'undelivered');
});

test('without the sandbox no reports are handed out', async () => {
  const { sms } = await send({ phone: magicNumbers.undelivered });
  await handOutReports({ ...context, sandbox: false });
  assert.equal((await read(sms.messageId)).state, 'accepted');
  const { attemptId } = await attemptOf(sms.messageId);
  const report = { reference: attemptId, state: 'delivered', detail: null } as const;
  await recordReport({ db, clock: context.clock }, 'sandbox', report);
  await handOutReports(context);
  assert.equal((await read(sms.messageId)).state, 'delivered');
});
