/** Bookings created and changed concurrently, over real HTTP (specification: Changing a booking 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createBooking } from '#product/bookings/create.ts';
import type { Booking } from '#product/bookings/schema.ts';
import { customItem } from '#product/catalogue/item.ts';
import { bookingWorld, eventsOf, rowCounts, untilBlocked } from '../../../test/fixtures/booking-api.ts';
import type { Answer } from '../../../test/harness/app.ts';
import { changeWith } from '../../../test/harness/change-with.ts';
import { bookingBody } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book, put, read } = await bookingWorld();
const { db } = app.context;

let people = 0;
/** A number that no other test uses. */
const newPhone = () => `+6140020${String(1000 + people++)}`;
const create = (changes: object) =>
  partner.call('POST', '/bookings', bookingBody(workshopId, { ...changes }));

function assertAll(answers: readonly Answer[], status: number): Booking[] {
  for (const answer of answers) assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answers.map((answer) => answer.body.booking);
}

/** Asserts versions without a gap or repeat, increasing times, and a last event that equals the booking as it is read. */
async function assertHistory(id: string, changes: number): Promise<void> {
  const events = await eventsOf(app, id);
  assert.deepEqual(
    events.map((event) => event.version),
    Array.from({ length: changes + 1 }, (_, n) => n + 1),
  );
  const times = events.map((event) => event.payload.booking.updatedAt);
  assert.deepEqual(times, [...new Set(times)].sort());
  assert.deepEqual(events.at(-1)?.payload.booking, await read(id));
}

/** Asserts that each car belongs to the customer of its bookings, and that no customer has two cars with one rego. */
async function assertCarsWhole(): Promise<void> {
  const torn = await db.query(
    'SELECT FROM booking JOIN car ON car.id = booking.car_id WHERE car.customer_id <> booking.customer_id',
  );
  assert.equal(torn.length, 0);
}

test('always: 4: 100 concurrent updates of different fields keep them all; versions and updatedAt rise one by one', async () => {
  const { id } = await book();
  const value = (round: number): Record<string, unknown> => ({
    ...{
      date: `2031-01-0${round + 1}T00:00:00.000Z`,
      serviceCategory: ['service', 'tyres', 'repair', 'others'][round],
    },
    ...{ services: [{ title: `s${round}` }], carRego: `R${round}`, customerName: `Name ${round}` },
    ...{
      customerEmail: `e${round}@x.example`,
      customerCompany: `c${round}`,
      notes: `n${round}`,
      interval: round,
    },
    ...{ pickupTime: `2031-02-0${round + 1}T00:00:00.000Z`, servicePackageType: `p${round}` },
    ...{ jobNotes: [`j${round}`], productNotes: [`q${round}`], tyreQuantities: round },
  });
  const fields = Object.keys(value(0));
  // The updates of one field run in sequence; the fields run concurrently.
  const rounds = [0, 1, 2, 3];
  const answers = await Promise.all(
    fields.map(async (field) => {
      const done: Answer[] = [];
      for (const round of rounds) done.push(await put(id, { [field]: value(round)[field] }));
      return done;
    }),
  );
  const more = await Promise.all(
    Array.from({ length: 44 }, (_, n) =>
      put(id, { [n % 2 ? 'notes' : 'interval']: n % 2 ? `last ${n}` : 100 + n }),
    ),
  );
  assertAll([...answers.flat(), ...more], 200);
  const booking = await read(id);
  const last = value(3);
  assert.match(booking.notes ?? '', /^last/);
  assert.ok((booking.interval ?? 0) >= 100);
  assert.deepEqual(
    {
      ...booking,
      ...{
        carRego: booking.car.rego,
        customerName: booking.customer.name,
        customerEmail: booking.customer.email,
      },
    },
    {
      ...booking,
      ...last,
      ...{ notes: booking.notes, interval: booking.interval, services: [customItem({ title: 's3' })] },
    },
  );
  await assertHistory(id, 100);
});

