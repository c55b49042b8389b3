import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createLog } from '#base/log.ts';
import { examine } from '#operation/doctor/examine.ts';
import type { Database } from '#platform/db/database.ts';
import { differingZones } from '#product/workshops/zone-data/differ.ts';
import { insertWorld } from '../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { noticeKey, noticeZones } from './start-notices.ts';

/** What is logged, as level and message. */
function kept() {
  const lines: [number, string][] = [];
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line);
    lines.push([level, msg]);
  };
  return { lines, log: createLog('info', { write }) };
}

test('zones that differ are logged at the start and found by the doctor; a database that fails stops nothing', async () => {
  const { db } = await createTestDatabase();
  const clock = systemClock();
  for (const timezone of ['Africa/Casablanca', 'America/Edmonton', 'Australia/Melbourne']) {
    const { workshopId } = await insertWorld(db);
    await db.query('UPDATE workshop SET timezone = $2 WHERE id = $1', [workshopId, timezone]);
  }
  const messages = (await differingZones(db, clock.now())).map(({ message }) => message);
  const { lines, log } = kept();
  await noticeZones({ db, clock, log });
  assert.deepEqual(
    lines,
    messages.map((message) => [40, `quiet hours may be wrong: ${message}`]),
  );
  const { findings } = await examine({ db, clock }, { repair: false });
  const found = findings.filter(({ kind }) => kind === 'zoneData').map(({ message }) => message);
  assert.deepEqual(found, messages);

  const broken: Database = { ...db, query: () => Promise.reject(new Error('gone')) };
  await noticeZones({ db: broken, clock, log });
  assert.deepEqual(lines.at(-1), [40, 'the zone data of PostgreSQL could not be compared']);
});

test('a change of the secret key is logged, and a process that was left behind is warned of', () => {
  const { lines, log } = kept();
  for (const state of ['current', 'successor', 'former'] as const) noticeKey(state, { log });
  assert.deepEqual(
    lines.map(([level]) => level),
    [30, 40],
  );
  // It may be in the data folder, or in a file.
  for (const [, message] of lines) assert.doesNotMatch(message, /PITLANE_SECRET_KEY/);
});
