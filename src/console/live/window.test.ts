import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWindow } from './window.ts';

/** A window on a clock of its own; `look` moves it and looks. */
function looking() {
  let nowMs = 0;
  const window = createWindow(() => nowMs);
  return (afterMs: number, snapshot: string) => {
    nowMs += afterMs;
    const next = window.next();
    return { ...next, isMissed: window.found(next, snapshot) };
  };
}

test('the first look compares with nothing; the next ones with the look before them, seconds back', () => {
  const look = looking();
  assert.equal(look(0, '10:10:').snapshot, null);
  assert.partialDeepStrictEqual(look(300, '20:20:'), { snapshot: '10:10:', seconds: 3.3, isMissed: false });
  assert.partialDeepStrictEqual(look(300, '30:30:'), { snapshot: '20:20:', seconds: 3.3, isMissed: false });
});

test('now and then a look goes back for half a minute, compared with the one before it that did', () => {
  const look = looking();
  look(0, '10:10:');
  look(1_500, '20:20:');
  assert.partialDeepStrictEqual(look(1_500, '30:30:'), { snapshot: '10:10:', seconds: 33, isWide: true });
  assert.partialDeepStrictEqual(look(300, '40:40:'), { snapshot: '30:30:', isWide: false });
});

test('a look that failed is made up for by the next; after a pause that none reaches back over, something was missed (specification: The console 28)', () => {
  const look = looking();
  look(0, '10:10:');
  assert.partialDeepStrictEqual(look(15_000, '20:20:'), {
    snapshot: '10:10:',
    seconds: 45,
    isMissed: false,
  });
  assert.partialDeepStrictEqual(look(21_000, '30:30:'), { snapshot: null, isMissed: true });
  assert.partialDeepStrictEqual(look(300, '40:40:'), { snapshot: '30:30:', isMissed: false });
});

test('the end of a transaction that ran for longer than looks go back, and a server with older numbers, say so', () => {
  const look = looking();
  look(0, '7:10:7');
  for (let n = 0; n < 7; n++) assert.equal(look(3_000, '7:20:7').isMissed, false);
  assert.equal(look(3_000, '20:20:').isMissed, true);
  assert.equal(look(300, '20:20:').isMissed, false);
  assert.equal(look(300, '5:5:').isMissed, true);
});

test('one that ended earlier was found by the look that goes back for half a minute', () => {
  const look = looking();
  look(0, '7:10:7');
  for (let n = 0; n < 5; n++) look(3_000, '7:20:7');
  assert.equal(look(3_000, '20:20:').isMissed, false);
});
