/** When an import opens the plain booking page. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { exportWorkshop } from './export.ts';
import { importWorkshop } from './import.ts';

const { db } = await createTestDatabase();
const clock = systemClock();
const newWorkshop = () => linkedWorkshop({ context: { db, clock } }, []);
const setUp = (file: object) => importWorkshop({ db, clock }, JSON.stringify(file), actors.operator);
const hours = { monday: [{ from: '08:00', to: '12:00' }] };

test('the plain page opens with the first import of hours, unless it was decided before (specification: Booking page 12)', async () => {
  const isOn = async (workshopId: string) => (await exportWorkshop(db, workshopId)).settings.plainPage;
  const fresh = await newWorkshop();
  await setUp({ workshopId: fresh, settings: { bays: 2 } });
  assert.equal(await isOn(fresh), false, 'no hours yet');
  await setUp({ workshopId: fresh, hours });
  assert.equal(await isOn(fresh), true);
  await setUp({ workshopId: fresh, settings: { bays: 3, plainPage: false } });
  await setUp({ workshopId: fresh, hours: {}, settings: { bays: 4 } });
  assert.equal(await isOn(fresh), false, 'a file that does not name it leaves it');

  const closed = await newWorkshop();
  await setUp({ workshopId: closed, hours, settings: { plainPage: false } });
  assert.equal(await isOn(closed), false);

  // The state of a workshop from before the upgrade.
  const older = await newWorkshop();
  await db.query('UPDATE workshop SET plain_page = false WHERE id = $1', [older]);
  await setUp({ workshopId: older, hours });
  assert.equal(await isOn(older), false);
});
