/** Which customer and car a booking gets, in sequential requests (specification: Bookings 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Booking } from '#product/bookings/schema.ts';
import { bookingWorld, rowCounts } from '../../../test/fixtures/booking-api.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book, change, read } = await bookingWorld();
const other = await signedInPartner(app, 'Another Partner');
const { db } = app.context;
await db.query('INSERT INTO link (partner_id, workshop_id, created_at) VALUES ($1, $2, $3)', [
  ...[other.partnerId, workshopId, app.clock.now()],
]);

let people = 0;
/** A number that no other test uses. */
const newPhone = () => `+6140010${String(1000 + people++)}`;

interface CustomerRow {
  name: string;
  firstName: string | null;
  email: string;
  company: string | null;
}
async function rowOf(booking: Booking): Promise<CustomerRow | undefined> {
  const [row] = await db.query<CustomerRow>(
    `SELECT name, first_name, email, company FROM customer WHERE id = $1`,
    [booking.customerId],
  );
  return row;
}
function assertTogether(booking: Booking): void {
  assert.equal(booking.customer.id, booking.customerId);
  assert.equal(booking.car.customerId, booking.customerId);
  assert.equal(booking.car.id, booking.carId);
}

test("4 customer: found by phone in any notation, and shared by the workshop's partners (specification: Partners and workshops 7)", async () => {
  const first = await book({ customerPhone: '0491 570 110', customerName: 'Sam One' });
  const second = await book({ customerPhone: '+61491570110', customerName: 'Samuel Two' }, other);
  assert.equal(second.customerId, first.customerId);
  assert.equal(second.carId, first.carId);
});

test('4 customer: the same phone at another workshop is another customer', async () => {
  const elsewhere = await linkedWorkshop(app, [partner]);
  const [here, there] = [await book(), await book({ workshopId: elsewhere })];
  assert.notEqual(there.customerId, here.customerId);
  assert.notEqual(there.carId, here.carId);
  assert.equal(there.customer.workshopId, elsewhere);
});

test("2: each partner keeps its own contact details; the customer's row has the latest (specification: Partners and workshops 4)", async () => {
  const customerPhone = newPhone();
  const mine = await book({
    customerPhone,
    customerName: 'Sam Mine',
    customerEmail: 'mine@x.example',
    customerCompany: 'Mine',
  });
  const theirs = await book(
    { customerPhone, customerName: 'Sam Theirs', customerEmail: 'theirs@x.example' },
    other,
  );
  assert.equal(theirs.customerId, mine.customerId);
  assert.equal(theirs.customer.company, null);
  assert.deepEqual(await read(mine.id), mine);
  assert.deepEqual(await rowOf(mine), {
    ...{ name: 'Sam Theirs', firstName: 'Sam', email: 'theirs@x.example', company: 'Mine' },
  });

  const changed = await change(mine.id, { customerEmail: 'new@x.example' });
  assert.deepEqual(changed.customer, { ...mine.customer, email: 'new@x.example' });
  // Only sent fields change the row: the name is still the other partner's.
  assert.deepEqual(await rowOf(mine), {
    ...{ name: 'Sam Theirs', firstName: 'Sam', email: 'new@x.example', company: 'Mine' },
  });
  const still = await other.call('GET', `/bookings/${theirs.id}`);
  assert.deepEqual(still.body.booking, theirs);
  await change(mine.id, { customerName: 'Zoe', customerCompany: null });
  assert.deepEqual(await rowOf(mine), {
    ...{ name: 'Zoe', firstName: 'Zoe', email: 'new@x.example', company: 'Mine' },
  });
});

test('2: a changed date is sent to the contact of this partner (specification: Partners and workshops 4)', async () => {
  const customerPhone = newPhone();
  const mine = await book({ customerPhone, customerEmail: 'mine2@x.example', skipNotification: true });
  await book({ customerPhone, customerEmail: 'theirs2@x.example', skipNotification: true }, other);
  await change(mine.id, { date: '2030-06-01T00:00:00Z' });
  await app.drain();
  assert.deepEqual(
    [app.email.to('mine2@x.example').length, app.email.to('theirs2@x.example').length],
    [1, 0],
  );
});

test('4 car: found by customer and rego; absent details are those of the previous booking', async () => {
  const customerPhone = newPhone();
  const details = { carYear: 2019, carMake: 'Toyota', carModel: 'Corolla', carBadge: 'SX', carVin: 'V1' };
  const first = await book({ customerPhone, carRego: 'car 1', ...details });
  assert.deepEqual(first.car, {
    ...{ id: first.carId, customerId: first.customerId, rego: 'CAR1' },
    ...{ year: 2019, make: 'Toyota', model: 'Corolla', badge: 'SX', vin: 'V1' },
  });
  const second = await book({ customerPhone, carRego: 'CAR 1', carYear: 2020, carBadge: null });
  assert.deepEqual(second.car, { ...first.car, year: 2020 });
  const another = await book({ customerPhone: newPhone(), carRego: 'car 1' });
  assert.notEqual(another.carId, first.carId);
  assert.equal(another.car.make, null);
});

