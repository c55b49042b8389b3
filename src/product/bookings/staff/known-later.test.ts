/** Walk-ins whose details are learned later, and matches with known customers (specification: The workshop's own bookings 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { listCarsOf } from '#product/customers/cars/store.ts';
import { lookUpKnown } from '#product/customers/known/look-up.ts';
import { findCustomer } from '#product/customers/store.ts';
import { setTags } from '#product/customers/tags.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { staffWorld } from '../../../../test/fixtures/walk-ins.ts';
import { bookingBody, linkedWorkshop } from '../../../../test/harness/world.ts';

const { app, partner, workshopId, newPhone, walkIn, change, shown, known } = await staffWorld();
const { db } = app.context;

test('a phone that no customer has is added to the walk-in: the customer stays, with all of their bookings', async () => {
  const { id, customerId } = await walkIn({ carRego: 'MINE1' });
  const second = await walkIn({ carRego: 'MINE1', customerId });
  const phone = newPhone();
  await change(id, { customerPhone: phone, customerName: 'Now Known', customerEmail: 'now@known.example' });
  const booking = await shown(id);
  assert.deepEqual(
    [booking.customerId, booking.customer.phone, booking.customer.name],
    [customerId, phone, 'Now Known'],
  );
  assert.deepEqual(await findCustomer(db, customerId).then((row) => [row?.phone, row?.name, row?.email]), [
    phone,
    'Now Known',
    'now@known.example',
  ]);
  assert.equal((await shown(second.id)).customerId, customerId);
  assert.equal((await walkIn({ customerName: 'Now Known', customerPhone: phone })).customerId, customerId);
  // Without a name the phone serves as name, until a name is given.
  const other = await walkIn({ carRego: 'MINE2' });
  const its = newPhone();
  await change(other.id, { customerPhone: its });
  assert.equal((await findCustomer(db, other.customerId))?.name, its);
  await known(its, { customerName: 'Kim Lee' });
  await walkIn({ carRego: 'MINE3', customerPhone: its });
  assert.equal((await findCustomer(db, other.customerId))?.name, 'Kim Lee');
});

test("a known phone: the booking and its car move to that customer, and the empty walk-in is deleted (specification: The workshop's own bookings 17)", async () => {
  const phone = newPhone();
  const theirs = await known(phone, { customerName: 'Sam Taylor', carRego: 'SAM1' });
  const left = await walkIn({ customerName: 'S.', carMake: 'Kia' });
  await change(left.id, { customerPhone: phone, carRego: 'sam 1', customerName: 'Sam Taylor' });
  const booking = await shown(left.id);
  assert.deepEqual(
    [booking.customerId, booking.carId, booking.car.make],
    [theirs.customerId, theirs.carId, 'Kia'],
  );
  assert.equal(await findCustomer(db, left.customerId), null);
  assert.deepEqual(
    (await listCarsOf(db, theirs.customerId)).map(({ rego }) => rego),
    ['SAM1'],
  );

  // The car moves with them; a second booking or a tag keeps the walk-in.
  const [driven, tagged] = [await walkIn({ carRego: 'NEW1' }), await walkIn({ customerName: 'T' })];
  const kept = await walkIn({ carRego: 'NEW1', customerId: driven.customerId });
  await setTags(app.context, {
    ...{
      workshopId: null,
      customerId: tagged.customerId,
      add: ['fleet'],
      remove: [],
      actor: actors.operator,
    },
  });
  for (const { id } of [driven, tagged]) await change(id, { customerPhone: phone });
  assert.deepEqual((await shown(driven.id)).customerId, theirs.customerId);
  assert.equal((await shown(kept.id)).customerId, driven.customerId);
  assert.ok((await findCustomer(db, driven.customerId)) && (await findCustomer(db, tagged.customerId)));
  await change(kept.id, { customerPhone: phone });
  assert.equal(await findCustomer(db, driven.customerId), null);
});

test("a walk-in with a sent or queued e-mail is not deleted (specification: The workshop's own bookings 17)", async () => {
  const phone = newPhone();
  const theirs = await known(phone);
  const told = await walkIn({ customerName: 'Told', customerEmail: 'told@walkin.example' });
  await change(told.id, { customerPhone: phone });
  await app.drain();
  assert.deepEqual(app.email.sent.filter(({ to }) => to === 'told@walkin.example').length, 1);
  assert.equal((await shown(told.id)).customerId, theirs.customerId);
  assert.ok(await findCustomer(db, told.customerId));
});

test('two walk-ins get the same phone concurrently: both bookings belong to one customer', async () => {
  for (let round = 0; round < 5; round++) {
    const phone = newPhone();
    const made = await Promise.all([walkIn({ customerName: 'A' }), walkIn({ customerName: 'B' })]);
    await Promise.all(made.map(({ id }) => change(id, { customerPhone: phone })));
    const [first, second] = await Promise.all(made.map(({ id }) => shown(id)));
    assert.equal(first?.customerId, second?.customerId);
    const rows = await db.query(`SELECT FROM customer WHERE id = ANY($1::uuid[])`, [
      made.map(({ customerId }) => customerId),
    ]);
    assert.equal(rows.length, 1);
  }
});

test('a chosen customer is never deleted while a booking for them is being made', async () => {
  for (let round = 0; round < 8; round++) {
    const phone = newPhone();
    await known(phone);
    const first = await walkIn({ customerName: 'A' });
    const [, chosen] = await Promise.allSettled([
      change(first.id, { customerPhone: phone }),
      walkIn({ customerName: 'A', customerId: first.customerId }),
    ]);
    if (chosen?.status === 'rejected')
      assert.ok(chosen.reason instanceof InvalidInput, String(chosen.reason));
    else assert.equal(chosen?.value.customerId, first.customerId);
  }
});

test("matches by phone or rego: one customer, or several to choose from, only of this workshop (specification: The workshop's own bookings 15)", async () => {
  const here = await requireWorkshop(db, workshopId);
  const [one, two] = [newPhone(), newPhone()];
  const first = await known(one, { customerName: 'Ann One', carRego: 'KNOWN1', carMake: 'Kia' });
  await known(one, { customerName: 'Ann One', carRego: 'KNOWN2' });
  await known(two, { customerName: 'Bob Two', carRego: 'KNOWN1' });
  const elsewhere = await linkedWorkshop(app, [partner]);
  await partner.call('POST', '/bookings', bookingBody(elsewhere, { carRego: 'KNOWN1' }));
  const names = async (said: { rego?: string; phone?: string }) =>
    (await lookUpKnown(db, here, said)).map(({ name }) => name);
  assert.deepEqual(await names({ rego: 'known 1' }), ['Bob Two', 'Ann One']);
  assert.deepEqual(await names({ rego: 'known 1', phone: one }), ['Ann One']);
  assert.deepEqual(await names({ rego: 'KNOWN2', phone: newPhone() }), ['Ann One']);
  for (const said of [{}, { rego: '' }, { rego: 'NONE' }, { phone: '12' }, { phone: newPhone() }])
    assert.deepEqual(await names(said), []);
  const [ann] = await lookUpKnown(db, here, { phone: one });
  assert.deepEqual(
    [ann?.customerId, ann?.phone, ann?.email, ann?.cars.map(({ rego, make }) => [rego, make])],
    [
      first.customerId,
      one,
      'sam@customer.example',
      [
        ['KNOWN2', null],
        ['KNOWN1', 'Kia'],
      ],
    ],
  );
  for (let n = 0; n < 12; n++) await known(newPhone(), { carRego: 'FLEET' });
  assert.equal((await lookUpKnown(db, here, { rego: 'fleet' })).length, 10);
  const chosen = await walkIn({ carRego: 'KNOWN1', customerId: first.customerId });
  assert.deepEqual([chosen.customerId, chosen.carId], [first.customerId, first.carId]);
});
