/** docs/architecture.md shows the actual tree and house rules. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rules } from './house/rules.ts';

const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
const sorted = (names: readonly string[]) => [...names].sort();

test('the tree of src is the one on the page', () => {
  const src = new URL('../src/', import.meta.url);
  const groups = ['base/', 'platform/', 'product/', 'operation/'];
  const entriesOf = (folder: string) =>
    readdirSync(new URL(folder, src), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => folder + name);
  let group = '';
  const shown = [...page.matchAll(/^( {2}| {4})([\w-]+(?:\.ts|\/)) {2,}\S/gm)].map(
    ([, indent, name = '']) => {
      if (indent === '  ') group = name;
      return indent === '  ' ? name : group + name;
    },
  );
  assert.deepEqual(sorted(shown), sorted(['', ...groups].flatMap(entriesOf)));
});

test('the house rules are those on the page', () => {
  const section = page.split('## House rules')[1] ?? '';
  const shown = [...section.matchAll(/^- (.+)$/gm)].map(([, name = '']) => name);
  assert.deepEqual(sorted(shown), sorted(rules.map(({ name }) => name)));
});
