import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { type SmsReason, smsReasons } from '#platform/gateways/sms/gateway.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { smsResult } from './outcome.ts';

const { app, send, customer, read } = await messagingWorld();
const { db, clock } = app.context;

async function assertNotSent(body: object, reason: SmsReason, state: string): Promise<void> {
  const { success, sms } = await send({ ...body });
  assert.deepEqual([success, sms.sent, sms.reason], [false, false, reason]);
  assert.ok(sms.message.length > 10);
  const stored = await read(sms.messageId);
  assert.deepEqual(
    [stored.id, stored.conversationId, stored.state, stored.reason],
    [sms.messageId, sms.conversationId, state, reason],
  );
  const events = await db.query<{ kind: string; reason: string }>(
    `SELECT kind, payload->'message'->>'reason' AS reason FROM event WHERE subject_id = $1`,
    [sms.messageId],
  );
  assert.deepEqual(events, [{ kind: 'message.failed', reason }]);
}

test('HTTP 200 with success false when the gateway refuses, permanently or temporarily (specification: Messages 6)', async () => {
  const detail = 'The text of the carrier.';
  for (const [permanent, reason] of [
    [true, 'refused'],
    [true, 'invalidNumber'],
    [false, 'temporarilyRefused'],
    [false, 'gatewayUnavailable'],
  ] as const) {
    app.sms.next({ state: 'refused', permanent, reason, detail });
    await assertNotSent({ phone: newPhone() }, reason, 'failed');
    app.sms.next({ state: 'refused', permanent, reason, detail });
    const { sms } = await send({ phone: newPhone() });
    // The detail of an unavailable gateway is only for the operator.
    const isTold = reason !== 'gatewayUnavailable';
    assert.equal(sms.message.includes(detail), isTold, sms.message);
    const stored = await read(sms.messageId);
    assert.deepEqual([stored.detail, stored.attempts[0].detail], Array(2).fill(isTold ? detail : null));
  }
});

test('HTTP 200 with success false when the outcome is unknown (specification: Messages 6)', async () => {
  app.sms.next({ state: 'unknown', detail: 'No answer.' });
  await assertNotSent({ phone: newPhone() }, 'unknownOutcome', 'unknown');
});

test('a gateway that throws leaves the outcome unknown, and the response does not contain the error', async () => {
  app.sms.next(() => {
    throw new Error('password=secret');
  });
  const { success, sms } = await send({ phone: newPhone() });
  assert.deepEqual([success, sms.reason], [false, 'unknownOutcome']);
  assert.doesNotMatch(sms.message, /secret/);
});

test('success is true only when sms.sent is true, for every outcome', () => {
  const ids = { messageId: 'm', conversationId: 'c' };
  const texts = new Set<string>();
  for (const reason of smsReasons) {
    const result = smsResult({ ...ids, sent: false, reason, detail: null }, 'R');
    assert.deepEqual([result.success, result.sms.sent, result.sms.reason], [false, false, reason]);
    texts.add(result.sms.message);
  }
  assert.equal(texts.size, smsReasons.length);
  const sent = smsResult({ ...ids, sent: true, reason: null, detail: null }, null);
  assert.deepEqual([sent.success, sent.sms.sent, sent.sms.reason], [true, true, null]);
});

test('always: a customer who has opted out gets nothing, from the first call on: 200 with success false (specification: Opting out 1)', async () => {
  const { id, phone } = await customer();
  await setOptedOut({ db, clock }, id, true, actors.operator);
  await assertNotSent({ customerId: id }, 'optedOut', 'failed');
  await assertNotSent({ phone }, 'optedOut', 'failed');
  assert.equal(app.sms.to(phone).length, 0);
});

test('always: a retry by referenceId after an opt-out sends nothing; the response and the inbox give the reason', async () => {
  const { id, phone } = await customer();
  app.sms.next({ state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Later.' });
  const first = await send({ customerId: id, referenceId: 'R' });
  await setOptedOut({ db, clock }, id, true, actors.operator);
  const second = await send({ customerId: id, referenceId: 'R' });
  assert.deepEqual(
    [second.success, second.sms.reason, second.sms.messageId],
    [false, 'optedOut', first.sms.messageId],
  );
  const stored = await read(first.sms.messageId);
  assert.deepEqual(
    [stored.state, stored.reason, stored.detail, stored.attempts.length],
    ['failed', 'optedOut', null, 1],
  );
  assert.equal(app.sms.to(phone).length, 1);
});

test('always: after an opt-in the same referenceId sends the message that the opt-out had stopped', async () => {
  const { id, phone } = await customer();
  await setOptedOut({ db, clock }, id, true, actors.operator);
  const first = await send({ customerId: id, referenceId: 'R' });
  assert.equal((await send({ customerId: id, referenceId: 'R' })).sms.reason, 'optedOut');
  await setOptedOut({ db, clock }, id, false, actors.operator);
  const second = await send({ customerId: id, referenceId: 'R' });
  assert.deepEqual([second.success, second.sms.messageId], [true, first.sms.messageId]);
  assert.equal(app.sms.to(phone).length, 1);
  assert.deepEqual(
    (await read(first.sms.messageId)).attempts.map(({ number }: { number: number }) => number),
    [1],
  );
});

test('a success is replayed even after an opt-out (specification: Messages 5)', async () => {
  const { id } = await customer();
  const first = await send({ customerId: id, referenceId: 'R' });
  await setOptedOut({ db, clock }, id, true, actors.operator);
  assert.deepEqual(await send({ customerId: id, referenceId: 'R' }), first);
});
