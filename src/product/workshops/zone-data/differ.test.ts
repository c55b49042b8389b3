/** Zones of workshops with different rules in PostgreSQL and Node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertWorld } from '../../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { differingZones, firstDifference } from './differ.ts';

const now = new Date('2030-01-15T00:00:00Z');

test('the first differing instant is named, with both offsets', () => {
  const instants = [now, new Date('2030-07-15T00:00:00Z'), new Date('2031-01-15T00:00:00Z')];
  const zone = (...hours: number[]) => ({
    ...{ timezone: 'Australia/Melbourne', workshops: 2, workshopId: 'w1' },
    offsets: hours.map((each) => each * 3600),
  });
  assert.equal(firstDifference(zone(11, 10, 11), instants), null);
  const found = firstDifference(zone(11, 9.5, 10), instants);
  assert.deepEqual(found?.at, instants[1]);
  assert.match(
    found?.message ?? '',
    /^Australia\/Melbourne \(2 workshops\): at 2030-07-15 Node .* has UTC\+10:00 and PostgreSQL UTC\+09:30;/,
  );
});

test('zones of workshops are compared with the server, week by week; names that the server lacks are skipped', async () => {
  const { db } = await createTestDatabase();
  const zones = ['Australia/Melbourne', 'Africa/Casablanca', 'America/Edmonton', 'AET', 'UTC'];
  for (const timezone of zones) {
    const { workshopId } = await insertWorld(db);
    await db.query('UPDATE workshop SET timezone = $2 WHERE id = $1', [workshopId, timezone]);
  }
  // The same comparison, zone by zone on the server.
  const differ: string[] = [];
  for (const timezone of zones.filter((each) => each !== 'AET').toSorted()) {
    const rows = await db.query<{ at: Date; local: string }>(
      `SELECT at, to_char(at AT TIME ZONE $2, 'YYYY-MM-DD"T"HH24:MI:SS') AS local
         FROM generate_series($1::timestamptz, $1::timestamptz + interval '728 days', interval '7 days') AS at`,
      [now, timezone],
    );
    assert.equal(rows.length, 105);
    const own = (at: Date) =>
      at
        .toTemporalInstant()
        .toZonedDateTimeISO(timezone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'second' });
    if (rows.some(({ at, local }) => own(at) !== local)) differ.push(timezone);
  }
  const found = await differingZones(db, now);
  assert.deepEqual(
    found.map(({ timezone }) => timezone),
    differ,
  );
  for (const { workshops } of found) assert.equal(workshops, 1);
});
