/** A booking keeps its car's details as its partner sent them: no partner reads or changes another's (specification: Bookings 5). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { AnyBooking, Booking } from '#product/bookings/schema.ts';
import { listCarsOf } from '#product/customers/cars/store.ts';
import { setLink } from '#product/workshops/link.ts';
import { bookingWorld, eventsOf } from '../../../test/fixtures/booking-api.ts';
import { bookingBody, type SignedInPartner, signedInPartner } from '../../../test/harness/world.ts';
import { insertBooking } from './store.ts';

const { app, partner, workshopId, book, change, read, put } = await bookingWorld();
const other = await signedInPartner(app, 'Another Partner');
const { db } = app.context;
await setLink(
  { db, clock: app.clock },
  { partnerId: other.partnerId, workshopId, active: true },
  actors.operator,
);

let people = 0;
/** A number that no other test uses. */
const newPhone = () => `+6140020${String(1000 + people++)}`;

const sent = { carYear: 2019, carMake: 'Toyota', carModel: 'Corolla', carBadge: 'SX', carVin: 'VIN-MINE' };
const shown = { year: 2019, make: 'Toyota', model: 'Corolla', badge: 'SX', vin: 'VIN-MINE' };
const nothing = { year: null, make: null, model: null, badge: null, vin: null };
const theirs = { carYear: 2001, carMake: 'Ford', carModel: 'Falcon', carBadge: 'XR6', carVin: 'VIN-THEIRS' };

function detailsOf({ car }: Pick<AnyBooking, 'car'>) {
  const { year, make, model, badge, vin } = car;
  return { year, make, model, badge, vin };
}

/** The details in the workshop's own row of the car. */
async function rowOf({ customerId, carId }: Booking) {
  const {
    carId: _,
    rego,
    ...details
  } = (await listCarsOf(db, customerId)).find((car) => car.carId === carId) ?? assert.fail('no such car');
  return details;
}

async function assertUnchanged(booking: Booking, etag: string, by: SignedInPartner = partner) {
  const answer = await by.call('GET', `/bookings/${booking.id}`);
  assert.deepEqual([answer.body.booking, answer.headers.get('etag')], [booking, etag]);
}

test('a partner that knows phone and rego learns no details that another partner sent', async () => {
  const customerPhone = newPhone();
  const mine = await book({ customerPhone, ...sent });
  const probe = await book({ customerPhone }, other);
  assert.equal(probe.carId, mine.carId);
  assert.deepEqual(detailsOf(probe), nothing);
  const found = await other.call('PUT', `/bookings/${probe.id}`, { notes: 'x' });
  assert.deepEqual(detailsOf(found.body.booking), nothing);
  assert.deepEqual(detailsOf((await other.call('GET', `/bookings/${probe.id}`)).body.booking), nothing);
  for (const { payload } of await eventsOf(app, probe.id))
    assert.deepEqual(detailsOf(payload.booking), nothing);
});

test('another partner’s details change neither booking nor ETag; the workshop’s row has the latest', async () => {
  const customerPhone = newPhone();
  const mine = await book({ customerPhone, ...sent });
  const second = await book({ customerPhone, ...theirs }, other);
  assert.deepEqual(detailsOf(second), {
    year: 2001,
    make: 'Ford',
    model: 'Falcon',
    badge: 'XR6',
    vin: 'VIN-THEIRS',
  });
  await assertUnchanged(mine, '"1"');
  assert.deepEqual(await rowOf(mine), detailsOf(second));
  await book({ customerPhone, carMake: 'Toyota' });
  await assertUnchanged(second, '"1"', other);
  assert.deepEqual(await rowOf(mine), { ...detailsOf(second), make: 'Toyota' });
});

test('absent details are filled from the partner’s own earlier booking of the car, field by field', async () => {
  const customerPhone = newPhone();
  const first = await book({ customerPhone, ...sent });
  await book({ customerPhone, ...theirs }, other);
  const second = await book({ customerPhone, carYear: 2020, carBadge: null });
  assert.deepEqual(detailsOf(second), { ...shown, year: 2020 });
  assert.deepEqual(detailsOf(await book({ customerPhone })), { ...shown, year: 2020 });
  // A later booking changes no earlier one.
  await assertUnchanged(first, '"1"');
  assert.deepEqual(detailsOf(await book({ customerPhone, carRego: 'another' })), nothing);
});

test('concurrent creations, one of which sends the details: later ones are filled', async () => {
  const customerPhone = newPhone();
  const bodies = Array.from({ length: 16 }, (_, n) => ({ customerPhone, ...(n === 7 ? sent : {}) }));
  await Promise.all(bodies.map((body) => book(body)));
  assert.deepEqual(detailsOf(await book({ customerPhone })), shown);
});

