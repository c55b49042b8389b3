/** Work that is repeated begins when it is told to, and stops before it has begun. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeat } from './repeat.ts';

const unexpected = (error: unknown) => assert.fail(String(error));
/** Runs what is due now, and what follows from it at once. */
const settled = () => new Promise(setImmediate);

test('the first run is at once, or after the time that is given; each further one after the end of the one before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const firstMs of [0, 40]) {
    let runs = 0;
    let end: () => void = () => undefined;
    const work = () => {
      runs += 1;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    };
    const repeating = repeat(100, work, unexpected, firstMs);
    assert.equal(runs, firstMs === 0 ? 1 : 0);
    t.mock.timers.tick(Math.max(0, firstMs - 1));
    assert.equal(runs, firstMs === 0 ? 1 : 0);
    t.mock.timers.tick(1);
    assert.equal(runs, 1);
    // It is under way: no second one begins.
    t.mock.timers.tick(1_000);
    assert.equal(runs, 1);
    end();
    await settled();
    t.mock.timers.tick(99);
    assert.equal(runs, 1);
    t.mock.timers.tick(1);
    assert.equal(runs, 2);
    end();
    await repeating.stop();
    t.mock.timers.tick(1_000);
    assert.equal(runs, 2);
  }
});

test('stopped before its first run, it never runs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const repeating = repeat(100, work, unexpected, 40);
  await repeating.stop();
  t.mock.timers.tick(1_000);
  assert.equal(runs, 0);
});
