import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { ConfigError } from './setting.ts';

const name = 'PITLANE_OPT_OUT_EXEMPT_COUNTRIES';
const read = (value?: string) => readConfig({ [name]: value }).optOutExemptCountries;

test('no country permits anything unless it is named', () => {
  for (const value of [undefined, '', ' , ']) assert.deepEqual(read(value), []);
});

test('countries in either case, each once', () => {
  assert.deepEqual(read('AU'), ['AU']);
  assert.deepEqual(read(' au, NZ ,AU,'), ['AU', 'NZ']);
});

test('what is no country is refused, with the name of the setting', () => {
  for (const value of ['AUS', 'AU NZ', 'XX', 'AU;NZ', 'all', '*', '61', 'UK']) {
    assert.throws(
      () => read(value),
      (error) => error instanceof ConfigError && error.message.startsWith(`${name}: `),
      value,
    );
  }
});
