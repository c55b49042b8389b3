/** The import accepts the example of docs/workshop-setup.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readSetup } from '#product/availability/set-up/read.ts';
import { defaultSettings } from '#product/availability/set-up/setup.ts';

const page = readFileSync(new URL('../docs/workshop-setup.md', import.meta.url), 'utf8');
const example = /^```jsonc\n(.*?)^```$/ms.exec(page)?.[1] ?? '';

test('the example has every section, and is without fault', () => {
  const { sections } = readSetup(example.replace(/\/\/ .*$/gm, ''));
  assert.deepEqual(Object.keys(sections).sort(), [
    ...['address', 'categories', 'custom', 'hours', 'pickupTimes', 'services', 'settings'],
  ]);
});

test('the comments name every setting and its default', () => {
  const told = [...example.matchAll(/"(\w+)": .*?\/\/ (\w+): /g)].map(([, name, value]) => [name, value]);
  const { page: defaultPage, ...others } = defaultSettings;
  const defaults = { ...others, ...defaultPage };
  const settings = told.filter(([name = '']) => name in defaults);
  assert.deepEqual(
    Object.fromEntries(settings),
    Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, String(value)])),
  );
});
