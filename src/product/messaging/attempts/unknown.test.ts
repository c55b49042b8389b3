/** Attempts with an unknown outcome: time-outs, and processes that died (specification: Messages 11). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { SmsLookUp } from '#platform/gateways/sms/gateway.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { reportAttempt } from '#product/sending/report/store.ts';
import { sweepSending } from '#product/sending/sweep.ts';
import {
  accepted,
  age,
  holdNext,
  messagingWorld,
  newPhone,
  refusedForNow,
  takenIn,
} from '../../../../test/fixtures/messaging.ts';
import { claimAttempt, findRepeated } from './store.ts';

const { app, partner, workshopId, send, customer, read } = await messagingWorld();
const { db, clock } = app.context;

type Row = Record<string, unknown>;

/** A message whose first attempt timed out, and the result of the gateway's look-up. */
async function withoutAnswer(phone: string, lookUp: SmsLookUp): Promise<string> {
  app.sms.next({ state: 'unknown', detail: 'No answer.' });
  const { sms } = await send({ phone, referenceId: 'R' });
  assert.equal(sms.reason, 'unknownOutcome');
  app.sms.setLookUp(app.sms.to(phone)[0]?.reference ?? '', lookUp);
  return sms.messageId;
}

const attemptsOf = async (messageId: string) =>
  (await read(messageId)).attempts.map((a: Row) => [a['number'], a['state'], a['repeatsUnknown']]);

const whole = { state: 'delivered', detail: null } as const;
const delivered = (reference: string) =>
  reportAttempt(db, { reference, gateway: 'recorded', whole }, clock.now());

/** A message whose process never records the outcome. */
async function leftBehind(phone: string) {
  const held = holdNext(app);
  const first = send({ phone, referenceId: 'R' });
  await held.begun;
  const [sent] = app.sms.to(phone);
  return { held, first, messageId: sent?.messageId ?? '', reference: sent?.reference ?? '' };
}

test('always: the gateway has the attempt: it counts as sent, and nothing is sent again', async () => {
  const phone = newPhone();
  const messageId = await withoutAnswer(phone, accepted);
  const second = await send({ phone, referenceId: 'R' });
  assert.deepEqual([second.success, second.sms.messageId, second.sms.reason], [true, messageId, null]);
  assert.equal(app.sms.to(phone).length, 1);
  const stored = await read(messageId);
  assert.deepEqual([stored.state, stored.reason, stored.detail], ['accepted', null, null]);
  assert.deepEqual(await attemptsOf(messageId), [[1, 'accepted', false]]);
  assert.deepEqual(await send({ phone, referenceId: 'R' }), second);
});

test('always: the gateway does not have the attempt: the message is sent again, and is not marked as a possible repeat', async () => {
  const phone = newPhone();
  const messageId = await withoutAnswer(phone, { state: 'notFound' });
  const second = await send({ phone, referenceId: 'R' });
  assert.deepEqual([second.success, second.sms.messageId], [true, messageId]);
  assert.equal(app.sms.to(phone).length, 2);
  assert.deepEqual(await attemptsOf(messageId), [
    [1, 'unknown', false],
    [2, 'accepted', false],
  ]);
});

test('always: the gateway has no look-up: the message is sent again, and is marked as a possible repeat in the conversation', async () => {
  const phone = newPhone();
  const messageId = await withoutAnswer(phone, { state: 'unknown', permanent: true });
  const second = await send({ phone, referenceId: 'R' });
  assert.deepEqual([second.success, second.sms.messageId], [true, messageId]);
  assert.equal(app.sms.to(phone).length, 2);
  assert.deepEqual(await attemptsOf(messageId), [
    [1, 'unknown', false],
    [2, 'accepted', true],
  ]);
});

test('always: each attempt with an unknown outcome is reconciled', async () => {
  const phone = newPhone();
  const messageId = await withoutAnswer(phone, { state: 'notFound' });
  app.sms.next({ state: 'unknown', detail: 'Again no answer.' });
  assert.equal((await send({ phone, referenceId: 'R' })).sms.reason, 'unknownOutcome');
  app.sms.setLookUp(app.sms.to(phone)[1]?.reference ?? '', accepted);
  const third = await send({ phone, referenceId: 'R' });
  assert.deepEqual([third.success, third.sms.messageId], [true, messageId]);
  assert.equal(app.sms.to(phone).length, 2);
  assert.deepEqual(await attemptsOf(messageId), [
    [1, 'unknown', false],
    [2, 'accepted', false],
  ]);
});

test('a stale attempt is claimed, and its late outcome no longer changes the message', async () => {
  const phone = newPhone();
  const { held, first, messageId, reference } = await leftBehind(phone);
  await age(app, messageId);
  app.sms.setLookUp(reference, { state: 'unknown', permanent: true });
  const second = await send({ phone, referenceId: 'R' });
  assert.deepEqual([second.success, second.sms.messageId], [true, messageId]);
  held.answer(refusedForNow);
  await first;
  assert.equal((await read(messageId)).state, 'accepted');
  assert.deepEqual(await attemptsOf(messageId), [
    [1, 'failed', false],
    [2, 'accepted', true],
  ]);
});

test('always: a stale attempt that the gateway had accepted is recorded, not repeated', async () => {
  const phone = newPhone();
  const { held, first, messageId, reference } = await leftBehind(phone);
  await age(app, messageId);
  app.sms.setLookUp(reference, accepted);
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
  assert.equal(app.sms.to(phone).length, 1);
  held.answer(accepted);
  await first;
  assert.deepEqual(await attemptsOf(messageId), [[1, 'accepted', false]]);
});

