/** The postal address of a workshop, set by its set-up and by the command line. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { exportWorkshop } from './export.ts';
import { importWorkshop } from './import.ts';

const { db } = await createTestDatabase();
const clock = systemClock();
const setUp = (file: object) => importWorkshop({ db, clock }, JSON.stringify(file), actors.operator);

test('the address is its own section: absent it stays, null clears it (specification: Setting up a workshop 7)', async () => {
  const workshopId = await linkedWorkshop({ context: { db, clock } }, []);
  await setWorkshop({ db, clock }, workshopId, { address: ' 1 Old St,\n Fitzroy ' }, actors.operator);
  const addressOf = async () => (await exportWorkshop(db, workshopId)).address;
  assert.equal(await addressOf(), '1 Old St, Fitzroy');
  await setUp({ workshopId, settings: {} });
  assert.equal(await addressOf(), '1 Old St, Fitzroy');
  await setUp({ workshopId, address: '2 New St' });
  assert.equal(await addressOf(), '2 New St');
  await setUp({ workshopId, address: null });
  assert.equal(await addressOf(), null);
  await setWorkshop({ db, clock }, workshopId, { address: '3 Other St' }, actors.operator);
  await setWorkshop({ db, clock }, workshopId, { phone: '03 5550 0102' }, actors.operator);
  assert.equal(await addressOf(), '3 Other St');
  await setWorkshop({ db, clock }, workshopId, { address: '' }, actors.operator);
  assert.equal(await addressOf(), null);
  await assert.rejects(
    setWorkshop({ db, clock }, workshopId, { address: 'x'.repeat(256) }, actors.operator),
    {
      errors: [{ field: 'address', message: 'must have at most 255 characters' }],
    },
  );
});
