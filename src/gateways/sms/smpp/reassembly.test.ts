import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReassembly, type ReassemblyLimits } from './reassembly.ts';

const long = 1_000_000;
const limits: ReassemblyLimits = { acknowledgeAfterMs: long, waitMs: long, atMost: 100 };

/** The recorded messages, and a way to wait for them. */
function recorder(changes: Partial<ReassemblyLimits> = {}) {
  const now = new Date('2030-01-01T00:00:00Z');
  const reassembly = createReassembly({ machineNow: () => now }, { ...limits, ...changes });
  const recorded: string[] = [];
  /** Nothing is recorded before `after`. */
  const state = { failures: 0, after: Promise.resolve() };
  let heard = Promise.withResolvers<void>();
  const take = (text: string, number: number, total = 2, series = 1) =>
    reassembly.take({ between: 'a\nb', place: { series, total, number }, text }, async (texts) => {
      await state.after;
      if (state.failures-- > 0) throw new Error('the database is away');
      recorded.push(texts.map((part) => part ?? '…').join(''));
      heard.resolve();
      heard = Promise.withResolvers();
    });
  return { now, reassembly, recorded, state, take, next: () => heard.promise };
}

test('after the wait the parts at hand are recorded, and a late part is a message of its own', async () => {
  const { recorded, take, next } = recorder({ acknowledgeAfterMs: 1, waitMs: 30 });
  const waited = next();
  await take('one ', 1);
  await waited;
  assert.deepEqual(recorded, ['one …']);
  const again = next();
  await take('two', 2);
  await again;
  assert.deepEqual(recorded, ['one …', '…two']);
});

test('a message that could not be recorded after the wait is tried again', async () => {
  const { recorded, state, take, next } = recorder({ acknowledgeAfterMs: 1, waitMs: 50 });
  state.failures = 3;
  const waited = next();
  // On a busy machine the wait may end before the part is acknowledged; then the carrier would be told to repeat it.
  state.after = take('one ', 1);
  await state.after;
  await waited;
  assert.deepEqual(recorded, ['one …']);
});

test('a series that starts again under the same number does not mix with the one before', async () => {
  const { recorded, take, reassembly } = recorder();
  const old = take('old one ', 1);
  const [first, second] = [take('new one ', 1), take('new two', 2)];
  await Promise.all([old, first, second]);
  assert.deepEqual(recorded.toSorted(), ['new one new two', 'old one …']);
  await reassembly.close();
});

test('when too many messages wait, the oldest is recorded as it is', async () => {
  const { recorded, take, reassembly } = recorder({ atMost: 2 });
  const oldest = take('1', 1, 2, 1);
  const others = [take('2', 1, 2, 2), take('3', 1, 2, 3)];
  await oldest;
  assert.deepEqual(recorded, ['1…']);
  const refused = Promise.allSettled(others);
  await reassembly.close();
  assert.deepEqual(
    (await refused).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(recorded, ['1…']);
});

test('a part of a recorded message counts as a repeat for ten minutes', async () => {
  const { now, recorded, take, reassembly } = recorder();
  await Promise.all([take('one ', 1), take('two', 2)]);
  await take('two', 2);
  now.setUTCMinutes(11);
  const third = take('two', 2);
  const fourth = take('one ', 1);
  await Promise.all([third, fourth]);
  assert.deepEqual(recorded, ['one two', 'one two']);
  await reassembly.close();
});

test('while nothing can be recorded, the number of waiting parts is bounded, and acknowledged parts are kept', async () => {
  const { recorded, state, take, reassembly } = recorder({ atMost: 2, acknowledgeAfterMs: 1 });
  state.failures = 50;
  await Promise.all([take('1', 1, 2, 1), take('2', 1, 2, 2)]);
  for (let series = 3; series < 40; series++) await assert.rejects(take('more', 1, 2, series));
  state.failures = 0;
  await reassembly.close();
  assert.deepEqual(recorded, ['1…', '2…']);
});

test('an acknowledged part is recorded in the end, although a new series took its number', async () => {
  const { recorded, state, take, reassembly } = recorder({ acknowledgeAfterMs: 1 });
  state.failures = 1;
  await take('old one ', 1);
  await take('new one ', 1);
  await reassembly.close();
  assert.deepEqual(recorded.toSorted(), ['new one …', 'old one …']);
  await assert.rejects(take('new two', 2));
});
