import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReached, positionOf, withoutHeader } from './position.ts';

test('a position is read from its text', () => {
  assert.equal(positionOf('0/0'), 0n);
  assert.equal(positionOf('16/B374D848'), 0x16_b374d848n);
});

test('behind the header of an empty page nothing is missing, behind a record something is', () => {
  const page = 8192n;
  for (const header of [0n, 24n, 40n]) assert.equal(withoutHeader(5n * page + header, 8192), 5n * page);
  assert.equal(withoutHeader(5n * page + 48n, 8192), 5n * page + 48n);
  assert.equal(withoutHeader(6n * page - 8n, 8192), 6n * page - 8n);
});

test('what a replica needs for an age, and the age of what it has', () => {
  const reached = createReached(11_000);
  assert.deepEqual(
    [reached.neededFor(10_000, 0), reached.newestIn(10n), reached.isEmpty()],
    [null, null, true],
  );
  for (const seconds of [0, 1, 2, 3]) reached.add(seconds * 1_000, BigInt(seconds * 100));
  assert.equal(reached.neededFor(2_000, 3_000), 100n);
  assert.equal(reached.neededFor(1_999, 3_000), 200n);
  assert.equal(reached.neededFor(500, 3_501), null);
  assert.deepEqual([199n, 200n, 1_000n].map(reached.newestIn), [1_000, 2_000, 3_000]);
  // What is too old to be asked for is forgotten.
  reached.add(13_500, 400n);
  assert.deepEqual([reached.newestIn(299n), reached.newestIn(300n)], [null, 3_000]);
  reached.forget();
  assert.equal(reached.isEmpty(), true);
});