test('4 update: a new carRego finds that car of the customer, or creates it (specification: Changing a booking 4)', async () => {
  const customerPhone = newPhone();
  const known = await book({ customerPhone, carRego: 'known', carMake: 'Mazda' });
  await book({ customerPhone, carRego: 'first', carMake: 'Toyota' });
  const booking = await book({ customerPhone, carRego: 'first' });
  const found = await change(booking.id, { carRego: ' kno wn' });
  assert.deepEqual(found.car, known.car);
  const made = await change(booking.id, { carRego: 'brand new' });
  assertTogether(made);
  assert.ok(![known.carId, booking.carId].includes(made.carId));
  assert.deepEqual([made.car.rego, made.car.make, made.customerId], ['BRANDNEW', null, known.customerId]);
  const back = await change(booking.id, { carRego: 'first' });
  assert.deepEqual(back.car, booking.car);
});

test('4 update: a new customerPhone moves booking and car to a new customer (specification: Changing a booking 4)', async () => {
  const booking = await book({
    customerPhone: newPhone(),
    carRego: 'move',
    carMake: 'Kia',
    customerCompany: 'Ltd',
  });
  const customerPhone = newPhone();
  const moved = await change(booking.id, { customerPhone });
  assertTogether(moved);
  assert.notEqual(moved.customerId, booking.customerId);
  assert.deepEqual(moved.car, { ...booking.car, customerId: moved.customerId });
  assert.deepEqual(moved.customer, { ...booking.customer, id: moved.customerId, phone: customerPhone });
  assert.deepEqual(await rowOf(moved), {
    ...{ name: 'Sam Taylor', firstName: 'Sam', email: 'sam@customer.example', company: 'Ltd' },
  });
});

test('4 update: a new customerPhone finds the customer that has it (specification: Changing a booking 4)', async () => {
  const known = await book({ customerPhone: newPhone(), carRego: 'other' });
  const booking = await book({ customerPhone: newPhone(), carRego: 'follows' });
  const before = await rowCounts(app);
  const moved = await change(booking.id, { customerPhone: known.customer.phone });
  assertTogether(moved);
  assert.deepEqual([moved.customerId, moved.carId], [known.customerId, booking.carId]);
  assert.deepEqual({ ...(await rowCounts(app)), events: before['events'] }, before);
});

test('4 update: a car that another booking uses stays, and the new customer gets a copy', async () => {
  const customerPhone = newPhone();
  const stays = await book({ customerPhone, carRego: 'shared', carMake: 'Ford', carYear: 2001 });
  const booking = await book({ customerPhone, carRego: 'shared' }, partner);
  const moved = await change(booking.id, { customerPhone: newPhone() });
  assertTogether(moved);
  assert.notEqual(moved.carId, stays.carId);
  assert.deepEqual(moved.car, { ...stays.car, id: moved.carId, customerId: moved.customerId });
  assert.deepEqual(await read(stays.id), stays);
});

test('4 update: when the new customer has a car with that rego, the booking gets it', async () => {
  const known = await book({ customerPhone: newPhone(), carRego: 'twin' });
  const booking = await book({ customerPhone: newPhone(), carRego: 'twin' });
  const moved = await change(booking.id, { customerPhone: known.customer.phone });
  assertTogether(moved);
  assert.deepEqual([moved.customerId, moved.carId], [known.customerId, known.carId]);
});

test('4 update: a new phone and a new rego together: the booking gets that customer’s car, and leaves the old one', async () => {
  const booking = await book({ customerPhone: newPhone(), carRego: 'left', carMake: 'Audi' });
  const moved = await change(booking.id, { customerPhone: newPhone(), carRego: 'taken up' });
  assertTogether(moved);
  assert.deepEqual([moved.car.rego, moved.car.make], ['TAKENUP', null]);
  const again = await book({ customerPhone: booking.customer.phone, carRego: 'left' });
  // This partner has no booking of that car any more, so there are no details to show.
  assert.deepEqual(again.car, { ...booking.car, make: null });
});

test('4 update: an erased customer stays erased when the booking gets a name again', async () => {
  const booking = await book({ customerPhone: newPhone() });
  await db.query(
    `UPDATE customer SET name = 'Erased', phone = NULL, email = NULL, erased_at = updated_at WHERE id = $1`,
    [booking.customerId],
  );
  const named = await change(booking.id, { customerName: 'Sam Again' });
  assert.deepEqual([named.customer.name, named.customerId], ['Sam Again', booking.customerId]);
  assert.equal((await rowOf(named))?.name, 'Erased');
});
