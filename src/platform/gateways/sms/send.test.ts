import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testTimers } from '../../../../test/harness/timers.ts';
import { type SmsGateway, smsTimeoutMs } from './gateway.ts';
import { lookUpSms, sendSms } from './send.ts';

const sms = { reference: 'r', messageId: 'm', to: '+61491570006', from: null, body: 'Hi', route: null };

const gateway = (over: Partial<SmsGateway>): SmsGateway => ({
  name: 'test',
  send: async () => ({ state: 'accepted', gatewayId: 'g' }),
  lookUp: async () => ({ state: 'notFound' }),
  ...over,
});

test('an outcome of the gateway is passed on', async () => {
  assert.deepEqual(await sendSms(gateway({}), sms), { state: 'accepted', gatewayId: 'g' });
  assert.deepEqual(await lookUpSms(gateway({}), 'r'), { state: 'notFound' });
});

test('after 10 seconds without a response the outcome is unknown, and the hand-over is aborted', async () => {
  assert.equal(smsTimeoutMs, 10_000);
  const signals: AbortSignal[] = [];
  const silent = (_: unknown, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  };
  const states: string[] = [];
  const { after, pass } = testTimers();
  const sending = sendSms(gateway({ send: silent }), sms, undefined, after).then(({ state }) =>
    states.push(state),
  );
  const asking = lookUpSms(gateway({ lookUp: silent }), 'r', null, undefined, after).then(({ state }) =>
    states.push(state),
  );
  await pass(9_999);
  assert.deepEqual([states, signals.map(({ aborted }) => aborted)], [[], [false, false]]);
  await pass(1);
  await Promise.all([sending, asking]);
  assert.deepEqual(
    [states, signals.map(({ aborted }) => aborted)],
    [
      ['unknown', 'unknown'],
      [true, true],
    ],
  );
});

test('a response after the time-out changes nothing', async () => {
  const late = Promise.withResolvers<{ state: 'accepted'; gatewayId: string }>();
  const { after, pass } = testTimers();
  const sending = sendSms(gateway({ send: () => late.promise }), sms, undefined, after);
  await pass(10_000);
  assert.equal((await sending).state, 'unknown');
  late.resolve({ state: 'accepted', gatewayId: 'late' });
});

test('a gateway that rejects or throws leaves the outcome unknown, and the error text is not passed on', async () => {
  const rejecting = gateway({
    send: () => Promise.reject(new Error('secret')),
    lookUp: () => Promise.reject(new Error()),
  });
  const throwing = gateway({
    send: () => {
      throw new Error('secret');
    },
    lookUp: () => {
      throw new Error('secret');
    },
  });
  for (const each of [rejecting, throwing]) {
    const outcome = await sendSms(each, sms);
    assert.equal(outcome.state, 'unknown');
    assert.ok(!JSON.stringify(outcome).includes('secret'));
    assert.deepEqual(await lookUpSms(each, 'r'), { state: 'unknown' });
  }
});
