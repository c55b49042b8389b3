import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeAgo } from './time-ago.ts';

test('whole units, the largest that fits', () => {
  const now = new Date('2030-03-04T10:00:00Z');
  const minute = 60_000;
  for (const [agoMs, said] of [
    [-5 * minute, 'just now'],
    [minute - 1, 'just now'],
    [minute, '1 minute ago'],
    [60 * minute - 1, '59 minutes ago'],
    [60 * minute, '1 hour ago'],
    [24 * 60 * minute - 1, '23 hours ago'],
    [24 * 60 * minute, '1 day ago'],
    [40 * 24 * 60 * minute, '40 days ago'],
  ] as const)
    assert.equal(timeAgo(new Date(now.getTime() - agoMs), now), said);
});
