/** Which calls go into the next batch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairQueue, type WaitingCall } from './fair-queue.ts';

const limits = { rowsAtMost: 4, bytesAtMost: 100, aloneAboveBytes: 40 };

interface Call extends WaitingCall {
  readonly id: number;
}

const anyCalls = fc
  .array(
    fc.record({
      partner: fc.constantFrom('a', 'b', 'c'),
      key: fc.constantFrom(undefined, 'x', 'y', 'z'),
      bytes: fc.integer({ min: 1, max: 60 }),
    }),
    { maxLength: 60 },
  )
  .map((calls): Call[] => calls.map((call, id) => ({ ...call, id })));

const ids = (calls: readonly Call[]) => calls.map(({ id }) => id);

test('every call leaves once, within the limits, in order of its key, and no key is under way twice', () => {
  // Each number says whether a call comes, a batch starts, or the oldest batch ends.
  fc.assert(
    fc.property(anyCalls, fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 200 }), (calls, steps) => {
      const queue = createFairQueue<Call>(limits);
      const waiting = [...calls];
      const underWay: Call[][] = [];
      const left: Call[] = [];
      const add = () => {
        const call = waiting.shift();
        if (call !== undefined) queue.add(call);
      };
      const take = () => {
        const batch = queue.take();
        if (batch.length === 0) return;
        const bytes = batch.reduce((sum, call) => sum + call.bytes, 0);
        assert.ok(batch.length <= limits.rowsAtMost);
        assert.ok(batch.length === 1 || bytes <= limits.bytesAtMost);
        assert.ok(batch.length === 1 || batch.every((call) => call.bytes <= limits.aloneAboveBytes));
        underWay.push(batch);
        left.push(...batch);
        const keys = underWay.flat().flatMap(({ key }) => key ?? []);
        assert.equal(new Set(keys).size, keys.length);
      };
      const end = () => {
        for (const call of underWay.shift() ?? []) queue.done(call);
      };
      for (const step of steps) [add, take, end][step]?.();
      while (waiting.length > 0) add();
      while (queue.ready() > 0 || underWay.length > 0) {
        take();
        end();
      }
      assert.deepEqual(
        ids(left).sort((a, b) => a - b),
        ids(calls),
      );
      for (const key of ['x', 'y', 'z']) {
        const ofKey = ids(left.filter((call) => call.key === key));
        assert.deepEqual(
          ofKey,
          [...ofKey].sort((a, b) => a - b),
        );
      }
    }),
  );
});

test('partners in turn: one with many calls leaves room for the others', () => {
  const queue = createFairQueue<Call>(limits);
  const add = (id: number, partner: string) => queue.add({ id, partner, key: undefined, bytes: 1 });
  for (let id = 0; id < 10; id++) add(id, 'many');
  add(10, 'one');
  add(11, 'another');
  assert.deepEqual(ids(queue.take()), [0, 10, 11, 1]);
  assert.deepEqual(ids(queue.take()), [2, 3, 4, 5]);
});

test('a large call goes alone, and so does what would not fit beside it', () => {
  const queue = createFairQueue<Call>(limits);
  const sizes = [10, 41, 10, 40, 40, 40];
  for (const [id, bytes] of sizes.entries()) queue.add({ id, partner: 'a', key: undefined, bytes });
  const batches: number[][] = [];
  while (queue.ready() > 0) batches.push(ids(queue.take()));
  assert.deepEqual(batches, [[0], [1], [2, 3, 4], [5]]);
});
