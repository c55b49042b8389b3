/** Compares the breaker with a model: any events in any order, with uses that end long after they began. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BreakerPermit, createBreaker, failuresToOpen, firstOpenMs, longestOpenMs } from './breaker.ts';

const bad = (breaker: ReturnType<typeof createBreaker>) => {
  const permit = breaker.tryAcquire();
  assert.ok(permit);
  breaker.settle(permit, 'bad');
};

test('five failures in a row open it; a success in between resets the count, and a use that did not happen counts for nothing', () => {
  const breaker = createBreaker({ nowMs: () => 0, random: () => 0 });
  for (let i = 1; i < failuresToOpen; i++) bad(breaker);
  const permit = breaker.tryAcquire();
  assert.ok(permit);
  breaker.settle(permit, 'none');
  assert.equal(breaker.state(), 'closed');
  breaker.settle(permit, 'good');
  for (let i = 1; i < failuresToOpen; i++) bad(breaker);
  assert.equal(breaker.state(), 'closed');
  bad(breaker);
  assert.deepEqual([breaker.state(), breaker.tryAcquire(), breaker.opensInMs()], ['open', null, firstOpenMs]);
});

test('it opens for 5, 10, 20, 40 and 60 seconds, up to a fifth less, and for 5 again after a success', () => {
  let nowMs = 0;
  for (const random of [0, 0.5, 1]) {
    const breaker = createBreaker({ nowMs: () => nowMs, random: () => random });
    const spans: number[] = [];
    const open = () => {
      spans.push(breaker.opensInMs());
      nowMs += breaker.opensInMs();
      assert.equal(breaker.state(), 'halfOpen');
    };
    for (let i = 0; i < failuresToOpen; i++) bad(breaker);
    for (let times = 0; times < 6; times++) {
      open();
      bad(breaker);
    }
    assert.deepEqual(
      spans,
      [5_000, 10_000, 20_000, 40_000, 60_000, 60_000].map((ms) => ms * (1 - random / 5)),
    );
    open();
    const probe = breaker.tryAcquire();
    assert.ok(probe);
    breaker.settle(probe, 'good');
    assert.equal(breaker.state(), 'closed');
    for (let i = 0; i < failuresToOpen; i++) bad(breaker);
    assert.equal(breaker.opensInMs(), 5_000 * (1 - random / 5));
  }
});

test('two probes at once: one goes, and the other one once the first was given up', () => {
  let nowMs = 0;
  const breaker = createBreaker({ nowMs: () => nowMs, random: () => 0 });
  for (let i = 0; i < failuresToOpen; i++) bad(breaker);
  nowMs += firstOpenMs;
  const [first, second] = [breaker.tryAcquire(), breaker.tryAcquire()];
  assert.ok(first);
  assert.equal(second, null);
  assert.ok(breaker.opensInMs() > 0);
  breaker.settle(first, 'none');
  assert.deepEqual([breaker.state(), breaker.opensInMs()], ['halfOpen', 0]);
  assert.ok(breaker.tryAcquire());
});

interface Model {
  /** When it lets a probe through; null while closed. */
  openUntil: number | null;
  failures: number;
  probing: boolean;
  changes: number;
}

test('in any order of events: closed lets all through, open none, half-open one probe; a use from before a change of state counts for nothing', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const) }),
    fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(20),
      verdict: fc.constantFrom('good' as const, 'bad' as const, 'bad' as const, 'none' as const),
    }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 1_000, 5_000, longestOpenMs) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      let nowMs = 0;
      const breaker = createBreaker({ nowMs: () => nowMs, random: () => 0 });
      const model: Model = { openUntil: null, failures: 0, probing: false, changes: 0 };
      const held: { permit: BreakerPermit; changes: number }[] = [];
      for (const each of steps) {
        if (each.kind === 'pass') nowMs += each.ms;
        if (each.kind === 'ask') {
          const permit = breaker.tryAcquire();
          const may = model.openUntil === null || (nowMs >= model.openUntil && !model.probing);
          assert.equal(permit !== null, may);
          if (permit !== null) held.push({ permit, changes: model.changes });
          if (permit !== null && model.openUntil !== null) model.probing = true;
        }
        const use = each.kind === 'settle' ? held.splice(each.which % (held.length || 1), 1)[0] : undefined;
        if (each.kind === 'settle' && use !== undefined) {
          const opened = breaker.settle(use.permit, each.verdict);
          let opens = false;
          if (use.changes === model.changes) {
            if (model.openUntil === null) {
              if (each.verdict === 'good') model.failures = 0;
              if (each.verdict === 'bad') model.failures++;
              opens = model.failures === failuresToOpen;
            } else {
              model.probing = false;
              opens = each.verdict === 'bad';
              if (each.verdict === 'good') {
                model.openUntil = null;
                model.changes++;
              }
            }
          }
          assert.equal(opened, opens);
          if (opens) {
            const forMs = breaker.opensInMs();
            assert.ok(forMs >= firstOpenMs && forMs <= longestOpenMs, String(forMs));
            Object.assign(model, { openUntil: nowMs + forMs, failures: 0, probing: false });
            model.changes++;
          }
        }
        const state = model.openUntil === null ? 'closed' : nowMs < model.openUntil ? 'open' : 'halfOpen';
        assert.equal(breaker.state(), state);
      }
    }),
  );
});
