/** Dates are added to and compared as a calendar does; clock times are instants, also on days on which clocks are changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, daysBetween, instantOf, localDay } from './local-day.ts';

const date = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((at) => Temporal.PlainDate.from(at.toISOString().slice(0, 10)));

test('adding days, and the days between two dates, are those of the calendar', () => {
  fc.assert(
    fc.property(date, date, fc.integer({ min: -4_000, max: 4_000 }), (one, other, days) => {
      assert.equal(addDays(one.toString(), days), one.add({ days }).toString());
      assert.equal(daysBetween(one.toString(), other.toString()), one.until(other).days);
    }),
  );
});

test('a clock time that comes twice begins with the first and ends with the second; a skipped one is the end of the gap (specification: Availability 4)', () => {
  const utc = (date: string, clockTime: string, side: 'from' | 'to') =>
    new Date(instantOf(localDay(date, 'Australia/Sydney'), clockTime, side)).toISOString().slice(0, 16);
  assert.equal(utc('2030-04-07', '02:30', 'from'), '2030-04-06T15:30');
  assert.equal(utc('2030-04-07', '02:30', 'to'), '2030-04-06T16:30');
  assert.equal(utc('2030-04-07', '03:00', 'to'), '2030-04-06T17:00');
  for (const side of ['from', 'to'] as const) {
    assert.equal(utc('2030-10-06', '02:30', side), '2030-10-05T16:00');
    assert.equal(utc('2030-10-07', '02:30', side), '2030-10-06T15:30');
  }
});
