import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem, bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { createFields } from '../../../test/fixtures/booking-fields.ts';
import { bookingBody, linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, workshopId, book } = await bookingWorld();
const create = (body: object) => partner.call('POST', '/bookings', body);
const required = new Set([
  ...['carRego', 'bookingTime', 'customerName', 'customerPhone', 'customerEmail', 'workshopId'],
]);

let number = 0;
/** Each with its own car, so that the details of one booking do not show in another. */
const fresh = () => ({ carRego: `F${number++}` });

for (const { field, shown, good, bad, cleared } of createFields) {
  describe(`POST /bookings, ${field}`, () => {
    test('is kept and returned', async () => {
      for (const [sent, back = sent] of good) {
        const booking = await book({ ...fresh(), [field]: sent });
        assert.deepEqual(shown(booking), back);
      }
    });

    test('is refused by name when it is invalid (specification: Requests and responses 8)', async () => {
      for (const [sent, part = ''] of bad) {
        const answer = await create(bookingBody(workshopId, { ...fresh(), [field]: sent }));
        assertProblem(answer, 400, '000001', [`${field}${part}`]);
      }
    });

    test(required.has(field) ? 'is required' : 'may be absent, and null says the same', async () => {
      const isRequired = required.has(field);
      assert.equal(cleared === 'refused', isRequired);
      for (const value of [null, undefined]) {
        const answer = await create(bookingBody(workshopId, { ...fresh(), [field]: value }));
        if (isRequired) assertProblem(answer, 400, '000001', [field]);
        else assert.deepEqual([answer.status, shown(answer.body.booking)], [201, cleared]);
      }
    });
  });
}

test('workshopId: a wrong type, null or a missing value is 400', async () => {
  for (const value of [5, null, undefined, '', ['x'], {}]) {
    assertProblem(await create(bookingBody(workshopId, { workshopId: value })), 400, '000001', [
      'workshopId',
    ]);
  }
});

test('skipNotification: a boolean, null or absent', async () => {
  for (const value of [true, false, null, undefined, '']) await book({ skipNotification: value });
  for (const value of ['true', 1, 0, [], {}]) {
    const answer = await create(bookingBody(workshopId, { skipNotification: value }));
    assertProblem(answer, 400, '000001', ['skipNotification']);
  }
});

test('the first word of the name is the first name, the rest the last (specification: Bookings 2)', async () => {
  for (const [customerName, firstName, lastName] of [
    ['Cher', 'Cher', null],
    ['Ana María de la Cruz', 'Ana', 'María de la Cruz'],
  ] as const) {
    const { customer } = await book({ customerName });
    assert.deepEqual(
      [customer.name, customer.firstName, customer.lastName],
      [customerName, firstName, lastName],
    );
  }
});

test('the company is in the booking and in its customer (specification: Bookings 2)', async () => {
  const booking = await book({ customerCompany: 'Example Fleet Pty Ltd' });
  assert.deepEqual(
    [booking.customerCompany, booking.customer.company],
    ['Example Fleet Pty Ltd', 'Example Fleet Pty Ltd'],
  );
});

test("1 phones: a number without a country code is read in the workshop's country", async () => {
  const workshop = await linkedWorkshop(app, [partner], {
    country: 'NZ',
    timezone: 'Pacific/Auckland',
    phone: '09 555 0123',
  });
  const booking = await book({ workshopId: workshop, customerPhone: '021 123 4567' });
  assert.equal(booking.customer.phone, '+64211234567');
  const mobileOfAustralia = bookingBody(workshop, { customerPhone: '0400 000 001' });
  assertProblem(await create(mobileOfAustralia), 400, '000001', ['customerPhone']);
});
