import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testTimers } from '../../../test/harness/timers.ts';
import { startPauses } from './pauses.ts';

test('a pause ends after its time and is forgotten', async () => {
  const timers = testTimers();
  const { pause, pending } = startPauses(timers.after);
  for (let n = 0; n < 1_000; n++) {
    const ended = pause(10);
    await timers.pass(10);
    await ended;
  }
  assert.equal(pending(), 0);
});

test('waking ends all that are pending, each once', async () => {
  const timers = testTimers();
  const { pause, endAll, pending } = startPauses(timers.after);
  const ended = Promise.all([pause(1_000), pause(2_000), pause(3_000)]);
  assert.equal(pending(), 3);
  endAll();
  await ended;
  endAll();
  assert.equal(pending(), 0);
  await timers.pass(5_000);
});
