/** The plan of a day is made once for all workshops with the same hours, and only for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { planDay } from '../day.ts';
import { freshRules, type KnownRules } from './rules.ts';

const { context, ...app } = await startTestApp();
const { db, clock } = context;
const partner = await signedInPartner({ context, ...app });
const [monday, tuesday, nextMonday] = ['2030-03-04', '2030-03-05', '2030-03-11'] as const;

async function rulesOf(setUp: object): Promise<KnownRules> {
  const workshopId = await linkedWorkshop({ context, ...app }, [partner]);
  await importWorkshop({ db, clock }, JSON.stringify({ workshopId, ...setUp }), actors.operator);
  return (await freshRules(db, workshopId)) ?? assert.fail();
}

const hours = { monday: [{ from: '08:00', to: '12:00' }], tuesday: [{ from: '08:00', to: '12:00' }] };
const usual = { settings: { slotMinutes: 30, bays: 2 }, hours };

test('workshops with the same hours share the plans of days', async () => {
  const [one, other] = [await rulesOf(usual), await rulesOf(usual)];
  assert.equal(one.dayOn(monday), other.dayOn(monday));
  assert.equal(one.dayOf(Date.parse(`${monday}T00:00:00Z`)), one.dayOn(monday));
});

test('what a plan is made of tells it from others', async () => {
  const all = [
    await rulesOf(usual),
    await rulesOf({ ...usual, settings: { slotMinutes: 15, bays: 2 } }),
    await rulesOf({ ...usual, settings: { slotMinutes: 30, bays: 3 } }),
    await rulesOf({ ...usual, hours: { ...hours, monday: [{ from: '08:00', to: '13:00' }] } }),
    await rulesOf({ ...usual, pickupTimes: { monday: ['09:00'] } }),
    await rulesOf({ ...usual, custom: [{ date: monday, hours: [], note: 'Holiday' }] }),
  ];
  for (const { dayOn, schedule } of all) {
    for (const date of [monday, tuesday, nextMonday]) assert.deepEqual(dayOn(date), planDay(schedule, date));
  }
  assert.equal(new Set(all.map(({ dayOn }) => dayOn(monday))).size, all.length);
  // The custom day is one day: the Monday after it is as usual.
  assert.equal(all[0]?.dayOn(nextMonday), all.at(-1)?.dayOn(nextMonday));
});
