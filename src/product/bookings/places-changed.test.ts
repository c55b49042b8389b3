/** Cases in which the check before a write and the database might disagree about the day, or about what to count. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { blockedConnections } from '../../../test/fixtures/booking-api.ts';
import { assertRefused, at, placesWorld } from '../../../test/fixtures/places.ts';
import { signedInPartner } from '../../../test/harness/world.ts';

const { app, workshop, book, booked, change } = await placesWorld();
const { db, clock } = app.context;

test('after a corrected time zone, services can be changed even where the slot’s start and the date are now on two days', async () => {
  const long = {
    services: [{ catalogCode: 'long', title: 'Long', category: 'service', durationMinutes: 180 }],
  };
  const id = await workshop(long, { slotMinutes: 120, bays: 2 });
  const made = await booked(id, at('09:30'));
  await setWorkshop({ db, clock }, id, { timezone: 'Europe/Berlin' }, actors.operator);
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

test('another time zone waits for the bookings that are being written: its days have other locks, and its limits count them', async () => {
  const id = await workshop();
  const { id: held } = await booked(id, at('08:00'));
  const zone = async () =>
    (await db.query<{ timezone: string }>('SELECT timezone FROM workshop WHERE id = $1', [id]))[0]?.timezone;
  const before = await zone();
  let changing: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.query('SELECT hold_places(ARRAY[b], NULL) FROM booking b WHERE id = $1', [held]);
    changing = setWorkshop({ db, clock }, id, { timezone: 'Australia/Brisbane' }, actors.operator);
    while ((await blockedConnections(app)) === 0 && (await zone()) === before);
    assert.equal(await zone(), before);
  });
  await changing;
  assert.equal(await zone(), 'Australia/Brisbane');
});

test('a partner that may not act at the workshop writes no day of it', async () => {
  const id = await workshop();
  const other = await signedInPartner(app);
  const days = () => db.query('SELECT FROM workshop_day WHERE workshop_id = $1', [id]);
  assert.equal((await book(id, at('08:00'), {}, other)).status, 404);
  await db.query(
    `INSERT INTO link (partner_id, workshop_id, active, created_at)
     SELECT $1, workshop_id, false, created_at FROM link WHERE workshop_id = $2`,
    [other.partnerId, id],
  );
  assert.equal((await book(id, at('08:00'), {}, other)).status, 403);
  assert.deepEqual(await days(), []);
  await booked(id, at('08:00'));
  assert.equal((await days()).length, 1);
});
