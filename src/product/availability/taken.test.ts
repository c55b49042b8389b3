/** What a booking occupies on a day, and what it releases (specification: Availability 5, 6 and 10). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { insertOccupied, occupantOf } from '../../../test/fixtures/occupied.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { importWorkshop } from './set-up/import.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const monday = '2027-03-29';
const sunday = new Date('2027-03-27T22:10:00Z');
app.advance(Math.round((sunday.getTime() - clock.now().getTime()) / 1000));
const partner = await signedInPartner(app);

const setUp = (sections: object, workshopId: string) =>
  importWorkshop({ db, clock }, JSON.stringify({ workshopId, ...sections }), actors.operator);

async function days(query: string, id: string) {
  const { status, body } = await partner.call('GET', `/workshops/${id}/availabilities${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.days;
}

test('a booking on a closed day counts only on that day', async () => {
  const id = await linkedWorkshop(app, [partner]);
  const hours = [{ from: '08:00', to: '09:00' }];
  await setUp(
    { hours: { monday: hours, wednesday: hours }, categories: [{ code: 'service', dailyLimit: 1 }] },
    id,
  );
  const at = (iso: string) => {
    const from = Date.parse(iso);
    return { from, until: from + 1_800_000, services: [], category: 'service' };
  };
  const occupant = await occupantOf(partner, id);
  const free = async () =>
    (await days(`?from=${monday}&to=2027-03-31&serviceCategory=service`, id)).map(
      ({ slots }: { slots: object[] }) => slots.length,
    );
  await insertOccupied(db, occupant, [at('2027-03-29T21:00:00Z')]);
  assert.deepEqual(await free(), [2, 0, 2]);
  await insertOccupied(db, occupant, [at('2027-03-30T21:00:00Z')]);
  assert.deepEqual(await free(), [2, 0, 0]);
});

test('a cancelled booking releases its place and its counts; a confirmed one keeps them', async () => {
  const id = await linkedWorkshop(app, [partner]);
  await setUp({ categories: [{ code: 'service', dailyLimit: 1 }] }, id);
  const from = Date.parse('2027-03-28T21:00:00Z');
  const booking = { from, until: from + 1_800_000, services: [], category: 'service' };
  await insertOccupied(db, await occupantOf(partner, id), [booking]);
  const [row] = await db.query<{ id: string }>(
    'SELECT id FROM booking WHERE workshop_id = $1 AND occupied_from = $2',
    [id, new Date(from)],
  );
  const free = async (query = '') => (await days(`?from=${monday}&to=${monday}${query}`, id))[0].slots.length;
  const both = async () => [await free(), await free('&serviceCategory=service')];
  const give = async (status: string) =>
    assert.equal((await partner.call('POST', `/bookings/${row?.id}/${status}`)).status, 200);
  assert.deepEqual(await both(), [17, 0]);
  await give('confirmed');
  assert.deepEqual(await both(), [17, 0]);
  await give('cancelled');
  assert.deepEqual(await both(), [18, 18]);
});
