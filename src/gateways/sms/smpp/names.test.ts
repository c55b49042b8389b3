import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNames } from './names.ts';

function world() {
  const now = new Date('2030-01-01T00:00:00Z');
  const names = createNames({ machineNow: () => now });
  const hear = (words: string) => {
    const named = names.nameOf(words);
    named.recorded();
    return named.name;
  };
  return { names, hear, pass: (ms: number) => void now.setTime(now.getTime() + ms) };
}

test('what could not be recorded is the same message when it comes again; then the same words are another one', () => {
  const { names, hear } = world();
  const first = names.nameOf('Yes');
  first.failed();
  assert.equal(hear('Yes'), first.name);
  const second = hear('Yes');
  assert.notEqual(second, first.name);
  assert.notEqual(hear('No'), second);
});

test('two with the same words at once are two, and each comes again as itself', () => {
  const { names, hear } = world();
  const both = [names.nameOf('Hello?'), names.nameOf('Hello?')];
  for (const { failed } of both) failed();
  const again = [hear('Hello?'), hear('Hello?'), hear('Hello?')];
  assert.deepEqual(
    again.slice(0, 2),
    both.map(({ name }) => name),
  );
  assert.equal(new Set(again).size, 3);
});

test('after a lost connection what was answered last may be a repeat, once; what was answered before is none', () => {
  const { names, hear, pass } = world();
  const early = hear('Early');
  pass(29_000);
  const late = hear('Late');
  pass(2_000);
  names.lost();
  // It can't be made again at first, for one reason and another.
  pass(40_000);
  names.lost();
  pass(120_000);
  assert.notEqual(hear('Early'), early);
  assert.equal(hear('Late'), late);
  assert.notEqual(hear('Late'), late);
});

test('what was being recorded when the connection was lost comes again', () => {
  const { names, hear } = world();
  const slow = names.nameOf('Slow');
  names.lost();
  slow.recorded();
  assert.equal(hear('Slow'), slow.name);
  assert.notEqual(hear('Slow'), slow.name);
});

test('an hour after a lost connection the same words are another message', () => {
  const { names, hear, pass } = world();
  const before = hear('Yes');
  names.lost();
  pass(3_600_000);
  assert.notEqual(hear('Yes'), before);
});

test('another process gives other names, so that no message is taken for one of its', () => {
  const words = Array.from({ length: 50 }, (_, at) => `${at % 5}`);
  const [one, other] = [world(), world()];
  const all = words.flatMap((each) => [one.hear(each), other.hear(each)]);
  assert.equal(new Set(all).size, 100);
});

test('it remembers only so much', () => {
  const { names, hear } = world();
  const first = hear('first');
  const last = Array.from({ length: 2_000 }, (_, at) => hear(`${at}`)).at(-1);
  names.lost();
  assert.notEqual(hear('first'), first);
  assert.equal(hear('1999'), last);
});
