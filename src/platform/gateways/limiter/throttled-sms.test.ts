/**
 * Gateways behind their limiters, alone and as a route: which are not called, which is tried next, and what counts as a failure.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmsGateway, SmsListener, SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { lookUpSms, sendSms } from '#platform/gateways/sms/send.ts';
import { recordedSms } from '../../../../test/harness/gateways.ts';
import { settle, testTimers } from '../../../../test/harness/timers.ts';
import { failuresToOpen, firstOpenMs } from './breaker.ts';
import { createLimiter, longestWaitMs, type Use } from './limiter.ts';
import { throttled } from './throttled-sms.ts';

const sms = { reference: 'r', messageId: 'm', to: '+61491570006', from: null, body: 'Hi', route: null };
const hanging = '+61491570999';
const accepted: SmsOutcome = { state: 'accepted', gatewayId: 'g' };
const away: SmsOutcome = {
  state: 'refused',
  permanent: false,
  reason: 'gatewayUnavailable',
  detail: 'Away.',
  elsewhere: true,
};

function world(...names: string[]) {
  const timers = testTimers();
  const members = names.map((name) => {
    const recorded = recordedSms();
    const limiter = createLimiter({ name, concurrency: 2, timers, random: () => 0 });
    const uses: Use[] = [];
    limiter.watch((use) => uses.push(use));
    return { recorded, limiter, uses, gateway: throttled({ ...recorded, name }, limiter) };
  });
  const [first, second] = members;
  assert.ok(first);
  const list = routed(members.map(({ gateway }) => gateway));
  return { timers, first, second: second ?? first, list };
}

/** Hand-overs that hang until `end` is called. */
function occupy(gateway: SmsGateway, count: number, recorded: ReturnType<typeof recordedSms>) {
  const { promise, resolve } = Promise.withResolvers<SmsOutcome>();
  recorded.always(hanging, () => promise);
  const sending = Array.from({ length: count }, () => sendSms(gateway, { ...sms, to: hanging }));
  return {
    async end() {
      resolve(accepted);
      await Promise.all(sending);
    },
  };
}

test('an outcome of the gateway is passed on, and reported to the watchers', async () => {
  const { first } = world('a');
  assert.deepEqual(await sendSms(first.gateway, sms), { state: 'accepted', gatewayId: 'sms-r' });
  first.recorded.next({ ...away, reason: 'temporarilyRefused' });
  assert.equal((await sendSms(first.gateway, sms)).state, 'refused');
  assert.deepEqual(
    first.uses.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['accepted', ''],
      ['refused', 'temporarilyRefused'],
    ],
  );
  assert.equal(first.limiter.state().inFlight, 0);
});

test('when the first gateway is full the next takes the message, after the wait that all limiters share', async () => {
  const { list, first, second, timers } = world('a', 'b');
  const firstBusy = occupy(first.gateway, 2, first.recorded);
  const secondBusy = occupy(second.gateway, 2, second.recorded);
  const both = sendSms(list, sms);
  await timers.pass(longestWaitMs);
  assert.deepEqual(await both, {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail: 'The gateway b gave no permit in time; nothing was handed over.',
    elsewhere: true,
    notAsked: true,
    retryAfterMs: longestWaitMs,
    gateway: 'b',
  });
  await secondBusy.end();
  const one = sendSms(list, { ...sms, reference: 'over' });
  await timers.pass(longestWaitMs);
  assert.deepEqual(await one, { state: 'accepted', gatewayId: 'sms-over', gateway: 'b' });
  await firstBusy.end();
  assert.equal((await sendSms(list, sms)).gateway, 'a');
});

test('when the breaker of the first gateway is open the next takes the message at once; probes go to the first again', async () => {
  const { list, first, second, timers } = world('a', 'b');
  first.recorded.next(...Array<SmsOutcome>(failuresToOpen).fill(away));
  for (let i = 0; i < failuresToOpen; i++) assert.equal((await sendSms(list, sms)).gateway, 'b');
  assert.equal(first.limiter.state().breaker, 'open');
  const asked = first.recorded.sent.length;
  assert.equal((await sendSms(list, sms)).gateway, 'b');
  assert.equal(first.recorded.sent.length, asked);
  await timers.pass(firstOpenMs);
  const probes = await Promise.all([sendSms(list, sms), sendSms(list, sms)]);
  assert.deepEqual(probes.map(({ gateway }) => gateway).sort(), ['a', 'b']);
  assert.equal(second.limiter.state().breaker, 'closed');
});

