/** docs/errors.md gives the statuses of every code of src/errors.ts, and names no other code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalogue } from '#errors.ts';

interface Row {
  readonly code: string;
  readonly statuses: number[];
  readonly meaning: string;
  readonly advice: string;
}

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
const rows: Row[] = [...page.matchAll(/^\| `(\d{6})` \| ([\d, ]+) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, code = '', statuses = '', meaning = '', advice = '']) => ({
    code,
    statuses: statuses.split(',').map(Number),
    meaning,
    advice,
  }),
);

test('every code of the catalogue is on the page, in order, and no other', () => {
  assert.deepEqual(
    rows.map(({ code }) => code),
    Object.keys(catalogue).sort(),
  );
});

test('the statuses are those of the catalogue', () => {
  const found = Object.fromEntries(rows.map(({ code, statuses }) => [code, statuses]));
  const wanted = Object.fromEntries(
    Object.entries(catalogue).map(([code, { status }]) => [code, [...status]]),
  );
  assert.deepEqual(found, wanted);
});

test('every row has a meaning and a way out', () => {
  for (const { code, meaning, advice } of rows) {
    assert.ok(meaning.length > 10, `${code} has no meaning`);
    assert.ok(advice.length > 10, `${code} has no advice`);
  }
});
