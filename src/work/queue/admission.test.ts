/** Which jobs may be taken: places for each gateway, none while it takes nothing, and those who fetch at the same time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLane } from '#gateways/lane/lane.ts';
import { throttledEmail } from '#gateways/lane/throttled-email.ts';
import { throttled } from '#gateways/lane/throttled-sms.ts';
import { routed } from '#gateways/sms/router.ts';
import { recordedEmail, recordedSms } from '../../../test/harness/gateways.ts';
import { testTimers } from '../../../test/harness/timers.ts';
import { createAdmission, lanesOf } from './admission.ts';

function world({ a = 2, b = 3, smtp = 1 } = {}) {
  const timers = testTimers();
  const lane = (name: string, concurrency: number) =>
    createLane({ name, concurrency, timers, random: () => 0 });
  const member = (name: string, concurrency: number) =>
    throttled({ ...recordedSms(), name }, lane(name, concurrency));
  const sms = routed([member('a', a), member('b', b)], ['a']);
  const email = throttledEmail(recordedEmail(), lane('smtp', smtp));
  const gateways = { sms, email };
  const [laneA, laneB] = lanesOf(gateways);
  assert.ok(laneA && laneB);
  return { timers, laneA, laneB, admission: createAdmission(gateways) };
}

async function fail(lane: ReturnType<typeof createLane>, times = 5): Promise<void> {
  for (let i = 0; i < times; i++) {
    const turn = await lane.enter({ use: 'send' });
    assert.ok('end' in turn);
    turn.end('bad');
  }
}

test('a place for each that a gateway may have, and some for all else; twenty at least', () => {
  assert.equal(world().admission.places, 20);
  assert.equal(world({ a: 20, b: 10, smtp: 5 }).admission.places, 45);
  assert.equal(createAdmission({ sms: recordedSms(), email: recordedEmail() }).places, 20);
});

test('no more jobs for a gateway than it has places; the others are free', () => {
  const { admission } = world();
  const first = admission.begin(['sms', 'workshop:1']);
  const second = admission.begin(['sms:a', 'workshop:2']);
  assert.ok(first && second);
  assert.equal(admission.begin(['sms', 'workshop:3']), null);
  assert.deepEqual(admission.fetch().forbidden, ['sms', 'sms:a']);
  assert.ok(admission.begin(['sms:b']) && admission.begin(['email']) && admission.begin([]));
  assert.equal(admission.begin(['email']), null);
  first();
  assert.deepEqual(admission.fetch().forbidden, ['email']);
  assert.ok(admission.begin(['sms']));
});

test('a route whose first gateway is only full waits for it; one whose first does not work goes to the next', async () => {
  const { admission, laneA, laneB, timers } = world({ a: 2, b: 1 });
  assert.ok(admission.begin(['sms:a,b']) && admission.begin(['sms:a,b']));
  assert.equal(admission.begin(['sms:a,b']), null);
  await fail(laneA);
  assert.ok(admission.begin(['sms:a,b']));
  assert.equal(admission.begin(['sms:a,b']), null);
  assert.equal(admission.isClosed('sms'), true);
  await timers.pass(5_000);
  // Half-open: one on trial, but there are two jobs under way.
  assert.equal(admission.isClosed('sms:a'), true);
  await fail(laneB);
  assert.equal(admission.isClosed('sms:b'), true);
});

test('jobs wait while a gateway has no connection, or go to the next', () => {
  const { admission, laneA } = world();
  laneA.connected(false);
  assert.deepEqual([admission.isClosed('sms:a'), admission.begin(['sms:a'])], [true, null]);
  assert.ok(admission.begin(['sms:a,b']));
  laneA.connected(true);
  assert.ok(admission.begin(['sms:a']));
});

test('half-open lets one job through', async () => {
  const { admission, laneA, timers } = world({ smtp: 5 });
  await fail(laneA);
  assert.equal(admission.isClosed('sms'), true);
  await timers.pass(5_000);
  const probe = admission.fetch();
  assert.deepEqual(probe.forbidden, []);
  assert.deepEqual(admission.fetch().forbidden, ['sms']);
  assert.equal(admission.isWorthALook(), true, 'e-mail');
  admission.fetch();
  probe.end();
  // Another one may find what this one did not bring.
  assert.deepEqual([admission.isWorthALook(), admission.isWorthALook()], [true, false]);
  assert.equal(admission.isClosed('sms'), false);
});

test('routes of gateways that are not there, and flags of another kind, hold nothing up', () => {
  const { admission } = world();
  for (let i = 0; i < 100; i++) assert.ok(admission.begin(['sms:gone', 'workshop:1']));
  assert.ok(admission.begin(['anything']));
  assert.equal(admission.isClosed('sms:gone'), false);
  const sandbox = createAdmission({ sms: recordedSms(), email: recordedEmail() });
  for (let i = 0; i < 100; i++) assert.ok(sandbox.begin(['sms']) && sandbox.begin(['email']));
});

test('whatever is fetched and ends in whatever order: what a fetch may bring has a place, and places come back', () => {
  const passages = ['sms', 'sms:b', 'sms:b,a', 'email'] as const;
  const step = fc.oneof(
    fc.record({ kind: fc.constant('fetch' as const) }),
    fc.record({
      kind: fc.constant('bring' as const),
      which: fc.nat(30),
      passage: fc.constantFrom(...passages, null),
    }),
    fc.record({ kind: fc.constant('leave' as const), which: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
      const { admission } = world();
      // All routes are known: they were met before.
      for (const passage of passages) admission.begin([passage])?.();
      const fetches: ReturnType<typeof admission.fetch>[] = [];
      const jobs: { passage: string; leave: () => void }[] = [];
      for (const each of steps) {
        if (each.kind === 'fetch') fetches.push(admission.fetch());
        if (each.kind === 'bring') {
          const [fetch] = fetches.splice(each.which % (fetches.length || 1), 1);
          fetch?.end();
          if (fetch === undefined || each.passage === null || fetch.forbidden.includes(each.passage))
            continue;
          const leave = admission.begin([each.passage]);
          assert.ok(leave, `no place for ${each.passage}, which it was free to bring`);
          jobs.push({ passage: each.passage, leave });
        }
        if (each.kind === 'leave') jobs.splice(each.which % (jobs.length || 1), 1)[0]?.leave();
        const count = (passage: string) => jobs.filter((job) => job.passage === passage).length;
        assert.ok(count('sms') <= 2 && count('email') <= 1 && count('sms:b') + count('sms:b,a') <= 3);
      }
      for (const fetch of fetches) fetch.end();
      for (const { leave } of jobs) leave();
      for (const passage of passages) assert.equal(admission.isClosed(passage), false);
    }),
  );
});
