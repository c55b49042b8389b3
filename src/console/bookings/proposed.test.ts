/** When a booking would be, by what an address or a form says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTypedTime } from '#base/values/typed-time.ts';
import { proposed } from './proposed.ts';
import { typedWhen } from './when.ts';

const timezone = 'Australia/Melbourne';
const now = new Date('2030-03-03T21:10:00Z');
const booking = { timezone, date: '2030-03-18T22:30:00.000Z' };
const shown = (query: string) => {
  const { when, faults } = proposed(Object.fromEntries(new URLSearchParams(query)), booking, now);
  return [typedWhen({ ...when }), faults.map(({ field, message }) => `${field} ${message}`).join()] as const;
};

test('an instant, the same clock time days later, a date and a time; what is absent is as it is now', () => {
  for (const [query, when] of [
    ['', '2030-03-19 09:30'],
    ['days=1', '2030-03-19 09:30'],
    ['date=2030-03-20&time=10:45', '2030-03-20 10:45'],
    ['time=11:00', '2030-03-19 11:00'],
    ['date=2030-03-21&time=', '2030-03-21 09:30'],
    ['at=2030-03-19T23:15:00.000Z', '2030-03-20 10:15'],
    ['at=2030-03-19T23:15:00Z&date=2030-05-05&time=08:00', '2030-03-20 10:15'],
    ['at=2030-03-19T23:15:00.000Z&days=-1', '2030-03-19 10:15'],
    // Clocks show 2:30 twice on 7 April 2030.
    ['at=2030-04-06T15:30:00Z', '2030-04-07 02:30 first'],
    ['at=2030-04-06T16:30:00Z', '2030-04-07 02:30 second'],
    ['at=2030-04-06T16:30:00Z&days=1', '2030-04-08 02:30'],
    ['date=2030-04-07&time=02:30&which=second', '2030-04-07 02:30 second'],
    ['date=2030-04-08&time=02:30&which=second', '2030-04-08 02:30'],
  ] as const)
    assert.deepEqual(shown(query), [when, ''], query);
});

test('what clocks skip, show twice, or never show is said, and the fields stay usable', () => {
  const own = '2030-03-19 09:30';
  for (const [query, when, fault] of [
    ['at=2030-10-04T16:30:00Z&days=1', '2030-10-06 02:30', /^to is skipped that day/],
    ['at=2030-04-05T15:30:00Z&days=1', '2030-04-07 02:30', /^to comes twice that day/],
    ['date=2030-10-06&time=02:30', '2030-10-06 02:30', /^to is skipped that day/],
    ['at=soon', own, /^to must be like/],
    ['date=2030-02-30', own, /^to must be like/],
    ['time=25:00', '2030-03-19 25:00', /^to must be like/],
    ['at=2030-03-19T23:15:00Z&days=x', own, /^days must be a whole number/],
    ['at=2030-03-19T23:15:00Z&days=1000', own, /^days must be a whole number/],
  ] as const) {
    const [isWhen, isFault] = shown(query);
    assert.equal(isWhen, when, query);
    assert.match(isFault, fault, query);
  }
});

test('every quarter of an hour of a year leads to itself and no other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 366 * 96 }), (quarters) => {
      const at = new Date(Date.parse('2030-01-01T00:00:00Z') + quarters * 900_000);
      const { when, faults } = proposed({ at: at.toISOString() }, booking, now);
      assert.deepEqual(faults, []);
      assert.deepEqual(parseTypedTime(typedWhen({ ...when }), timezone, now), at);
    }),
    // The hour that comes twice.
    { examples: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [95 * 96 + 15 * 4 + n] as [number]) },
  );
});
