/** Cases in which the check before a write and the database might disagree about the day, or about what to count. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { assertRefused, at, placesWorld } from '../../../test/fixtures/places.ts';

const { app, workshop, book, booked, change } = await placesWorld();
const { db, clock } = app.context;

test('after a corrected time zone, services can be changed even where the slot’s start and the date are now on two days', async () => {
  const long = {
    services: [{ catalogCode: 'long', title: 'Long', category: 'service', durationMinutes: 180 }],
  };
  const id = await workshop(long, { slotMinutes: 120, bays: 2 });
  const made = await booked(id, at('09:30'));
  await setWorkshop(db, clock, id, { timezone: 'Europe/Berlin' }, actors.operator);
  const changed = await change(made, { services: [{ title: 'Mirror' }] });
  assert.deepEqual([changed.status, changed.body.booking?.services[0].title], [200, 'Mirror']);
  // 23:00 to 02:00 in Berlin: the booking did not have this time, so the hours apply.
  assertRefused(await change(made, { services: [{ catalogCode: 'long' }] }), 'closed');
});

test('a category in the partner’s own words that equals the id of a limited service counts under no limit', async () => {
  const limited = { catalogCode: 'one', title: 'One a day', category: 'service', dailyLimit: 1 };
  const id = await workshop({ services: [limited] }, { bays: 3 });
  const [service] = await db.query<{ id: string }>(
    'SELECT id FROM catalogue_service WHERE workshop_id = $1',
    [id],
  );
  const serviceId = service?.id ?? '';
  const custom = { services: [{ title: 'Other', category: serviceId }] };
  await booked(id, at('08:00'), custom);
  await booked(id, at('08:30'), custom);
  await booked(id, at('09:00'), { services: [{ catalogId: serviceId }] });
  await booked(id, at('09:30'), custom);
  assertRefused(await book(id, at('10:00'), { services: [{ catalogId: serviceId }] }), 'serviceLimit', [
    ...[at('08:00', 1), at('08:30', 1), at('09:00', 1)],
  ]);
});
