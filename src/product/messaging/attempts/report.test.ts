import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { listMessages } from '#product/messaging/inbox/store.ts';
import { reportAttempt } from '#product/sending/report/store.ts';
import {
  accepted,
  age,
  holdNext,
  messagingWorld,
  newPhone,
  refusedForNow,
} from '../../../../test/fixtures/messaging.ts';

const { app, send, read } = await messagingWorld();
const { db, clock } = app.context;

type State = 'delivered' | 'undelivered' | 'expired';
const report = (reference: string | undefined, state: State) =>
  reportAttempt(
    db,
    { reference: reference ?? '', gateway: 'recorded', whole: { state, detail: null } },
    clock.now(),
  );

for (const state of ['delivered', 'undelivered', 'expired'] as const) {
  test(`a report after the acceptance makes the message ${state}, and that is final (specification: Messages 12)`, async () => {
    const phone = newPhone();
    const { sms } = await send({ phone });
    const { reference } = app.sms.to(phone)[0] ?? {};
    const before = await read(sms.messageId);
    app.advance(60);
    assert.equal(await report(reference, state), true);
    const reported = await read(sms.messageId);
    assert.deepEqual([reported.state, reported.attempts[0].state], [state, state]);
    assert.ok(reported.updatedAt > before.updatedAt);
    for (const later of ['delivered', 'undelivered', 'expired'] as const) await report(reference, later);
    assert.deepEqual(await read(sms.messageId), reported);
  });

  test(`a report before the acceptance was recorded counts too: ${state}`, async () => {
    const phone = newPhone();
    const held = holdNext(app);
    const sending = send({ phone });
    await held.begun;
    const { reference, messageId = '' } = app.sms.to(phone)[0] ?? {};
    assert.equal(await report(reference, state), true);
    held.answer(accepted);
    // The gateway had accepted it: that is the outcome of the request.
    assert.equal((await sending).success, true);
    const stored = await read(messageId);
    assert.deepEqual([stored.state, stored.attempts[0].state], [state, state]);
  });
}

test('always: a delivery report decides an unknown outcome, and a retry then replays the success', async () => {
  const phone = newPhone();
  app.sms.next({ state: 'unknown', detail: 'No answer.' });
  const first = await send({ phone, referenceId: 'R' });
  assert.equal(await report(app.sms.to(phone)[0]?.reference, 'delivered'), true);
  const stored = await read(first.sms.messageId);
  assert.deepEqual([stored.state, stored.reason, stored.detail], ['delivered', null, null]);
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
  assert.equal(app.sms.to(phone).length, 1);
});

test('a report about an earlier attempt changes that attempt, not the message', async () => {
  const phone = newPhone();
  app.sms.next({ state: 'unknown', detail: 'No answer.' });
  await send({ phone, referenceId: 'R' });
  const { sms } = await send({ phone, referenceId: 'R' });
  assert.equal(await report(app.sms.to(phone)[0]?.reference, 'undelivered'), true);
  const stored = await read(sms.messageId);
  assert.equal(stored.state, 'accepted');
  assert.deepEqual(
    stored.attempts.map(({ state }: { state: string }) => state),
    ['undelivered', 'accepted'],
  );
});

test('always: a delivered attempt counts even when a later one failed or is unknown: nothing more is sent', async () => {
  for (const later of [refusedForNow, { state: 'unknown', detail: 'No answer.' }] as const) {
    const phone = newPhone();
    app.sms.next({ state: 'unknown', detail: 'No answer.' }, later);
    await send({ phone, referenceId: 'R' });
    const { sms, success } = await send({ phone, referenceId: 'R' });
    assert.equal(success, false);
    assert.equal(await report(app.sms.to(phone)[0]?.reference, 'delivered'), true);
    const stored = await read(sms.messageId);
    assert.deepEqual([stored.state, stored.reason, stored.detail], ['delivered', null, null]);
    const events = await db.query<{ kind: string }>(
      'SELECT kind FROM event WHERE subject_id = $1 ORDER BY version DESC LIMIT 1',
      [sms.messageId],
    );
    assert.deepEqual(events, [{ kind: 'message.delivered' }]);
    const [inInbox] = await listMessages(db, { conversationId: sms.conversationId, before: null, limit: 1 });
    assert.equal(inInbox?.repeatsUnknown, later !== refusedForNow);
    // After that the outcome of the later attempt does not change the message.
    await report(app.sms.to(phone)[1]?.reference, 'undelivered');
    assert.equal((await read(sms.messageId)).state, 'delivered');
    assert.equal((await send({ phone, referenceId: 'R' })).success, true);
    assert.equal(app.sms.to(phone).length, 2);
  }
});

test('always: an acceptance that is recorded late counts even when a later attempt failed', async () => {
  const phone = newPhone();
  const held = holdNext(app);
  const first = send({ phone, referenceId: 'R' });
  await held.begun;
  const { reference = '', messageId = '' } = app.sms.to(phone)[0] ?? {};
  await age(app, messageId);
  app.sms.setLookUp(reference, { state: 'unknown', permanent: true });
  app.sms.next(refusedForNow);
  assert.equal((await send({ phone, referenceId: 'R' })).sms.reason, 'temporarilyRefused');
  held.answer(accepted);
  await first;
  assert.equal((await read(messageId)).state, 'accepted');
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
  assert.equal(app.sms.to(phone).length, 2);
});

test('an attempt that repeats one with an unknown outcome keeps this mark when it is retried', async () => {
  const phone = newPhone();
  app.sms.next({ state: 'unknown', detail: 'No answer.' }, refusedForNow);
  for (const success of [false, false, true]) {
    assert.equal((await send({ phone, referenceId: 'R' })).success, success);
  }
  const { attempts } = await read(app.sms.to(phone)[0]?.messageId ?? '');
  assert.deepEqual(
    attempts.map(({ state, repeatsUnknown }: Record<string, unknown>) => [state, repeatsUnknown]),
    [
      ['unknown', false],
      ['failed', true],
      ['accepted', true],
    ],
  );
});

test('a report about a failed attempt changes nothing', async () => {
  const phone = newPhone();
  app.sms.next(refusedForNow);
  const { sms } = await send({ phone });
  assert.equal(await report(app.sms.to(phone)[0]?.reference, 'delivered'), true);
  assert.equal((await read(sms.messageId)).state, 'failed');
});

test('a report with an unknown reference changes nothing', async () => {
  assert.equal(await report(newId(), 'delivered'), false);
});
