import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownValue } from './own-value.ts';

test('a table has what stands in it, and nothing that every object has', () => {
  const table: Readonly<Record<string, string>> = { added: 'Added.' };
  assert.equal(ownValue(table, 'added'), 'Added.');
  for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf', '', 'none'])
    assert.equal(ownValue(table, name), undefined, name);
});
