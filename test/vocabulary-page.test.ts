/** The tables and columns that docs/vocabulary.md names are in the database. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const schema = read('schema.sql');
const rows = [...read('docs/vocabulary.md').matchAll(/^\| ([^|]+) \| (.+) \|$/gm)];

const isTable = (name: string) => schema.includes(`TABLE ${name} (`);
/** `occupied_…` stands for all columns that begin so. */
const isColumn = (name: string) =>
  new RegExp(`^ +"?${name.replace('…', '\\w*').replace(/^\w+\./, '')}"? `, 'm').test(schema);

test('the tables and columns that the vocabulary names exist', () => {
  const named = rows.flatMap(([, word = '', meaning = '']) =>
    [...meaning.matchAll(/\b(?:[Tt]ables?|columns?) `[^.;)]*/g)].flatMap(([part]) =>
      [...part.matchAll(/`([a-z][\w.]*…?)`/g)].map(([, name = '']) => ({ word, name })),
    ),
  );
  assert.ok(named.length > 60);
  const missing = named.filter(({ name }) => !isTable(name) && !isColumn(name));
  assert.deepEqual(
    missing.map(({ word, name }) => `${word}: ${name}`),
    [],
  );
});
