/** A gateway whose look-up fails for the time being: a message with an unknown outcome is not repeated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import {
  accepted,
  age,
  holdNext,
  messagingWorld,
  newPhone,
  takenIn,
} from '../../../../test/fixtures/messaging.ts';

const { app, send, read } = await messagingWorld();
const { sms } = app;
const { db, clock } = app.context;

/** A message with an unknown outcome, whose gateway does not answer look-ups. */
async function inSilence() {
  const phone = newPhone();
  sms.next((sent) => {
    sms.setLookUp(sent.reference, { state: 'unknown' });
    return { state: 'unknown', detail: 'No answer.' };
  });
  const first = await send({ phone, referenceId: 'R' });
  assert.equal(first.sms.reason, 'unknownOutcome');
  const again = () => send({ phone, referenceId: 'R' });
  const { reference = '', messageId = '' } = sms.to(phone)[0] ?? {};
  return { phone, reference, messageId, again };
}

const eventsOf = async (messageId: string) =>
  (
    await db.query<{ line: string }>(
      `SELECT kind || ' ' || version || ' ' || (payload->'message'->>'state') AS line FROM event
        WHERE subject_id = $1 ORDER BY version`,
      [messageId],
    )
  ).map(({ line }) => line);

test('always: each call reconciles, none sends again, and each response says that the outcome is unknown', async () => {
  const { phone, messageId, again } = await inSilence();
  for (let i = 0; i < 3; i++) {
    const result = await again();
    assert.deepEqual([result.success, result.sms.reason], [false, 'unknownOutcome']);
    assert.match(result.sms.message, /does not say for now/);
  }
  assert.equal(sms.to(phone).length, 1);
  const { state, attempts } = await read(messageId);
  assert.deepEqual([state, attempts.length, attempts[0].state], ['unknown', 1, 'unknown']);
  // The claim of the attempt changes the message's row too, but writes no event.
  assert.deepEqual(await eventsOf(messageId), [
    'message.failed 2 unknown',
    'message.failed 4 unknown',
    'message.failed 6 unknown',
    'message.failed 8 unknown',
  ]);
});

test('the outcome is known as soon as the gateway answers look-ups', async () => {
  for (const [says, times] of [
    [accepted, 1],
    [{ state: 'notFound' }, 2],
    [{ state: 'unknown', permanent: true }, 2],
  ] as const) {
    const { phone, reference, messageId, again } = await inSilence();
    assert.equal((await again()).success, false);
    sms.setLookUp(reference, says);
    assert.equal((await again()).success, true);
    assert.equal(sms.to(phone).length, times, says.state);
    const { attempts } = await read(messageId);
    assert.equal(attempts.at(-1).repeatsUnknown, 'permanent' in says);
  }
});

test('concurrent calls reconcile once, and all get the same outcome', async () => {
  const { phone, again } = await inSilence();
  const { lookUp } = sms;
  let asked = 0;
  sms.lookUp = async (reference, signal) => {
    asked++;
    // All calls are waiting now.
    await takenIn(app, phone, 4);
    return lookUp(reference, signal);
  };
  const results = await Promise.all([again(), again(), again()]);
  sms.lookUp = lookUp;
  for (const { sms: result } of results) assert.equal(result.reason, 'unknownOutcome');
  assert.deepEqual([asked, sms.to(phone).length], [1, 1]);
});

test('a report that comes while look-ups fail decides the outcome of the call', async () => {
  const { phone, reference, messageId, again } = await inSilence();
  const { lookUp } = sms;
  sms.lookUp = async () => {
    await recordReport({ db, clock }, 'recorded', { reference, state: 'delivered', detail: null });
    return { state: 'unknown' };
  };
  const result = await again();
  sms.lookUp = lookUp;
  assert.deepEqual(
    [result.success, (await read(messageId)).state, sms.to(phone).length],
    [true, 'delivered', 1],
  );
});

test('always: an attempt whose process died during the hand-over is treated the same way', async () => {
  const phone = newPhone();
  const held = holdNext(app);
  const first = send({ phone, referenceId: 'R' });
  await held.begun;
  const { reference = '', messageId = '' } = sms.to(phone)[0] ?? {};
  await age(app, messageId);
  sms.setLookUp(reference, { state: 'unknown' });
  assert.equal((await send({ phone, referenceId: 'R' })).sms.reason, 'unknownOutcome');
  assert.equal(sms.to(phone).length, 1);
  held.answer(accepted);
  assert.equal((await first).success, true);
  assert.equal((await read(messageId)).state, 'accepted');
});
