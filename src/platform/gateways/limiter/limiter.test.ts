/** The limiter's bounds: concurrency is never exceeded, permits go first come, first served, and every wait ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settle, testTimers } from '../../../../test/harness/timers.ts';
import { failuresToOpen, firstOpenMs, type Verdict } from './breaker.ts';
import { createLimiter, type GatewayLimiter, longestWaitMs, type NoPermit, type Permit } from './limiter.ts';

function world(options: Partial<Parameters<typeof createLimiter>[0]> = {}) {
  const timers = testTimers();
  const limiter = createLimiter({ name: 'a', concurrency: 2, timers, random: () => 0, ...options });
  return { timers, limiter };
}

async function held(limiter: GatewayLimiter, signal?: AbortSignal): Promise<Permit> {
  const permit = await limiter.acquire({ use: 'send', ...(signal && { signal }) });
  assert.ok('end' in permit, JSON.stringify(permit));
  return permit;
}

/** The state of a requested permit. */
function watched(entering: Promise<Permit | NoPermit>) {
  let seen: Permit | NoPermit | 'waits' = 'waits';
  void entering.then((result) => {
    seen = result;
  });
  return {
    now: (): Permit | NoPermit | 'waits' => seen,
    permit(): Permit {
      if (seen === 'waits' || !('end' in seen)) assert.fail(JSON.stringify(seen));
      return seen;
    },
  };
}

const failTimes = async (limiter: GatewayLimiter, times: number) => {
  for (let i = 0; i < times; i++) (await held(limiter)).end('bad');
};

test('permits go in order of arrival, and a wait that is too long is refused', async () => {
  const { limiter, timers } = world({ concurrency: 1 });
  const first = await held(limiter);
  const [second, third] = [
    watched(limiter.acquire({ use: 'send' })),
    watched(limiter.acquire({ use: 'send', withinMs: 1_000 })),
  ];
  await timers.pass(999);
  assert.deepEqual([second.now(), third.now(), limiter.state().waiting], ['waits', 'waits', 2]);
  await timers.pass(1);
  assert.deepEqual(third.now(), { why: 'full', retryAfterMs: longestWaitMs });
  first.end('good');
  await settle();
  second.permit();
  first.end('good');
  assert.deepEqual(limiter.state(), { gateway: 'a', inFlight: 1, waiting: 0, breaker: 'closed' });
});

test('what yields lets others go first, also those that come later, and does not fill their room', async () => {
  const { limiter } = world({ concurrency: 1 });
  const first = await held(limiter);
  const [campaign, reply] = [
    watched(limiter.acquire({ use: 'send', yields: true })),
    watched(limiter.acquire({ use: 'send' })),
  ];
  assert.deepEqual(limiter.load(), { first: 2, yielding: 1 });
  first.end('good');
  await settle();
  const replied = reply.permit();
  assert.equal(campaign.now(), 'waits');
  replied.end('good');
  await settle();
  campaign.permit().end('good');
  assert.deepEqual(limiter.load(), { first: 0, yielding: 0 });
});

test('an aborted wait gives up its place; an abort after the permit changes nothing', async () => {
  const { limiter } = world({ concurrency: 1 });
  const own = new AbortController();
  const first = await held(limiter, own.signal);
  const other = new AbortController();
  const second = watched(limiter.acquire({ use: 'send', signal: other.signal }));
  const third = watched(limiter.acquire({ use: 'send' }));
  other.abort();
  own.abort();
  await settle();
  assert.deepEqual([second.now(), third.now()], [{ why: 'aborted', retryAfterMs: 0 }, 'waits']);
  first.end('good');
  await settle();
  third.permit();
  assert.deepEqual(await limiter.acquire({ use: 'send', signal: own.signal }), {
    why: 'aborted',
    retryAfterMs: 0,
  });
});

test('when the breaker opens, all waits are refused at once, those of look-ups too', async () => {
  const { limiter } = world();
  await failTimes(limiter, failuresToOpen - 1);
  const [busy, last] = [await held(limiter), await held(limiter)];
  const late = [watched(limiter.acquire({ use: 'send' })), watched(limiter.acquire({ use: 'lookUp' }))];
  last.end('bad');
  await settle();
  for (const each of late) assert.deepEqual(each.now(), { why: 'open', retryAfterMs: firstOpenMs });
  assert.deepEqual(await limiter.acquire({ use: 'lookUp' }), { why: 'open', retryAfterMs: firstOpenMs });
  assert.equal(limiter.capacity(), 0);
  busy.end('good');
  assert.equal(limiter.state().breaker, 'open');
});

