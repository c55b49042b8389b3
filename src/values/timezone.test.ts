import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimezone } from './timezone.ts';

test('time zones are known by their IANA name', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) assert.ok(isTimezone(name), name);
  for (const name of ['UTC', 'Australia/Sydney', 'Asia/Kolkata', 'Etc/GMT+10'])
    assert.ok(isTimezone(name), name);
});

test('offsets and other texts are refused', () => {
  for (const text of [
    '',
    '+10:00',
    '-0500',
    '+10',
    'GMT+10',
    'Z',
    'Sydney',
    'Australia/Nowhere',
    ' UTC',
    'UTC\n',
    'x'.repeat(10_000),
  ]) {
    assert.equal(isTimezone(text), false, JSON.stringify(text));
  }
});
