/** Times as people type them: days by name, clock times of both kinds, and texts that are not times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTypedDay, parseTypedTime } from './typed-time.ts';

// Late on 2 March in UTC: the 3rd has begun in Melbourne.
const now = new Date('2030-03-02T22:00:00Z');
const zone = 'Australia/Melbourne';
const typed = (text: string) => parseTypedTime(text, zone, now)?.toISOString();

test('days by name or date, with clock times of 24 or 12 hours', () => {
  for (const [text, instant] of [
    ['2030-03-03 09:30', '2030-03-02T22:30:00.000Z'],
    ['2030-03-03 9:30', '2030-03-02T22:30:00.000Z'],
    ['2030-03-03T09:30', '2030-03-02T22:30:00.000Z'],
    ['2030-03-03', '2030-03-02T13:00:00.000Z'],
    ['today 9:30', '2030-03-02T22:30:00.000Z'],
    ['Tomorrow 9am', '2030-03-03T22:00:00.000Z'],
    ['tomorrow at 2:30 pm', '2030-03-04T03:30:00.000Z'],
    ['today 12 pm', '2030-03-03T01:00:00.000Z'],
    ['today 12:15 AM', '2030-03-02T13:15:00.000Z'],
    ['tomorrow', '2030-03-03T13:00:00.000Z'],
    ['2030-03-03T09:30:00+11:00', '2030-03-02T22:30:00.000Z'],
  ] as const) {
    assert.equal(typed(text), instant, text);
  }
});

test('anything else is no time', () => {
  for (const text of [
    ...['', 'soon', '9:30', 'today 9', 'today 25:00', 'today 13 pm', 'today 0 am', 'today 9:60'],
    ...['2030-02-30', '2030-02-30 09:30', '3/3/2030', '2030-03-03 09:30 x', 'yesterday'],
  ]) {
    assert.equal(typed(text), undefined, text);
  }
  assert.deepEqual(
    ['today', 'tomorrow', '2030-03-03', '2030-02-30', 'soon'].map((text) => parseTypedDay(text, zone, now)),
    ['2030-03-03', '2030-03-04', '2030-03-03', null, null],
  );
});

test('no text fails to be judged', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseTypedTime(text, zone, now);
    }),
  );
});
