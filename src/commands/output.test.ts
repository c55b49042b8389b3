import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, details, table } from './output.ts';

test('a table has aligned columns and one line a row, whatever a value holds', () => {
  const rows = [
    { name: 'Zoë', note: 'a\nb\u001b[31m' },
    { name: 'Longer name', note: '' },
  ];
  const text = table(rows, { NAME: (row) => row.name, NOTE: (row) => row.note });
  assert.equal(text, ['NAME         NOTE', 'Zoë          a b [31m', 'Longer name'].join('\n'));
  assert.equal(table([], { NAME: () => '' }), 'NAME');
});

test('values as people read them', () => {
  const at = new Date('2030-01-15T00:00:00Z');
  const values = [null, undefined, at, true, false, ['a', 1], { a: 1 }, 0];
  assert.deepEqual(values.map(cell), [
    '',
    '',
    '2030-01-15T00:00:00.000Z',
    'yes',
    'no',
    'a, 1',
    '{"a":1}',
    '0',
  ]);
});

test('details have one value a line', () => {
  assert.equal(details({ id: 1, longer: 'x\ty', none: null }), 'id      1\nlonger  x y\nnone');
});
