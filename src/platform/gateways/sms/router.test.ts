import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import type { SmsGateway, SmsLookUp, SmsOutcome } from './gateway.ts';
import { routed } from './router.ts';
import { lookUpSms, sendSms } from './send.ts';

const sms = { reference: 'r', messageId: 'm', to: '+61491570006', from: null, body: 'Hi', route: null };

const accepted: SmsOutcome = { state: 'accepted', gatewayId: 'g' };
const unknown: SmsOutcome = { state: 'unknown', detail: 'No answer.' };
const away: SmsOutcome = {
  state: 'refused',
  permanent: false,
  reason: 'gatewayUnavailable',
  detail: 'Away.',
  elsewhere: true,
};
const noRoute: SmsOutcome = { ...away, permanent: true, reason: 'refused', detail: 'No route.' };
const badNumber: SmsOutcome = {
  state: 'refused',
  permanent: true,
  reason: 'invalidNumber',
  detail: 'No such.',
};

function member(name: string, answer: SmsOutcome | Error, lookUp: SmsLookUp = { state: 'unknown' }) {
  const asked: string[] = [];
  const gateway: SmsGateway = {
    name,
    async send() {
      asked.push('send');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async lookUp() {
      asked.push('lookUp');
      return lookUp;
    },
  };
  return { gateway, asked };
}

test('the next gateway is tried only when the one before certainly did not accept, for a reason of the gateway', async () => {
  const answer = fc.constantFrom(accepted, unknown, away, noRoute, badNumber, new Error('broken'));
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 2, maxLength: 4 }), async (answers) => {
      const members = answers.map((each, index) => member(`g${index}`, each));
      const outcome = await sendSms(routed(members.map(({ gateway }) => gateway)), sms);
      const goesOn = (each: SmsOutcome | Error) => each === away || each === noRoute;
      const stop = answers.findIndex((each) => !goesOn(each));
      const last = stop < 0 ? answers.length - 1 : stop;
      assert.deepEqual(
        members.map(({ asked }) => asked.length),
        answers.map((_, index) => (index <= last ? 1 : 0)),
      );
      assert.equal(outcome.gateway, `g${last}`);
      const final = answers[last];
      assert.equal(outcome.state, final instanceof Error ? 'unknown' : final?.state);
      // One gateway is only away and may accept later, so a retry is not pointless.
      if (stop < 0 && outcome.state === 'refused') assert.equal(outcome.permanent, !answers.includes(away));
    }),
  );
});

/** In place of ten seconds. */
const soonMs = 50;

test('after the time-out no further gateway is tried', async () => {
  const { promise, resolve } = Promise.withResolvers<SmsOutcome>();
  const slow: SmsGateway = {
    name: 'slow',
    send: () => promise,
    lookUp: async () => ({ state: 'unknown' }),
  };
  const next = member('next', accepted);
  assert.equal((await sendSms(routed([slow, next.gateway]), sms, soonMs)).state, 'unknown');
  resolve(away);
  await promise;
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(next.asked, []);
});

test('after a time-out the outcome names the gateway that had the message, also when the gateway never responds', async () => {
  const deaf: SmsGateway = {
    name: 'deaf',
    send: () => new Promise(() => undefined),
    lookUp: async () => ({ state: 'unknown' }),
  };
  const stops: SmsGateway = {
    ...deaf,
    name: 'stops',
    send: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  };
  const behindLimiter = throttled(deaf, createLimiter({ name: 'deaf' }));
  for (const [silent, name] of [
    [behindLimiter, 'deaf'],
    [stops, 'stops'],
  ] as const) {
    const outcome = await sendSms(routed([member('away', away).gateway, silent]), sms, soonMs);
    assert.deepEqual([outcome.state, outcome.gateway], ['unknown', name]);
  }
});

test('a look-up asks the gateway that had the attempt, or all when that is not known', async () => {
  const one = member('one', away, { state: 'notFound' });
  const two = member('two', accepted, { state: 'accepted', gatewayId: 'g' });
  const list = routed([one.gateway, two.gateway]);
  assert.equal(list.name, 'one,two');
  assert.deepEqual(await lookUpSms(list, 'r', 'one'), { state: 'notFound' });
  assert.deepEqual([one.asked.length, two.asked.length], [1, 0]);
  for (const unknownName of [null, 'one,two', 'gone']) {
    assert.deepEqual(await lookUpSms(list, 'r', unknownName), {
      state: 'accepted',
      gatewayId: 'g',
      gateway: 'two',
    });
  }
  // The workshop's route, with no gateway beside it.
  for (const { asked } of [one, two]) asked.length = 0;
  const more = routed([one.gateway, two.gateway, member('three', unknown).gateway]);
  assert.equal((await lookUpSms(more, 'r', 'two,one')).state, 'accepted');
  assert.deepEqual(await lookUpSms(routed([one.gateway, two.gateway], ['two']), 'r', 'one'), {
    state: 'notFound',
  });
  assert.deepEqual([one.asked.length, two.asked.length], [2, 1]);
  const three = member('three', unknown);
  assert.deepEqual(await lookUpSms(routed([one.gateway, three.gateway]), 'r'), { state: 'unknown' });
  assert.deepEqual(await lookUpSms(routed([one.gateway, one.gateway]), 'r'), { state: 'notFound' });
});

test('a gateway that can’t be asked, now or ever, makes the look-up of the route unknown', async () => {
  const forNow = member('forNow', unknown).gateway;
  const never = member('never', unknown, { state: 'unknown', permanent: true }).gateway;
  const without = member('without', unknown, { state: 'notFound' }).gateway;
  for (const [members, named, answer] of [
    [[never, without], null, { state: 'unknown', permanent: true }],
    [[never, forNow, without], null, { state: 'unknown' }],
    [[never, without], 'without', { state: 'notFound' }],
    [[without], 'gone', { state: 'unknown', permanent: true }],
    [[without], 'without,gone', { state: 'unknown', permanent: true }],
  ] as const) {
    assert.deepEqual(await lookUpSms(routed(members), 'r', named), answer);
  }
});
