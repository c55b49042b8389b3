import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMessageIds } from '../src/message-ids.ts';

function world() {
  const now = new Date('2030-01-01T00:00:00Z');
  const ids = createMessageIds({ machineNow: () => now });
  const hear = (words: string) => {
    const given = ids.idOf(words);
    given.recorded();
    return given.id;
  };
  return { ids, hear, pass: (ms: number) => void now.setTime(now.getTime() + ms) };
}

test('a message that could not be recorded keeps its id when it is repeated; then the same text is another message', () => {
  const { ids, hear } = world();
  const first = ids.idOf('Yes');
  first.failed();
  assert.equal(hear('Yes'), first.id);
  const second = hear('Yes');
  assert.notEqual(second, first.id);
  assert.notEqual(hear('No'), second);
});

test('two messages with the same text at once are two, and each is repeated under its own id', () => {
  const { ids, hear } = world();
  const both = [ids.idOf('Hello?'), ids.idOf('Hello?')];
  for (const { failed } of both) failed();
  const again = [hear('Hello?'), hear('Hello?'), hear('Hello?')];
  assert.deepEqual(
    again.slice(0, 2),
    both.map(({ id }) => id),
  );
  assert.equal(new Set(again).size, 3);
});

test('after a lost connection the messages acknowledged last may be repeated once; earlier ones are not', () => {
  const { ids, hear, pass } = world();
  const early = hear('Early');
  pass(29_000);
  const late = hear('Late');
  pass(2_000);
  ids.lost();
  // The repeat cannot be recorded at first, for two reasons in turn.
  pass(40_000);
  ids.lost();
  pass(120_000);
  assert.notEqual(hear('Early'), early);
  assert.equal(hear('Late'), late);
  assert.notEqual(hear('Late'), late);
});

test('a message that was being recorded when the connection was lost is repeated', () => {
  const { ids, hear } = world();
  const slow = ids.idOf('Slow');
  ids.lost();
  slow.recorded();
  assert.equal(hear('Slow'), slow.id);
  assert.notEqual(hear('Slow'), slow.id);
});

test('an hour after a lost connection the same text is another message', () => {
  const { ids, hear, pass } = world();
  const before = hear('Yes');
  ids.lost();
  pass(3_600_000);
  assert.notEqual(hear('Yes'), before);
});

test('another process gives other ids, so that its messages are not taken for repeats', () => {
  const words = Array.from({ length: 50 }, (_, at) => `${at % 5}`);
  const [one, other] = [world(), world()];
  const all = words.flatMap((each) => [one.hear(each), other.hear(each)]);
  assert.equal(new Set(all).size, 100);
});

test('it remembers a bounded number of messages', () => {
  const { ids, hear } = world();
  const first = hear('first');
  const last = Array.from({ length: 2_000 }, (_, at) => hear(`${at}`)).at(-1);
  ids.lost();
  assert.notEqual(hear('first'), first);
  assert.equal(hear('1999'), last);
});
