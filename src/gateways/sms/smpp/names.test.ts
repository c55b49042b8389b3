import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNames } from './names.ts';

function world() {
  const now = new Date('2030-01-01T00:00:00Z');
  const names = createNames({ machineNow: () => now });
  const hear = (words: string) => {
    const name = names.nameOf(words);
    names.recorded(words);
    return name;
  };
  return { names, hear, pass: (ms: number) => void now.setTime(now.getTime() + ms) };
}

test('until it is recorded it is the same message; then the same words are another one', () => {
  const { names, hear } = world();
  const first = names.nameOf('Yes');
  assert.equal(names.nameOf('Yes'), first);
  assert.equal(hear('Yes'), first);
  const second = hear('Yes');
  assert.notEqual(second, first);
  assert.notEqual(hear('No'), second);
});

test('after a lost connection what was answered last may be a repeat, once; what was answered before is none', () => {
  const { names, hear, pass } = world();
  const early = hear('Early');
  pass(29_000);
  const late = hear('Late');
  pass(2_000);
  names.lost();
  names.lost();
  pass(120_000);
  assert.notEqual(hear('Early'), early);
  assert.equal(hear('Late'), late);
  assert.notEqual(hear('Late'), late);
});

test('another process gives other names, so that no message is taken for one of its', () => {
  const words = Array.from({ length: 50 }, (_, at) => `${at % 5}`);
  const [one, other] = [world(), world()];
  const all = words.flatMap((each) => [one.hear(each), other.hear(each)]);
  assert.equal(new Set(all).size, 100);
});

test('it remembers only so much', () => {
  const { names, hear } = world();
  const first = names.nameOf('first');
  for (let at = 0; at < 2_000; at++) hear(`${at}`);
  assert.notEqual(names.nameOf('first'), first);
});
