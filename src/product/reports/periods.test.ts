import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PeriodName, periodsBetween } from './periods.ts';

const keys = (from: string, to: string, name: PeriodName) =>
  periodsBetween(from, to, 'UTC', name).map(({ key }) => key);

test('weeks are those of ISO 8601, also at the turn of the year', () => {
  assert.deepEqual(keys('2026-12-27', '2027-01-04', 'week'), ['2026-W52', '2026-W53', '2027-W01']);
  assert.deepEqual(keys('2029-12-31', '2030-01-01', 'week'), ['2030-W01']);
});

test('days and months, limited to the dates', () => {
  assert.deepEqual(keys('2028-02-28', '2028-03-01', 'day'), ['2028-02-28', '2028-02-29', '2028-03-01']);
  assert.deepEqual(keys('2027-11-30', '2028-01-01', 'month'), ['2027-11', '2027-12', '2028-01']);
  assert.equal(keys('2028-01-01', '2028-12-31', 'day').length, 366);
});

test('a day begins by the zone: daylight saving makes it 23 or 25 hours long, or lets it begin at 01:00', () => {
  const hours = (date: string, timezone: string) => {
    const [period] = periodsBetween(date, date, timezone, 'day');
    return (Number(period?.until) - Number(period?.since)) / 3_600_000;
  };
  assert.equal(hours('2027-04-04', 'Australia/Melbourne'), 25);
  assert.equal(hours('2027-10-03', 'Australia/Melbourne'), 23);
  assert.equal(hours('2027-04-04', 'Australia/Lord_Howe'), 24.5);
  const [sunday] = periodsBetween('2027-09-05', '2027-09-05', 'America/Santiago', 'day');
  assert.equal(sunday?.since.toISOString(), '2027-09-05T04:00:00.000Z');
});
