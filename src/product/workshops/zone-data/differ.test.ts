/** Zones of workshops with different rules in PostgreSQL and Node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertWorld } from '../../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { differenceOf, differingZones } from './differ.ts';

const now = new Date('2030-01-15T00:00:00Z');

test('the days that differ are named, by how much, and what goes by which', () => {
  const instants = Array.from({ length: 6 }, (_, n) => new Date(Date.UTC(2030, 6, 1 + n)));
  const zone = (...hours: number[]) => ({
    ...{ timezone: 'Australia/Melbourne', workshops: 2, workshopId: 'w1' },
    offsets: hours.map((each) => each * 3600),
  });
  assert.equal(differenceOf(zone(10, 10, 10, 10, 10, 10), instants), null);
  const found = differenceOf(zone(10, 9, 9, 10, 9, 9), instants);
  assert.deepEqual(found?.at, instants[1]);
  assert.match(
    found?.message ?? '',
    /^Australia\/Melbourne \(2 workshops\): .* \(zone data .+\): 1 hour behind from 2030-07-02 to 2030-07-03, 1 hour behind from 2030-07-05 on\. .* begin and end 1 hour late\. /,
  );
  const both = differenceOf(zone(10.5, 9, 10, 8, 10, 12), instants)?.message;
  assert.match(
    both ?? '',
    /: 30 minutes ahead from 2030-07-01 to 2030-07-01, 1 hour behind from .*, 1 more in two years\./,
  );
  assert.match(both ?? '', /begin and end as much late \(behind\) or early \(ahead\)\. /);
});

test('zones of workshops are compared with the server; names that the server lacks are skipped', async () => {
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
