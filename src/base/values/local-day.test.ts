/** Dates are added to and compared as a calendar does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, daysBetween } from './local-day.ts';

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
