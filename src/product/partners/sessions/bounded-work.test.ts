import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { boundedWork } from './bounded-work.ts';

test('calls run in order of arrival up to a limit, a number wait, and the rest are refused with 503 000007', async () => {
  const bounded = boundedWork({ atOnce: 2, waitingAtMost: 3 });
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = gates.map((gate, n) =>
    bounded(async () => {
      begun.push(n);
      await gate.promise;
      if (n === 1) throw new Error('its own');
      return n;
    }),
  );
  await assert.rejects(all[5] ?? Promise.resolve(), {
    status: 503,
    errorCode: '000007',
    headers: { 'retry-after': '1' },
  });
  assert.deepEqual(begun, [0, 1]);
  gates[1]?.resolve();
  await assert.rejects(all[1] ?? Promise.resolve(), { message: 'its own' });
  await turn();
  assert.deepEqual(begun, [0, 1, 2], 'a failed call hands its place on');
  for (const gate of gates) gate.resolve();
  assert.deepEqual(await Promise.all([all[0], all[2], all[3], all[4]]), [0, 2, 3, 4]);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  assert.equal(await bounded(async () => 'free again'), 'free again');
});
