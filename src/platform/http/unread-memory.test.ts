/** What the memory of unread bodies promises, whatever comes in whatever order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Unread, UnreadMemory } from './unread-memory.ts';

const atMost = 1_000;
const limits = { strangersUnreadAtMostBytes: atMost, knownUnreadAtMostBytes: atMost };

interface Body {
  readonly caller: string;
  readonly unread: Unread;
  bytes: number;
}

const step = fc.record({
  caller: fc.constantFrom('', '', 'one', 'two', 'three'),
  what: fc.constantFrom('open', 'grow', 'grow', 'grow', 'release'),
  which: fc.nat(20),
  bytes: fc.integer({ min: 1, max: 600 }),
});

test('neither limit is passed, the oldest of a caller go first, and nobody pushes out another caller who is known', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const memory = new UnreadMemory(limits);
      const open: Body[] = [];
      let growing: Body | undefined;
      const sum = (of: (body: Body) => boolean) =>
        open.filter(of).reduce((total, { bytes }) => total + bytes, 0);

      function begin(caller: string): void {
        const unread = memory.open(caller, () => {
          assert.equal(growing?.caller, caller, 'ended by its own caller alone');
          const oldest = open.find((body) => body.caller === caller);
          assert.equal(oldest?.unread, unread, 'the oldest');
          open.splice(open.indexOf(oldest as Body), 1);
        });
        open.push({ caller, unread, bytes: 0 });
      }
      for (const { caller, what, which, bytes } of steps) {
        const own = open.filter((body) => body.caller === caller);
        const body = own[which % own.length];
        if (what === 'open' || body === undefined) begin(caller);
        else if (what === 'grow') {
          growing = body;
          body.bytes += bytes;
          body.unread.grow(bytes);
        } else {
          body.unread.release();
          body.unread.release();
          open.splice(open.indexOf(body), 1);
        }
        assert.ok(sum((one) => one.caller === '') <= atMost);
        assert.ok(sum((one) => one.caller !== '') <= atMost);
      }
      for (const { unread } of open.splice(0)) unread.release();
      // All of it is free again: a stranger gets everything, one known caller half.
      for (const [caller, free] of [
        ['', atMost],
        ['one', atMost / 2],
      ] as const) {
        const fits = memory.open(caller, () => assert.fail(`${caller} did not get ${free}`));
        fits.grow(free);
        fits.release();
      }
    }),
    { numRuns: 300 },
  );
});

test('a caller who takes all there is leaves a share to the next', () => {
  const memory = new UnreadMemory(limits);
  let ended = 0;
  for (let n = 0; n < 50; n++) memory.open('greedy', () => ended++).grow(100);
  assert.equal(50 - ended, 5, 'half');
  for (let n = 0; n < 2; n++) memory.open('modest', () => assert.fail('there was room')).grow(100);
});
