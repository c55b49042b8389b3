import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReached } from './position.ts';
import { judge } from './state.ts';
import type { PrimarySeen, ReplicaSeen } from './store.ts';

const primary: PrimarySeen = { system: 'one', timeline: 2, position: 1_024n, lastEnd: 1_000n };
const replica: ReplicaSeen = { system: 'one', timeline: 2, isStandby: true, replayed: 1_000n };

/** The primary had 900 at 0 s and 1,000 at 5 s. */
function judged(of: Partial<ReplicaSeen>, by: PrimarySeen | null = primary, nowMs = 6_000) {
  const reached = createReached(60_000);
  reached.add(0, 900n);
  reached.add(5_000, 1_000n);
  return judge({ ...replica, ...of }, by, reached, nowMs);
}

test('it is used while what it has replayed is at most 10 s old', () => {
  assert.deepEqual(judged({}), { state: 'used', ageMs: 1_000 });
  assert.deepEqual(judged({ replayed: 999n }), { state: 'used', ageMs: 6_000 });
  assert.deepEqual(judged({ replayed: 999n }, primary, 10_000), { state: 'used', ageMs: 10_000 });
  assert.deepEqual(judged({ replayed: 999n }, primary, 10_001), { state: 'lagging', ageMs: 10_001 });
  assert.deepEqual(judged({ replayed: 899n }), { state: 'lagging', ageMs: null });
});

test('while the primary is away it grows old', () => {
  assert.deepEqual(judged({}, null, 14_000), { state: 'used', ageMs: 9_000 });
  assert.deepEqual(judged({}, null, 16_000), { state: 'lagging', ageMs: 11_000 });
});

test('it is not used when it takes writes, is of another system or timeline, or has more than the primary', () => {
  assert.equal(judged({ isStandby: false }).state, 'notReplica');
  assert.equal(judged({ isStandby: false }, null).state, 'notReplica');
  assert.equal(judged({ system: 'two' }).state, 'otherInstallation');
  assert.equal(judged({ replayed: 1_025n }).state, 'ahead');
  assert.equal(judged({ replayed: 1_024n }).state, 'used');
  assert.equal(judged({ timeline: 3 }).state, 'ahead');
  assert.equal(judged({ timeline: 1 }).state, 'lagging');
  assert.equal(judge(replica, primary, createReached(1), 0).state, 'unseen');
});
