import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datesBefore } from '#product/reports/periods.ts';
import { presetsOn, readAsked } from './asked.ts';
import { datesText, periodLabel } from './names.ts';

const named = (today: string) =>
  Object.fromEntries(presetsOn(today).map(({ name, from, to }) => [name, `${from} ${to}`]));

test('presets: weeks from Monday, months as the calendar has them', () => {
  assert.deepEqual(named('2028-03-05'), {
    week: '2028-02-28 2028-03-05',
    '4-weeks': '2028-02-07 2028-03-05',
    month: '2028-03-01 2028-03-31',
    'last-month': '2028-02-01 2028-02-29',
    '12-months': '2027-04-01 2028-03-31',
  });
  assert.equal(named('2030-01-31')['last-month'], '2029-12-01 2029-12-31');
});

test('whole months are compared with as many whole months, else with as many days (specification: The report of a workshop 5)', () => {
  const before = (from: string, to: string) => Object.values(datesBefore({ from, to })).join(' ');
  assert.equal(before('2030-03-01', '2030-03-31'), '2030-02-01 2030-02-28');
  assert.equal(before('2029-04-01', '2030-03-31'), '2028-04-01 2029-03-31');
  assert.equal(before('2030-03-01', '2030-03-30'), '2030-01-30 2030-02-28');
  assert.equal(before('2030-03-04', '2030-03-04'), '2030-03-03 2030-03-03');
});

test('by day up to a month, by week up to four, else by month, unless it is chosen (specification: The report of a workshop 1)', () => {
  const by = (query: Record<string, string>) => {
    const asked = readAsked(query, '2030-03-04');
    assert.ok('by' in asked, JSON.stringify(asked));
    return asked.by;
  };
  assert.equal(by({}), 'day');
  assert.equal(by({ from: '2030-01-01', to: '2030-01-31' }), 'day');
  assert.equal(by({ from: '2030-01-01', to: '2030-02-01' }), 'week');
  assert.equal(by({ period: '12-months' }), 'month');
  assert.equal(by({ period: '12-months', by: 'day' }), 'day');
});

test('periods as people read them', () => {
  assert.equal(datesText({ from: '2029-12-30', to: '2030-01-05' }), '30 Dec 2029 – 5 Jan 2030');
  const long = (key: string, from: string, to: string, by: 'day' | 'week' | 'month') =>
    periodLabel({ key, dates: { from, to } }, by).long;
  assert.equal(long('2030-03-04', '2030-03-04', '2030-03-04', 'day'), 'Mon 4 Mar 2030');
  assert.equal(long('2030-W10', '2030-03-04', '2030-03-10', 'week'), 'Week 10: 4 – 10 Mar 2030');
  assert.equal(long('2030-02', '2030-02-01', '2030-02-28', 'month'), 'Feb 2030');
  assert.equal(long('2030-03', '2030-03-01', '2030-03-04', 'month'), '1 – 4 Mar 2030');
});