test('half-open: one probe passes; look-ups pass too, and are no probes', async () => {
  const { limiter, timers } = world();
  await failTimes(limiter, failuresToOpen);
  await timers.pass(firstOpenMs);
  assert.deepEqual([limiter.state().breaker, limiter.capacity()], ['halfOpen', 1]);
  const lookUp = await limiter.acquire({ use: 'lookUp' });
  const [first, second] = await Promise.all([
    limiter.acquire({ use: 'send' }),
    limiter.acquire({ use: 'send' }),
  ]);
  assert.ok('end' in lookUp && 'end' in first);
  assert.ok('why' in second && second.why === 'open' && second.retryAfterMs > 0);
  lookUp.end('none');
  first.end('good');
  assert.deepEqual([limiter.state().breaker, limiter.capacity()], ['closed', 2]);
});

test('a probe whose permit was refused leaves its place to another', async () => {
  const { limiter, timers } = world({ concurrency: 1 });
  await failTimes(limiter, failuresToOpen);
  await timers.pass(firstOpenMs);
  const lookUp = await limiter.acquire({ use: 'lookUp' });
  const probe = watched(limiter.acquire({ use: 'send' }));
  await timers.pass(longestWaitMs);
  assert.deepEqual(probe.now(), { why: 'full', retryAfterMs: longestWaitMs });
  assert.ok('end' in lookUp);
  lookUp.end('none');
  await held(limiter);
});

test('a gateway that asks for a pause gets one: waits that would be too long are refused, the others go on', async () => {
  const { limiter, timers } = world({ concurrency: 1 });
  const first = await held(limiter);
  const waits = watched(limiter.acquire({ use: 'send' }));
  first.end('good', 2_000);
  await settle();
  assert.deepEqual([waits.now(), limiter.capacity()], ['waits', 0]);
  const second = await limiter.acquire({ use: 'send', withinMs: 1_999 });
  assert.deepEqual(second, { why: 'resting', retryAfterMs: 2_000 });
  await timers.pass(1_999);
  assert.equal(waits.now(), 'waits');
  await timers.pass(1);
  waits.permit().end('good', 3_600_000);
  assert.deepEqual(await limiter.acquire({ use: 'send' }), { why: 'resting', retryAfterMs: 300_000 });
  assert.equal(limiter.state().breaker, 'closed');
  await timers.pass(300_000);
  await held(limiter);
});

test('in any order of events: concurrency is never exceeded, permits go in order of arrival, and no wait exceeds its time', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('enter' as const),
      use: fc.constantFrom('send' as const, 'send' as const, 'lookUp' as const),
      withinMs: fc.constantFrom(0, 100, longestWaitMs),
    }),
    fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(10),
      verdict: fc.constantFrom<Verdict>('good', 'bad', 'bad', 'none'),
      restMs: fc.constantFrom(0, 0, 0, 500),
    }),
    fc.record({ kind: fc.constant('abort' as const), which: fc.nat(10) }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 50, 1_000, firstOpenMs) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(step, { maxLength: 60, size: 'max' }),
      async (concurrency, steps) => {
        const { limiter, timers } = world({ concurrency });
        const waiting = new Map<number, { until: number; abort: AbortController }>();
        const permits: Permit[] = [];
        let count = 0;
        for (const each of steps) {
          if (each.kind === 'enter') {
            const id = count++;
            const abort = new AbortController();
            waiting.set(id, { until: timers.nowMs() + each.withinMs, abort });
            void limiter
              .acquire({ use: each.use, withinMs: each.withinMs, signal: abort.signal })
              .then((result) => {
                const own = waiting.get(id);
                waiting.delete(id);
                assert.ok(own && timers.nowMs() <= own.until, 'it waited too long');
                if (!('end' in result)) return;
                permits.push(result);
                assert.ok(permits.length <= concurrency, 'too many at once');
                assert.ok(
                  [...waiting.keys()].every((other) => other > id),
                  'one who came before still waits',
                );
              });
            await settle();
          }
          if (each.kind === 'end') {
            const [permit] = permits.splice(each.which % (permits.length || 1), 1);
            permit?.end(each.verdict, each.restMs);
            await settle();
          }
          if (each.kind === 'abort') {
            const all = [...waiting.values()];
            all[each.which % (all.length || 1)]?.abort.abort();
            await settle();
          }
          if (each.kind === 'pass') await timers.pass(each.ms);
          assert.deepEqual(
            [limiter.state().inFlight, limiter.state().waiting],
            [permits.length, waiting.size],
          );
        }
        await timers.pass(longestWaitMs);
        assert.equal(waiting.size, 0, 'somebody still waits');
        for (const permit of permits) permit.end('good');
        assert.deepEqual([limiter.state().inFlight, limiter.state().waiting], [0, 0]);
      },
    ),
    { numRuns: 200 },
  );
});