test('a refusal about the message, or one that asks for a pause, is no failure of the gateway', async () => {
  const { first, timers } = world('a');
  const aboutMessage: SmsOutcome[] = [
    { ...away, permanent: true, reason: 'refused' },
    { state: 'refused', permanent: true, reason: 'invalidNumber', detail: 'No number.' },
    { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Try later.' },
  ];
  for (const outcome of aboutMessage) {
    first.recorded.next(...Array<SmsOutcome>(2 * failuresToOpen).fill(outcome));
    for (let i = 0; i < 2 * failuresToOpen; i++) await sendSms(first.gateway, sms);
    assert.equal(first.limiter.state().breaker, 'closed');
  }
  for (let i = 0; i < 2 * failuresToOpen; i++) {
    first.recorded.next({ ...away, retryAfterMs: 10_000 });
    assert.equal((await sendSms(first.gateway, sms)).state, 'refused');
    assert.equal(first.limiter.state().breaker, 'closed');
    const outcome = await sendSms(first.gateway, sms);
    assert.ok(outcome.state === 'refused' && outcome.notAsked && outcome.retryAfterMs === 10_000);
    await timers.pass(10_000);
  }
  // The gateway itself says that it was not called: it has no connection.
  first.recorded.next(...Array<SmsOutcome>(failuresToOpen).fill({ ...away, notAsked: true }));
  for (let i = 0; i < failuresToOpen; i++) await sendSms(first.gateway, sms);
  assert.equal(first.limiter.state().breaker, 'open');
});

test('a gateway that hangs or throws has failed; one that hangs is ended with the time-out of the hand-over', async () => {
  const { after, pass } = testTimers();
  const { first } = world('a');
  const deaf = throttled(
    { ...first.recorded, name: 'a', send: () => new Promise(() => undefined) },
    first.limiter,
  );
  for (let round = 0; round < 3; round++) {
    const sending = [sendSms(deaf, sms, undefined, after), sendSms(deaf, sms, undefined, after)];
    await settle();
    assert.equal(first.limiter.state().inFlight, 2);
    await pass(10_000);
    for (const each of sending) assert.equal((await each).state, 'unknown');
    await settle();
    await settle();
    assert.equal(first.limiter.state().inFlight, 0);
  }
  assert.equal(first.limiter.state().breaker, 'open');
});

test('a wait that lasts to the time-out of the hand-over means: certainly not handed over', async () => {
  const { after, pass } = testTimers();
  const { first, list } = world('a', 'b');
  const busy = occupy(first.gateway, 2, first.recorded);
  const sending = sendSms(list, { ...sms, route: ['a'] }, undefined, after);
  await settle();
  assert.equal(first.limiter.state().waiting, 1);
  await pass(10_000);
  const outcome = await sending;
  assert.ok(outcome.state === 'refused' && outcome.notAsked, JSON.stringify(outcome));
  await busy.end();
});

test('without a connection a gateway does not work, whatever its breaker says; before the first connection it counts as working', async () => {
  const { first } = world('a');
  const listeners: SmsListener[] = [];
  const told: unknown[] = [];
  const keeps: SmsGateway = {
    ...first.recorded,
    name: 'a',
    start: (listener) => void listeners.push(listener),
  };
  const gateway = throttled(keeps, first.limiter);
  const shown = () => [first.limiter.state().breaker, first.limiter.capacity()];
  gateway.start?.({
    report: async () => undefined,
    receive: async () => undefined,
    receivePart: async () => undefined,
    accepted: async () => undefined,
    connection: (...args) => void told.push(args),
  });
  assert.deepEqual(shown(), ['closed', 2]);
  const [listener] = listeners;
  listener?.connection?.('a', false, 'The carrier does not take the password.');
  listener?.connection?.('a', false, 'The carrier is away.');
  assert.deepEqual(shown(), ['open', 0]);
  listener?.connection?.('a', true, 'There.');
  assert.deepEqual(shown(), ['closed', 2]);
  first.recorded.next(...Array<SmsOutcome>(failuresToOpen).fill(away));
  for (let i = 0; i < failuresToOpen; i++) await sendSms(gateway, sms);
  listener?.connection?.('a', false, 'Gone.');
  listener?.connection?.('a', true, 'There again.');
  assert.deepEqual(shown(), ['open', 0], 'a connection says nothing about what is handed over');
  assert.deepEqual(told, [
    ['a', false, 'The carrier does not take the password.'],
    ['a', false, 'The carrier is away.'],
    ['a', true, 'There.'],
    ['a', false, 'Gone.'],
    ['a', true, 'There again.'],
  ]);
});

test('look-ups have places of their own, are refused while the breaker is open, and are no probes', async () => {
  const { list, first, timers } = world('a', 'b');
  await sendSms(list, sms);
  const found = { state: 'accepted', gatewayId: 'sms-r', gateway: 'a' };
  assert.deepEqual(await lookUpSms(list, 'r', 'a'), found);
  first.recorded.next(...Array<SmsOutcome>(failuresToOpen).fill({ state: 'unknown', detail: 'No answer.' }));
  for (let i = 0; i < failuresToOpen; i++) await sendSms(list, { ...sms, reference: `${i}` });
  const notAsked = { state: 'unknown', notAsked: true, retryAfterMs: firstOpenMs };
  assert.deepEqual(await lookUpSms(list, 'r', 'a'), notAsked);
  // The result of the whole route: the gateway that could not be asked may have the message.
  assert.deepEqual(await lookUpSms(list, 'x'), notAsked);
  await timers.pass(firstOpenMs);
  assert.deepEqual(await lookUpSms(list, 'r', 'a'), found);
  assert.equal(first.limiter.state().breaker, 'halfOpen');
});