test('always: 4: a changed rego does not hide the booking from an update that waits for it', async () => {
  const { id } = await book({ customerPhone: newPhone() });
  const updates = Array.from({ length: 20 }, (_, n) =>
    put(id, n % 2 ? { carRego: `W${n}` } : { notes: `w${n}` }),
  );
  assertAll(await Promise.all(updates), 200);
  await assertHistory(id, 20);
});

test('always: 4: concurrent creations for one new customer and car create one of each, and every booking', async () => {
  const before = await rowCounts(app);
  const customerPhone = newPhone();
  const bookings = assertAll(
    await Promise.all(Array.from({ length: 40 }, () => create({ customerPhone, carRego: 'one car' }))),
    201,
  );
  for (const key of ['customerId', 'carId'] as const) {
    assert.equal(new Set(bookings.map((booking) => booking[key])).size, 1);
  }
  assert.equal(new Set(bookings.map((booking) => booking.code)).size, 40);
  const { customers = 0, cars = 0, bookings: made = 0, events = 0 } = before;
  assert.deepEqual(await rowCounts(app), {
    ...{ customers: customers + 1, cars: cars + 1, bookings: made + 40, events: events + 40 },
  });
});

test('always: 4: creations with the car while its booking moves to another customer', async () => {
  for (let round = 0; round < 8; round++) {
    const [from, to] = [newPhone(), newPhone()];
    const first = await book({ customerPhone: from, carRego: 'contested', carMake: 'Kia' });
    const [moved, ...made] = await Promise.all([
      put(first.id, { customerPhone: to }),
      ...Array.from({ length: 4 }, () => create({ customerPhone: from, carRego: 'contested' })),
      ...Array.from({ length: 4 }, () => create({ customerPhone: to, carRego: 'contested' })),
    ]);
    const bookings = [...assertAll([moved], 200), ...assertAll(made, 201)];
    for (const { id } of bookings) {
      const { car, carId, customerId } = await read(id);
      assert.deepEqual([car.customerId, car.id, car.rego], [customerId, carId, 'CONTESTED']);
    }
    assert.equal(new Set(bookings.map((booking) => booking.customerId)).size, 2);
  }
  await assertCarsWhole();
});

test('always: 4: a car stays with its customer when an uncommitted creation uses it', async () => {
  const [from, to] = [newPhone(), newPhone()];
  const first = await book({ customerPhone: from, carRego: 'held' });
  const { partnerId } = partner;
  const actor = actors.partner(partnerId, 'key', newId());
  const body = bookingBody(workshopId, { customerPhone: from, carRego: 'held' });
  let moving: Promise<Answer> | undefined;
  const request = { partnerId, actor, body, phone: from, claim: null };
  const created = await changeWith(
    app.context,
    (within) => createBooking(within, request),
    async () => {
      moving = put(first.id, { customerPhone: to });
      await untilBlocked(app, 1);
    },
  );
  const moved = await moving;
  assert.equal(moved?.status, 200, JSON.stringify(moved?.body));
  assert.equal(created?.carId, first.carId);
  assert.notEqual(moved?.body.booking.carId, first.carId);
  await assertCarsWhole();
});

test('always: 4: concurrent changes of customer, name and rego for bookings of one car', async () => {
  const phones = Array.from({ length: 3 }, newPhone);
  const mine = await Promise.all(
    Array.from({ length: 6 }, (_, n) => book({ customerPhone: phones[n % 3], carRego: 'swap' })),
  );
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all([
      ...mine.map(({ id }, n) => put(id, { customerPhone: phones[(n + round) % 3] })),
      ...mine.map(({ id }, n) => put(id, { customerName: `Name ${n} ${round}` })),
      ...mine.map(({ id }, n) => put(id, { carRego: (n + round) % 2 ? 'swap' : `swap ${n}` })),
    ]);
    assertAll(answers, 200);
    assertAll(
      await Promise.all(phones.map((customerPhone) => create({ customerPhone, carRego: 'swap' }))),
      201,
    );
  }
  await assertCarsWhole();
  for (const { id } of mine) await assertHistory(id, (await eventsOf(app, id)).length - 1);
});
