/** A short race for the places of one workshop, as `npm run race` runs it for longer: nothing over, nothing refused that fitted. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { type Race, runLoad } from '../scripts/race/load.ts';
import { judge } from '../scripts/race/verdict.ts';
import { ownSetUp, racedDates, referenceOf } from '../scripts/race/workshop.ts';
import { insertOccupied, occupantOf } from './fixtures/occupied.ts';
import { secondApp } from './fixtures/second-app.ts';
import { startTestApp } from './harness/app.ts';
import { linkedWorkshop, signedInPartner } from './harness/world.ts';

const requests = Number(process.env['RACE_REQUESTS'] || 150);

test('always: two processes race for places; a place too many and a wrong refusal are found', {
  timeout: 110_000 + requests * 100,
}, async () => {
  const app = await startTestApp({ sandbox: false });
  const { db, clock } = app.context;
  const partner = await signedInPartner(app);
  const second = await secondApp(app);
  const workshopId = await linkedWorkshop(app, [partner]);
  await importWorkshop({ db, clock }, JSON.stringify({ workshopId, ...ownSetUp }), actors.operator);
  const { services } = (await partner.call('GET', `/workshops/${workshopId}/services`)).body;
  const now = () => clock.now().getTime();
  const race: Race = {
    urls: [app.url, second.url],
    headers: { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
    ...{ workshopId, now, clients: 4, isOver: (sent) => sent >= requests },
    workshop: referenceOf({ workshopId, ...ownSetUp }, services, 'Australia/Melbourne'),
  };
  const history = await runLoad(race);
  assert.deepEqual(await judge(race, history), []);
  assert.deepEqual((await examine(app.context, { repair: false })).findings, []);
  const created = history.answers.get('POST 201') ?? 0;
  assert.ok(created > 5, JSON.stringify([...history.answers]));
  const [deadlocks] = await db.query<{ count: number }>(
    'SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  assert.equal(deadlocks?.count, 0);

  // The judge can find fault.
  const [date = ''] = racedDates(now(), 'Australia/Melbourne').slice(3);
  const from = Date.parse(`${date}T00:00:00Z`);
  const booking = { from, until: from + 1_800_000, services: [], category: null };
  const past = { bookingId: null, instant: from, wish: { services: [], category: null }, reason: 'full' };
  const alone = { held: [], refused: [{ ...past, since: 0, until: 1 }], answers: history.answers };
  assert.match((await judge(race, alone)).join(), /^[^,]* was refused \(full\), and there was a place$/);
  await insertOccupied(db, await occupantOf(partner, workshopId), [booking, booking, booking]);
  await db.query('UPDATE booking SET created_at = $2 WHERE workshop_id = $1 AND date = $3', [
    ...[workshopId, clock.now(), new Date(from)],
  ]);
  assert.match((await judge(race, history)).join(), /bookings in 2 bays/);
});
