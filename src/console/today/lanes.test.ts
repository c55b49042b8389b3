/** Lanes of a day: what overlaps stands side by side, and nothing stands in two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mostAtOnce, type Timed } from '../days/at-once.ts';
import { lanesOf } from './lanes.ts';

const timed = fc
  .record({ from: fc.nat(200), length: fc.integer({ min: 1, max: 60 }) })
  .map(({ from, length }) => ({ from, until: from + length, weight: 1 }));

const overlap = (one: Timed, other: Timed) => one.from < other.until && other.from < one.until;

test('each item once, none over another in its lane, and no more lanes than are at once in use', () => {
  fc.assert(
    fc.property(fc.array(timed, { maxLength: 40 }), (items) => {
      const { laid, lanes } = lanesOf(items);
      assert.deepEqual(new Set(laid.map(({ item }) => item)), new Set(items));
      assert.equal(laid.length, items.length);
      for (const [n, one] of laid.entries())
        for (const other of laid.slice(n + 1))
          assert.ok(one.lane !== other.lane || !overlap(one.item, other.item));
      assert.equal(lanes, mostAtOnce(items, 0, 1_000));
    }),
  );
});

test('the most at once counts each by its weight, in its time alone', () => {
  const items = [
    { from: 0, until: 10, weight: 1 },
    { from: 5, until: 15, weight: 3 },
    { from: 10, until: 20, weight: 1 },
  ];
  assert.equal(mostAtOnce(items, 0, 5), 1);
  assert.equal(mostAtOnce(items, 0, 20), 4);
  assert.equal(mostAtOnce(items, 15, 20), 1);
  assert.equal(mostAtOnce(items, 20, 30), 0);
});