test('update: the details move to a new phone, and neither read nor change that customer’s car', async () => {
  const [from, to] = [newPhone(), newPhone()];
  const there = await book({ customerPhone: to, ...theirs }, other);
  const bare = await book({ customerPhone: from });
  const probe = await change(bare.id, { customerPhone: to });
  assert.deepEqual([probe.carId, detailsOf(probe)], [there.carId, nothing]);
  await assertUnchanged(there, '"1"', other);

  const known = await book({ customerPhone: newPhone(), ...sent });
  const moved = await change(known.id, { customerPhone: to });
  assert.deepEqual([moved.carId, detailsOf(moved)], [there.carId, shown]);
  await assertUnchanged(there, '"1"', other);
  assert.deepEqual(await rowOf(there), shown);
});

test('update: the car that the booking leaves, and the other partner’s booking of it, stay unchanged', async () => {
  const customerPhone = newPhone();
  const stays = await book({ customerPhone, ...theirs }, other);
  const mine = await book({ customerPhone });
  const moved = await change(mine.id, { customerPhone: newPhone() });
  assert.notEqual(moved.carId, stays.carId);
  assert.deepEqual(detailsOf(moved), nothing);
  assert.deepEqual(await rowOf(moved), nothing);
  await assertUnchanged(stays, '"1"', other);
});

test('update: a new rego shows what this partner sent about that car, not what another partner sent', async () => {
  const customerPhone = newPhone();
  await book({ customerPhone, carRego: 'mine', ...sent });
  await book({ customerPhone, carRego: 'theirs', ...theirs }, other);
  const booking = await book({ customerPhone, carRego: 'first', carMake: 'Kia' });
  assert.deepEqual(detailsOf(await change(booking.id, { carRego: 'theirs' })), nothing);
  assert.deepEqual(detailsOf(await change(booking.id, { carRego: 'mine' })), shown);
  assert.deepEqual(detailsOf(await change(booking.id, { carRego: 'nobodys' })), nothing);
});

test('update: changes of other fields leave the details unchanged, even when a later booking has more', async () => {
  const customerPhone = newPhone();
  const first = await book({ customerPhone, carMake: 'Toyota' });
  await book({ customerPhone, ...sent });
  const noted = await change(first.id, { notes: 'x' });
  assert.deepEqual(noted.car, first.car);
  const same = await put(first.id, { carRego: first.car.rego, customerPhone });
  assert.deepEqual([same.body.booking, same.headers.get('etag')], [noted, '"2"']);
});

test('an SMS from a template is filled from the booking, not from another partner’s', async () => {
  const customerPhone = newPhone();
  await book({ customerPhone, ...theirs }, other);
  const { id } = await book({ customerPhone, carMake: 'Toyota' });
  const [template] = await db.query<{ id: string }>(
    `INSERT INTO template (id, workshop_id, name, body, requires_booking, status, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, 'T', '[{{ car.description }}{{ car.vin }}]', true, 'published', $2, $2) RETURNING id`,
    [workshopId, app.clock.now()],
  );
  const answer = await partner.call('POST', `/workshops/${workshopId}/messages`, {
    ...{ phone: customerPhone, bookingId: id, channels: { sms: { templateId: template?.id } } },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.ok(app.sms.to(customerPhone).some(({ body }) => body === '[Toyota]'));
});

test('creation finds earlier details through their index, even with a plan made on empty tables', async () => {
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('TRUNCATE booking CASCADE');
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE creation AS ${insertBooking.text}`);
    const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE creation ('[]', 250)`);
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(lines, /Index (Only )?Scan (Backward )?using booking_car_details/);
    assert.doesNotMatch(lines, /Seq Scan on booking|using booking_partner/);
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE creation');
    client.release();
  }
});

test('two partners that book the car concurrently each see their own details', async () => {
  const body = bookingBody(workshopId, { customerPhone: newPhone(), ...sent });
  const [mine, their] = await Promise.all([
    partner.call('POST', '/bookings', body),
    other.call('POST', '/bookings', { ...body, carVin: 'VIN-THEIRS' }),
  ]);
  assert.equal(mine.body.booking.carId, their.body.booking.carId);
  assert.deepEqual([mine.body.booking.car.vin, their.body.booking.car.vin], ['VIN-MINE', 'VIN-THEIRS']);
  assert.deepEqual(await read(mine.body.booking.id), mine.body.booking);
});
