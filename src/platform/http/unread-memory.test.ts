/** What the memory of unread bodies promises, whatever comes in whatever order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Sender, strangerAt, type Unread, UnreadMemory } from './unread-memory.ts';

const atMost = 1_000;
const limits = {
  strangersUnreadAtMostBytes: atMost,
  sessionsUnreadAtMostBytes: atMost,
  knownUnreadAtMostBytes: atMost,
};

interface Body {
  readonly pool: string;
  readonly name: string;
  readonly unread: Unread;
  bytes: number;
}

const senders: Readonly<Record<string, (name: string) => Sender>> = {
  known: (name) => ({ known: name }),
  session: (name) => ({ session: name }),
  stranger: (name) => ({ stranger: name }),
};

const step = fc.record({
  pool: fc.constantFrom(...Object.keys(senders)),
  name: fc.constantFrom('one', 'one', 'two', 'three'),
  what: fc.constantFrom('open', 'grow', 'grow', 'grow', 'release'),
  which: fc.nat(20),
  bytes: fc.integer({ min: 1, max: 600 }),
});

test('no limit is passed, a sender’s oldest go first, only of whoever has most; of known callers only their own (specification: Limits 4)', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const memory = new UnreadMemory(limits);
      const open: Body[] = [];
      let growing: Body | undefined;
      const sum = (of: (body: Body) => boolean) =>
        open.filter(of).reduce((total, { bytes }) => total + bytes, 0);
      const heldBy = (pool: string, name: string) => sum((body) => body.pool === pool && body.name === name);

      function begin(pool: string, name: string): void {
        const sender = (senders[pool] ?? assert.fail())(name);
        const unread = memory.open(sender, () => {
          assert.equal(growing?.pool, pool, 'ended for its own kind alone');
          if (pool === 'known') assert.equal(growing?.name, name, 'ended by its own caller alone');
          for (const other of pool === 'known' ? [] : ['one', 'two', 'three'])
            assert.ok(heldBy(pool, other) <= heldBy(pool, name), 'whoever has most');
          const oldest = open.find((body) => body.pool === pool && body.name === name);
          assert.equal(oldest?.unread, unread, 'the oldest');
          open.splice(open.indexOf(oldest as Body), 1);
        });
        open.push({ pool, name, unread, bytes: 0 });
      }
      for (const { pool, name, what, which, bytes } of steps) {
        const own = open.filter((body) => body.pool === pool && body.name === name);
        const body = own[which % own.length];
        if (what === 'open' || body === undefined) begin(pool, name);
        else if (what === 'grow') {
          growing = body;
          body.bytes += bytes;
          body.unread.grow(bytes);
        } else {
          body.unread.release();
          body.unread.release();
          open.splice(open.indexOf(body), 1);
        }
        for (const each of Object.keys(senders)) assert.ok(sum((one) => one.pool === each) <= atMost);
      }
      for (const { unread } of open.splice(0)) unread.release();
      // All of it is free again: a stranger or a session gets everything, one known caller half.
      for (const [pool, free] of [
        ['stranger', atMost],
        ['session', atMost],
        ['known', atMost / 2],
      ] as const) {
        const sender = (senders[pool] ?? assert.fail())('one');
        const fits = memory.open(sender, () => assert.fail(`a ${pool} did not get ${free}`));
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
  for (let n = 0; n < 50; n++) memory.open({ known: 'greedy' }, () => ended++).grow(100);
  assert.equal(50 - ended, 5, 'half');
  for (let n = 0; n < 2; n++) memory.open({ known: 'modest' }, () => assert.fail('there was room')).grow(100);
});

test('what one address, one network or many addresses draw out ends nobody who has less', () => {
  const memory = new UnreadMemory(limits);
  const stays = (text: string) => memory.open(strangerAt(text), () => assert.fail(`${text} was ended`));
  stays('203.0.113.5').grow(40);
  let ended = 0;
  const greedy = (text: string) => memory.open(strangerAt(text), () => ended++).grow(100);
  for (let n = 0; n < 50; n++) greedy('198.51.100.9');
  assert.equal(50 - ended, 9, 'one address');
  // All of one customer of a provider, who may choose the last 64 bits.
  for (let n = 0; n < 50; n++) greedy(`2001:db8::${n.toString(16)}`);
  stays('203.0.113.6').grow(80);
  for (let n = 0; n < 250; n++) greedy(`192.0.2.${n}`);
  stays('203.0.113.7').grow(80);
});
