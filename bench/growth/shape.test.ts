/** The shape of the data that the growth bench fills in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingsOfWorkshop, daysBack, firstWithin, keptDays, shapeOf } from './shape.ts';

test('an installation grows by workshops and partners, each workshop as large as the others', () => {
  assert.deepEqual(shapeOf(10_000), { workshops: 2, partners: 2 });
  assert.deepEqual(shapeOf(10_000_000), { workshops: 2_000, partners: 41 });
});

test('a period has a part of the bookings, the last days more than as many days before', () => {
  assert.equal(firstWithin(daysBack), 0);
  assert.equal(firstWithin(0), bookingsOfWorkshop);
  const within = (days: number) => bookingsOfWorkshop - firstWithin(days);
  assert.ok(within(30) > (bookingsOfWorkshop * 30) / daysBack);
  assert.ok(within(60) < 2 * within(30));
});

test('nothing that retention deletes is old enough, for a day', () => {
  for (const [kept, days] of [
    [keptDays.notices, 90],
    [keptDays.events, 30],
    [keptDays.audit, 400],
  ] as const)
    assert.equal(days - kept, 1);
});
