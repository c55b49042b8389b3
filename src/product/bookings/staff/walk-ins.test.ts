/** Walk-ins: missing details, and no messages without an address (specification: The workshop's own bookings 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { newId } from '#base/values/id.ts';
import { findCustomer } from '#product/customers/store.ts';
import { eventsOf } from '../../../../test/fixtures/booking-api.ts';
import { staffWorld } from '../../../../test/fixtures/walk-ins.ts';
import { changeWith } from '../../../../test/harness/change-with.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { createOwnBooking } from './create.ts';

const { app, partner, workshopId, options, bookingTime, newPhone, walkIn, change, shown, known } =
  await staffWorld();
const { db } = app.context;
const fieldsOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof InvalidInput, String(error));
  return error.errors.map(({ field }) => field);
};

test("a name or a rego is enough: absent details are stored as null, and nothing is sent (specification: The workshop's own bookings 15)", async () => {
  const named = await walkIn({
    customerName: 'Wendy Walker',
    customerPhone: '',
    customerEmail: ' ',
    carRego: '',
  });
  assert.deepEqual(
    [
      named.car.rego,
      named.customer.name,
      named.customer.firstName,
      named.customer.phone,
      named.customer.email,
    ],
    [null, 'Wendy Walker', 'Wendy', null, null],
  );
  const driven = await walkIn({ carRego: 'walk 1', carMake: 'Kia' });
  assert.deepEqual(
    [driven.car.rego, driven.car.make, driven.customer.name, driven.customer.phone],
    ['WALK1', 'Kia', null, null],
  );
  const [row] = await db.query(
    `SELECT contact_name, contact_email, contact_phone, k.name, k.phone, k.email, k.erased_at, c.rego FROM booking b
       JOIN customer k ON k.id = b.customer_id JOIN car c ON c.id = b.car_id WHERE b.id = $1`,
    [driven.id],
  );
  const none = {
    contactName: null,
    contactEmail: null,
    contactPhone: null,
    name: null,
    phone: null,
    email: null,
  };
  assert.deepEqual(row, { ...none, erasedAt: null, rego: 'WALK1' });
  await app.drain();
  assert.deepEqual([...app.sms.sent, ...app.email.sent], []);
  assert.deepEqual(
    (await eventsOf(app, named.id)).map(({ kind }) => kind),
    ['booking.created'],
  );
  await change(named.id, { to: '2030-03-07 09:30' });
  await app.drain();
  assert.deepEqual([...app.sms.sent, ...app.email.sent], []);
});

test('every bad field is named at once, and nothing is written', async () => {
  const count = async () => (await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM booking`))[0]?.n;
  const before = await count();
  const wrong = {
    bookingTime: 'soon',
    customerPhone: '12',
    customerEmail: 'x',
    pickupTime: 'later',
    customerId: 'x',
  };
  const fields = await fieldsOf(
    createOwnBooking(app.context, workshopId, wrong, { ...options, anyway: 'no' }),
  );
  assert.deepEqual(fields.toSorted(), [
    'anyway',
    'bookingTime',
    'customerEmail',
    'customerId',
    'customerName',
    'customerPhone',
    'pickupTime',
  ]);
  assert.deepEqual(await fieldsOf(walkIn({ customerPhone: newPhone() })), ['customerName']);
  assert.deepEqual(await fieldsOf(walkIn({ customerName: 'W', customerId: newId() })), ['customerId']);
  const elsewhere = await linkedWorkshop(app, [partner]);
  const { customerId } = await walkIn({ customerName: 'Elsewhere' }, elsewhere);
  assert.deepEqual(await fieldsOf(walkIn({ customerName: 'W', customerId })), ['customerId']);
  assert.equal(await count(), (before ?? 0) + 1);
});

test("a local time that daylight saving skips is refused, and a repeated one must be chosen (specification: The workshop's own bookings 20)", async () => {
  const faults = async (time: string) => {
    const error = await walkIn({ customerName: 'W', bookingTime: time }).catch((thrown: unknown) => thrown);
    return error instanceof InvalidInput ? error.errors : error;
  };
  // Melbourne: 2030-04-07 03:00 becomes 02:00, and 2030-10-06 02:00 becomes 03:00.
  assert.deepEqual(
    [await faults('2030-10-06 02:30'), await faults('2030-04-07 02:30')],
    [
      [{ field: 'bookingTime', message: 'is skipped that day, as clocks go forward', code: 'skippedTime' }],
      [
        {
          field: 'bookingTime',
          message: 'comes twice that day, as clocks go back: say whether the first or the second is meant',
          code: 'doubledTime',
        },
      ],
    ],
  );
  const at = async (time: string) => (await walkIn({ customerName: 'W', bookingTime: time })).date;
  assert.deepEqual(
    [
      await at('2030-04-07 02:30 first'),
      await at('2030-04-07 2:30 am second'),
      await at('2030-04-07 03:30 second'),
    ],
    ['2030-04-06T15:30:00.000Z', '2030-04-06T16:30:00.000Z', '2030-04-06T17:30:00.000Z'],
  );
});

test('no two walk-ins become one customer, and no two cars without a rego one, even concurrently', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => walkIn({ customerName: 'Same Name' })));
  assert.equal(new Set(made.map(({ customerId }) => customerId)).size, 8);
  assert.equal(new Set(made.map(({ carId }) => carId)).size, 8);
  const cars = await Promise.all(Array.from({ length: 4 }, () => walkIn({ carRego: 'SAME1' })));
  assert.equal(new Set(cars.map(({ customerId }) => customerId)).size, 4);
  const [first] = made;
  const again = await walkIn({ customerName: 'Same Name', customerId: first?.customerId ?? '' });
  assert.equal(again.customerId, first?.customerId);
  assert.notEqual(again.carId, first?.carId);
});

test("an own booking may lose its details, but not both name and rego; a partner’s may lose neither (specification: The workshop's own bookings 15)", async () => {
  const phone = newPhone();
  const { id, customerId } = await walkIn({ customerName: 'Lo Ser', carRego: 'LOSE1', customerPhone: phone });
  await change(id, { customerPhone: '', carRego: '', customerEmail: '' });
  const booking = await shown(id);
  assert.deepEqual([booking.customer.phone, booking.car.rego, booking.customerId], [null, null, customerId]);
  assert.equal((await findCustomer(db, customerId))?.phone, phone);
  assert.deepEqual(await fieldsOf(change(id, { customerName: '' })), ['customerName']);
  await change(id, { customerName: '', carRego: 'LOSE2' });
  assert.deepEqual(await fieldsOf(change(id, { carRego: '' })), ['customerName']);
  const theirs = await known(newPhone());
  assert.deepEqual(
    (
      await fieldsOf(
        change(theirs.id, { customerName: '', carRego: '', customerPhone: '', customerEmail: '' }),
      )
    ).toSorted(),
    ['carRego', 'customerEmail', 'customerName', 'customerPhone'],
  );
  await assert.rejects(change(id, { notes: 'x' }, { workshopId: newId() }), { errorCode: '060001' });
  await assert.rejects(change(id, { notes: 'x' }, { seen: 1 }), { errorCode: '000010' });
});

test('a change around it commits with the booking, and its error undoes the booking', async () => {
  const count = async () => (await db.query(`SELECT FROM booking WHERE contact_name = 'Alongside'`)).length;
  const input = { bookingTime, customerName: 'Alongside' };
  const work = changeWith(
    app.context,
    (within) => createOwnBooking(within, workshopId, input, options),
    async (tx, { id }) => {
      assert.equal((await tx.query(`SELECT FROM booking WHERE id = $1`, [id])).length, 1);
      throw new Error('no');
    },
  );
  await assert.rejects(work, /no/);
  assert.equal(await count(), 0);
});

test("always: an own booking is made confirmed by one event, and its customer gets one notice of it, also in the invitation (specification: The workshop's own bookings 10)", async () => {
  app.email.clear();
  const customerPhone = newPhone();
  const customerEmail = 'sure@customer.example';
  const made = await walkIn({ customerName: 'Una Sure', customerPhone, customerEmail });
  await app.drain();
  const { status, version } = await rowOf(made.id);
  assert.deepEqual([made.status, status, version], ['confirmed', 'confirmed', 1]);
  assert.deepEqual(
    (await eventsOf(app, made.id)).map(({ kind, payload }) => [kind, payload.booking.status]),
    [['booking.created', 'confirmed']],
  );
  const texts = app.sms.to(customerPhone).map(({ body }) => body);
  assert.equal(texts.length, 1);
  assert.match(texts[0] ?? '', / is confirmed\. /);
  const [email, ...more] = app.email.to(customerEmail);
  assert.equal(more.length, 0);
  assert.match(email?.subject ?? '', /^Confirmed: your booking on /);
  assert.match(email?.text ?? '', /Your booking is confirmed/);
  assert.match(email?.calendar?.content ?? '', /\r\nSTATUS:CONFIRMED\r\n/);
  const waiting = await walkIn({ customerName: 'Una Later', customerPhone, customerEmail, isPending: true });
  await app.drain();
  assert.equal((await rowOf(waiting.id)).status, 'pending');
  assert.match(app.sms.to(customerPhone)[1]?.body ?? '', /we have received your booking/);
  assert.match(app.email.to(customerEmail)[1]?.calendar?.content ?? '', /STATUS:TENTATIVE/);
});

async function rowOf(id: string) {
  const [row] = await db.query<{ status: string; version: number }>(
    'SELECT status, version FROM booking WHERE id = $1',
    [id],
  );
  return row ?? assert.fail(id);
}
