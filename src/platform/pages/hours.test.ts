/** Opening hours as pages show them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursRows } from './hours.ts';

test('days that follow each other and have the same hours share a row; an absent one is closed', () => {
  const split = [
    { from: '07:30', to: '12:00' },
    { from: '12:30', to: '17:05' },
  ];
  const late = [{ from: '00:00', to: '23:59' }];
  const hours = { monday: split, tuesday: [...split], wednesday: late, friday: split, saturday: [] };
  assert.deepEqual(hoursRows(hours), [
    { days: 'Mon – Tue', times: '7:30 am – 12:00 pm, 12:30 pm – 5:05 pm' },
    { days: 'Wed', times: '12:00 am – 11:59 pm' },
    { days: 'Thu', times: 'Closed' },
    { days: 'Fri', times: '7:30 am – 12:00 pm, 12:30 pm – 5:05 pm' },
    { days: 'Sat – Sun', times: 'Closed' },
  ]);
  assert.deepEqual(hoursRows({}), [{ days: 'Mon – Sun', times: 'Closed' }]);
});
