/** The rate within one process; over several processes: src/platform/work/pace/store.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settle, testTimers } from '../../../../test/harness/timers.ts';
import { createLimiter, longestWaitMs, type Permit } from './limiter.ts';
import type { Pace } from './pace.ts';

/** Reserves slots as the database does, by the test's clock; a response takes `answerMs`. */
function world(perSecond: number, { concurrency = 100, answerMs = 0, others = (): number => 0 } = {}) {
  const timers = testTimers();
  let nextAt = 0;
  const asked: number[] = [];
  const pace: Pace = {
    perSecond,
    async reserve(count, withinMs) {
      asked.push(count);
      nextAt = Math.max(nextAt, timers.nowMs()) + (others() * 1_000) / perSecond;
      const startsInMs = nextAt - timers.nowMs();
      if (startsInMs > withinMs) return { granted: false, startsInMs };
      nextAt += (count * 1_000) / perSecond;
      if (answerMs > 0) await new Promise<void>((resolve) => timers.after(answerMs, resolve));
      return { granted: true, startsInMs: Math.max(startsInMs - answerMs, 0) };
    },
  };
  return { timers, limiter: createLimiter({ name: 'a', concurrency, pace, timers, random: () => 0 }), asked };
}

test('slots are evenly spaced, and reserved in batches of a tenth of a second', async () => {
  const { limiter, timers, asked } = world(50);
  const sentAt: number[] = [];
  for (let i = 0; i < 100; i++) {
    void limiter.acquire({ use: 'send' }).then((permit) => {
      assert.ok('end' in permit);
      sentAt.push(timers.nowMs());
      permit.end('good');
    });
  }
  await timers.pass(longestWaitMs);
  assert.equal(sentAt.length, 100);
  for (const [index, at] of sentAt.entries()) assert.ok(Math.abs(at - index * 20) < 0.001, `${index}: ${at}`);
  assert.ok(Math.max(...asked) === 5 && asked.length <= 21, String(asked));
});

test('a request whose slot would come too late is refused at once, and nobody asks again before that may help', async () => {
  const { limiter, timers, asked } = world(1.25);
  const ends: string[] = [];
  const acquire = () =>
    limiter.acquire({ use: 'send' }).then((permit) => {
      if ('end' in permit) permit.end('good');
      ends.push(
        'why' in permit
          ? `${permit.why} ${Math.round(permit.retryAfterMs)}`
          : `sent ${Math.round(timers.nowMs())}`,
      );
    });
  for (let i = 0; i < 6; i++) void acquire();
  await settle();
  assert.deepEqual(ends, ['full 200', 'full 200', 'sent 0']);
  await timers.pass(longestWaitMs);
  assert.deepEqual(ends.slice(3), ['sent 800', 'sent 1600', 'sent 2400']);
  assert.ok(asked.length <= 5, String(asked));
});

test('slots that passed while all places were taken are lost: there is no burst afterwards', async () => {
  const { limiter, timers } = world(50, { concurrency: 2 });
  const permits: Permit[] = [];
  const startedAt: number[] = [];
  for (let i = 0; i < 6; i++) {
    void limiter.acquire({ use: 'send' }).then((permit) => {
      assert.ok('end' in permit);
      permits.push(permit);
      startedAt.push(timers.nowMs());
    });
  }
  await timers.pass(1_000);
  for (let i = 0; i < 3; i++) {
    for (const permit of permits.splice(0)) permit.end('good');
    await timers.pass(500);
  }
  assert.equal(startedAt.length, 6);
  for (const [index, at] of startedAt.entries()) {
    assert.ok(index === 0 || at - (startedAt[index - 1] ?? 0) >= 20, String(startedAt));
  }
});

test('look-ups need no slot, and how many messages are taken at once follows the rate', async () => {
  const { limiter } = world(1, { concurrency: 10 });
  const permit = await limiter.acquire({ use: 'send' });
  assert.ok('end' in permit);
  for (let i = 0; i < 5; i++) assert.ok('end' in (await limiter.acquire({ use: 'lookUp' })));
  assert.equal(limiter.capacity(), 2);
  assert.equal(world(0.1).limiter.capacity(), 1);
  assert.equal(world(30, { concurrency: 10 }).limiter.capacity(), 10);
});

test('when slots can’t be reserved, waiting messages are refused and retried', async () => {
  const timers = testTimers();
  let isAway = true;
  const pace: Pace = {
    perSecond: 10,
    reserve: () =>
      isAway ? Promise.reject(new Error('no database')) : Promise.resolve({ granted: true, startsInMs: 0 }),
  };
  const limiter = createLimiter({ name: 'a', pace, timers, random: () => 0 });
  const refused = await Promise.all([limiter.acquire({ use: 'send' }), limiter.acquire({ use: 'send' })]);
  for (const each of refused) assert.deepEqual(each, { why: 'full', retryAfterMs: 1_000 });
  assert.equal(limiter.capacity(), 0);
  assert.ok('why' in (await limiter.acquire({ use: 'send' })));
  isAway = false;
  await timers.pass(1_000);
  assert.ok('end' in (await limiter.acquire({ use: 'send' })));
});

test('whoever shares the rate, and however slow the database: the n-th message never goes before its slot', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(2, 7, 30, 200),
      fc.constantFrom(0, 3, 40),
      fc.array(fc.record({ after: fc.nat(400), count: fc.integer({ min: 1, max: 8 }) }), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }),
      async (perSecond, answerMs, arrivals, elsewhere) => {
        let call = 0;
        const others = () => elsewhere[call++ % elsewhere.length] ?? 0;
        const { limiter, timers } = world(perSecond, { answerMs, others });
        const sentAt: number[] = [];
        let done = 0;
        for (const { after, count } of arrivals) {
          await timers.pass(after);
          for (let i = 0; i < count; i++) {
            void limiter.acquire({ use: 'send' }).then((permit) => {
              done++;
              if (!('end' in permit)) return;
              sentAt.push(timers.nowMs());
              permit.end('good');
            });
          }
          await settle();
        }
        await timers.pass(longestWaitMs);
        assert.equal(
          done,
          arrivals.reduce((sum, { count }) => sum + count, 0),
        );
        // A slot may be used up to a tenth of a second late, so two messages are closer by that much at most.
        for (const [index, at] of sentAt.entries()) {
          for (const [other, before] of sentAt.slice(0, index).entries()) {
            const least = ((index - other) * 1_000) / perSecond - 100 - answerMs;
            assert.ok(at - before >= least - 0.001, `${other} to ${index}: ${at - before} ms`);
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});
