/** What stands before another sentence ends with a mark, and a link stays a link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSentence } from './sentence.ts';

test('a full stop where there is no mark, and none behind a link', () => {
  const cases = [
    ['The lift is broken', 'The lift is broken.'],
    ['The lift is broken. ', 'The lift is broken.'],
    ['Closed (again.)', 'Closed (again.)'],
    ['Closed (again)', 'Closed (again).'],
    ['Why not tomorrow?', 'Why not tomorrow?'],
    ['and so on...', 'and so on...'],
    ['故障です。', '故障です。'],
    ['See https://carlton.example/a', 'See https://carlton.example/a'],
    ['', ''],
  ];
  for (const [text = '', expected] of cases) assert.equal(asSentence(text), expected);
});
