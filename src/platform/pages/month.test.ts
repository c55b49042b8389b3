/** Which month a visitor sees, and how its days lie. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, daysBetween } from '#base/values/local-day.ts';
import {
  daysOfMonthAtMost,
  lastShownOf,
  monthAfter,
  monthBefore,
  type PickerDay,
  readMonth,
  weeksOf,
} from './month.ts';

const today = '2027-01-30';

/** The first and last day that are shown, and how many readings that took, where `free` are the dates with a time. */
async function shown(asked: string | undefined, lastDate: string, free: readonly string[] = []) {
  const ranges: string[] = [];
  const days = await readMonth(asked, { today, lastDate }, async (from, to) => {
    ranges.push(`${from} ${to}`);
    const count = daysBetween(from, to) + 1;
    assert.ok(count >= 1 && count <= daysOfMonthAtMost, `${from} ${to}`);
    return Array.from({ length: count }, (_, n): PickerDay => {
      const date = addDays(from, n);
      return { date, open: true, note: null, slots: free.includes(date) ? [{ time: date }] : [] };
    });
  });
  return [days[0]?.date, days.at(-1)?.date, ranges.length];
}

test('the month of the date that is asked for, as far as it can be booked', async () => {
  assert.deepEqual(await shown('2027-03-17', '2028-01-30'), ['2027-03-01', '2027-03-31', 1]);
  assert.deepEqual(await shown('2028-02-29', '2028-03-30'), ['2028-02-01', '2028-02-29', 1]);
  assert.deepEqual(await shown('2027-01-01', '2028-01-30'), ['2027-01-30', '2027-02-21', 1]);
  assert.deepEqual(await shown('2020-05-05', '2028-01-30'), ['2027-01-30', '2027-02-21', 1]);
  assert.deepEqual(await shown('2020-05-05', '2027-02-03'), ['2027-01-30', '2027-02-03', 1]);
  assert.deepEqual(await shown('2027-02-02', '2027-02-10'), ['2027-02-01', '2027-02-10', 1]);
  assert.deepEqual(await shown('2099-02-02', '2027-02-10'), ['2027-02-01', '2027-02-10', 1]);
});

test('without a date the first month with a free time, of three; else this one (specification: Booking page 14)', async () => {
  assert.deepEqual(await shown(undefined, '2028-01-30', ['2027-01-31']), ['2027-01-30', '2027-02-21', 1]);
  assert.deepEqual(await shown(undefined, '2028-01-30', ['2027-02-05']), ['2027-01-30', '2027-02-21', 1]);
  assert.deepEqual(await shown(undefined, '2028-01-30', ['2027-03-05']), ['2027-03-01', '2027-03-31', 3]);
  assert.deepEqual(await shown(undefined, '2028-01-30', ['2027-04-05']), ['2027-01-30', '2027-02-21', 3]);
  assert.deepEqual(await shown(undefined, '2027-02-03'), ['2027-01-30', '2027-02-03', 2]);
  assert.deepEqual(await shown(undefined, today), [today, today, 1]);
});

test('weeks begin on Monday, and those that are over are left out', () => {
  assert.deepEqual([monthBefore('2027-01-15'), monthAfter('2027-12-31')], ['2026-12-01', '2028-01-01']);
  const february = weeksOf('2027-02-14', today);
  assert.equal(february.length, 4, '1 February 2027 is a Monday');
  const august = weeksOf('2027-08-01', today);
  assert.deepEqual(august[0], [null, null, null, null, null, null, '2027-08-01']);
  assert.equal(august.flat().filter((date) => date !== null).length, 31);
});

test('in its last two weeks a month goes on into the next one, for four weeks in all (specification: Booking page 7)', () => {
  const weeks = weeksOf(today, today);
  assert.deepEqual(
    weeks[0],
    [25, 26, 27, 28, 29, 30, 31].map((day) => `2027-01-${day}`),
  );
  assert.deepEqual([weeks.length, weeks[1]?.[0], weeks.at(-1)?.at(-1)], [4, '2027-02-01', '2027-02-21']);
  // The 17th is a Sunday: three weeks are left with its own, two from the 18th on.
  assert.deepEqual(weeksOf('2027-01-17', '2027-01-17').at(-1)?.at(-1), '2027-01-31');
  assert.equal(weeksOf('2027-01-18', '2027-01-18').at(-1)?.at(-1), '2027-02-14');
  assert.equal(lastShownOf('2027-02-01', today), '2027-02-28', 'another month is as it is');
});
