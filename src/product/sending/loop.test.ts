/** When the loop looks for work, without its timer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startLoop } from './loop.ts';

test('work that became due while an outlet was full is claimed as soon as the outlet has room', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const due = ['first'];
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const loop = startLoop<string>({
    outlets: [
      {
        name: 'one at a time',
        room: (running) => 1 - running,
        claim: async (room) => ({ works: due.splice(0, room), hasMore: due.length > 0 }),
        watchRoom: () => undefined,
      },
    ],
    prepare: async () => undefined,
    async run(work, ended) {
      begun.push(work);
      await new Promise<void>((resolve) => ends.push(resolve));
      ended();
    },
    renew: async () => undefined,
    failed: (error) => assert.fail(String(error)),
  });
  const settle = async () => {
    for (let n = 0; n < 20; n++) await turn();
  };
  await settle();
  assert.deepEqual(begun, ['first']);
  due.push('second');
  loop.nudge();
  await settle();
  assert.deepEqual(begun, ['first'], 'it is full');
  ends[0]?.();
  await settle();
  assert.deepEqual(begun, ['first', 'second']);
  ends[1]?.();
  await loop.stop();
});

test('work that another process has locked is claimed soon after', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const answers = [[], [], ['work']];
  const begun = Promise.withResolvers<void>();
  const loop = startLoop<string>({
    outlets: [
      {
        name: 'shared',
        room: () => 1,
        claim: async () => ({ works: answers.shift() ?? [], hasMore: answers.length > 0 }),
        watchRoom: () => undefined,
      },
    ],
    prepare: async () => undefined,
    run: async () => begun.resolve(),
    renew: async () => undefined,
    failed: (error) => assert.fail(String(error)),
  });
  await begun.promise;
  await loop.stop();
});

test('after many thousands of pauses it still stops, and waits for the work in flight', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const pauses = 30_000;
  const ends: (() => void)[] = [];
  const manyDone = Promise.withResolvers<void>();
  let paused = 0;
  let isRecorded = false;
  const loop = startLoop<string>({
    outlets: [
      {
        name: 'held by others',
        room: () => 1,
        claim: async () => {
          if (paused < pauses) return { works: [], hasMore: true };
          manyDone.resolve();
          return { works: ends.length === 0 ? ['work'] : [], hasMore: false };
        },
        watchRoom: () => undefined,
      },
    ],
    prepare: async () => undefined,
    async run() {
      await new Promise<void>((resolve) => ends.push(resolve));
      isRecorded = true;
    },
    renew: async () => undefined,
    failed: (error) => assert.fail(String(error)),
    after(_, run) {
      paused++;
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
  });
  await manyDone.promise;
  await turn();
  const stopped = loop.stop();
  assert.equal(isRecorded, false);
  ends[0]?.();
  await stopped;
  assert.equal(isRecorded, true);
});
