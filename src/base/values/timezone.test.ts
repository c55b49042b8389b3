import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimezone, nearestTimezone, timezoneFault } from './timezone.ts';

test('time zones are known by their IANA name', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) assert.ok(isTimezone(name), name);
  for (const name of [
    'UTC',
    'Australia/Sydney',
    'Asia/Kolkata',
    'Etc/GMT+10',
    'Europe/Kyiv',
    'US/Eastern',
    'EST',
  ])
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
    '2026-01-01T00:00[Australia/Sydney]',
    'x'.repeat(10_000),
  ]) {
    assert.equal(isTimezone(text), false, JSON.stringify(text));
  }
});

test('what only Intl knows, what PostgreSQL reads otherwise, and other spellings are refused, with the nearest right name (specification: Times 4)', () => {
  const nearest = {
    AET: 'Australia/Sydney',
    ACT: 'Australia/Darwin',
    IST: 'Asia/Kolkata',
    JST: 'Asia/Tokyo',
    PST: 'America/Los_Angeles',
    CET: 'Europe/Brussels',
    'australia/sydney': 'Australia/Sydney',
    utc: 'UTC',
    ' UTC': 'UTC',
    Sydney: 'Australia/Sydney',
    'Australia/Sidney': 'Australia/Sydney',
    'new york': 'America/New_York',
    Kiev: 'Europe/Kyiv',
  };
  for (const [text, name] of Object.entries(nearest)) {
    assert.deepEqual([isTimezone(text), nearestTimezone(text)], [false, name], text);
    assert.ok(isTimezone(name), name);
  }
  assert.equal(timezoneFault('AET'), 'an IANA time zone as IANA writes it; the nearest is Australia/Sydney');
});

test('none is said to be near to what is like no name', () => {
  for (const text of ['', '+10:00', 'GMT+10', 'Z', 'posixrules', 'x'.repeat(10_000)])
    assert.equal(nearestTimezone(text), null, text.slice(0, 20));
  assert.equal(timezoneFault('+10:00'), 'an IANA time zone such as Australia/Melbourne');
});