test('always: an attempt that is not stale is waited for, not claimed', async () => {
  const phone = newPhone();
  const { held, first, messageId } = await leftBehind(phone);
  await age(app, messageId, 13);
  const second = send({ phone, referenceId: 'R' });
  await takenIn(app, phone, 2);
  held.answer(accepted);
  assert.deepEqual(await second, await first);
  assert.equal(app.sms.to(phone).length, 1);
});

test('always: of several calls one claims a stale attempt, and all get its outcome', async () => {
  const phone = newPhone();
  const { held, first, messageId } = await leftBehind(phone);
  await age(app, messageId);
  const { lookUp } = app.sms;
  let asked = 0;
  app.sms.lookUp = (reference, signal) => {
    asked++;
    return lookUp(reference, signal);
  };
  const results = await Promise.all(Array.from({ length: 4 }, () => send({ phone, referenceId: 'R' })));
  app.sms.lookUp = lookUp;
  assert.equal(asked, 1);
  for (const { success, sms } of results) assert.deepEqual([success, sms.messageId], [true, messageId]);
  assert.equal(app.sms.to(phone).length, 2);
  held.answer(accepted);
  await first;
});

test('an attempt that is no longer the latest is never claimed', async () => {
  const phone = newPhone();
  const messageId = await withoutAnswer(phone, { state: 'notFound' });
  await send({ phone, referenceId: 'R' });
  assert.equal(await claimAttempt(db, messageId, app.sms.to(phone)[0]?.reference ?? ''), false);
  assert.deepEqual((await attemptsOf(messageId))[0], [1, 'unknown', false]);
});

test('always: a customer who opts out after an unknown outcome gets nothing more, and the outcome stays unknown', async () => {
  const { id, phone } = await customer();
  const messageId = await withoutAnswer(phone, { state: 'unknown', permanent: true });
  await setOptedOut({ db, clock }, id, true, actors.operator);
  for (let i = 0; i < 2; i++) assert.equal((await send({ phone, referenceId: 'R' })).sms.reason, 'optedOut');
  const stored = await read(messageId);
  assert.deepEqual([stored.state, stored.reason], ['failed', 'optedOut']);
  assert.deepEqual(await attemptsOf(messageId), [[1, 'unknown', false]]);
  assert.equal(app.sms.to(phone).length, 1);

  await setOptedOut({ db, clock }, id, false, actors.operator);
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
  assert.deepEqual(await attemptsOf(messageId), [
    [1, 'unknown', false],
    [2, 'accepted', true],
  ]);
});

test('an SMS that the gateway turns out to have is not reported as unsent after an opt-out', async () => {
  const { id, phone } = await customer();
  await withoutAnswer(phone, accepted);
  await setOptedOut({ db, clock }, id, true, actors.operator);
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
});

test('a report that comes during the look-up decides the outcome: nothing is sent again', async () => {
  const phone = newPhone();
  const messageId = await withoutAnswer(phone, { state: 'notFound' });
  const reference = app.sms.to(phone)[0]?.reference ?? '';
  const { lookUp } = app.sms;
  app.sms.lookUp = async () => {
    await delivered(reference);
    return { state: 'notFound' };
  };
  const second = await send({ phone, referenceId: 'R' });
  app.sms.lookUp = lookUp;
  assert.deepEqual([second.success, app.sms.to(phone).length], [true, 1]);
  assert.equal((await read(messageId)).state, 'delivered');
});

test('the sweep makes the outcome of stale attempts unknown, with an event, and leaves the others', async () => {
  const phones = [newPhone(), newPhone()] as const;
  const [dead, alive] = [await leftBehind(phones[0]), await leftBehind(phones[1])];
  await age(app, dead.messageId);
  await sweepSending(app.context);
  await sweepSending(app.context);
  const [swept, kept] = [await read(dead.messageId), await read(alive.messageId)];
  assert.deepEqual([swept.state, swept.reason], ['unknown', 'unknownOutcome']);
  assert.deepEqual([swept.attempts[0].state, swept.attempts[0].reason], ['unknown', 'unknownOutcome']);
  assert.deepEqual([kept.state, kept.attempts[0].state], ['sending', 'sending']);
  const events = await db.query<{ payload: unknown; partner: string }>(
    'SELECT payload, partner_id AS partner FROM event WHERE subject_id = $1',
    [dead.messageId],
  );
  const { attempts: _, ...message } = swept;
  assert.deepEqual(events, [{ payload: { message }, partner: partner.partnerId }]);

  app.sms.setLookUp(dead.reference, accepted);
  const next = await send({ phone: phones[0], referenceId: 'R' });
  assert.deepEqual([next.success, app.sms.to(phones[0]).length], [true, 1]);
  for (const { held } of [dead, alive]) held.answer(accepted);
  for (const { first } of [dead, alive]) assert.equal((await first).success, true);
});

test('a slow process records its outcome even after the sweep', async () => {
  const phone = newPhone();
  const { held, first, messageId } = await leftBehind(phone);
  await age(app, messageId);
  await sweepSending(app.context);
  held.answer(accepted);
  assert.equal((await first).success, true);
  assert.equal((await read(messageId)).state, 'accepted');
});

test('an attempt that ended before a request came is not replayed to it; one that ended later is', async () => {
  const { id, phone } = await customer();
  await send({ phone, referenceId: 'R' });
  const key = { partnerId: partner.partnerId, workshopId, customerId: id, referenceId: 'R' };
  assert.equal((await findRepeated(db, key, 'infinity'))?.endedSince, false);
  assert.equal((await findRepeated(db, key, '-infinity'))?.endedSince, true);
  assert.equal(await findRepeated(db, { ...key, referenceId: 'S' }, 'infinity'), null);
});
