import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQuery } from './head-size.ts';

test('a query is read as forms write it; of one that is too long nothing is read', () => {
  assert.deepEqual({ ...readQuery('a=1&b=%C3%A9+%26&a=2&c') }, { a: ['1', '2'], b: 'é &', c: '' });
  assert.deepEqual(readQuery(`a=1${'&+'.repeat(3_000)}`), {});
});
