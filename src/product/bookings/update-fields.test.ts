import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem, bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { updateFields } from '../../../test/fixtures/booking-fields.ts';

const { book, put, change, read } = await bookingWorld();

/** A booking in which every field has a value. */
const full = {
  externalId: 'ORDER-1',
  pickupTime: '2030-03-03T05:00:00.000Z',
  serviceCategory: 'repair',
  services: [{ catalogCode: 'B-1', title: 'Brakes', category: 'repair', cost: 289.5, maxCost: 349 }],
  servicePackageType: 'logbook',
  customerCompany: 'Example Fleet',
  notes: 'Squeaks',
  jobNotes: ['Pads'],
  productNotes: ['Oil'],
  tyreQuantities: 4,
  carVin: 'VIN1',
  carMake: 'Toyota',
  carModel: 'Corolla',
  carYear: 2019,
  carBadge: 'SX',
};

/** A cleared category follows from the services, so it is tried without services. */
const base = (field: string) => (field === 'serviceCategory' ? { ...full, services: [] } : full);

for (const { field, shown, good, bad, cleared } of updateFields) {
  describe(`PUT /bookings/{id}, ${field} (specification: Requests and responses 6)`, () => {
    test('changes to the sent value, and nothing else changes', async () => {
      const before = await book({ ...base(field), carRego: `G-${field}` });
      for (const [sent, back = sent] of good) {
        assert.deepEqual(shown(await change(before.id, { [field]: sent })), back);
      }
      // Set back: every other field has its original value.
      if (field === 'interval') return;
      const now = await change(before.id, { [field]: shown(before) });
      const ignored = { updatedAt: null, customerId: null, carId: null, car: null, customer: null };
      assert.deepEqual({ ...now, ...ignored }, { ...before, ...ignored });
      assert.deepEqual({ ...now.customer, id: null }, { ...before.customer, id: null });
    });

    test('is refused by name when it is invalid, and stays', async () => {
      const before = await book(full);
      for (const [sent, part = ''] of bad) {
        assertProblem(await put(before.id, { [field]: sent }), 400, '000001', [`${field}${part}`]);
      }
      assert.deepEqual(await read(before.id), before);
    });

    test(cleared === 'refused' ? 'cannot be cleared' : 'is cleared by null', async () => {
      const { id } = await book(base(field));
      if (field === 'interval') await change(id, { interval: 6 });
      const answer = await put(id, { [field]: null });
      if (cleared === 'refused') assertProblem(answer, 400, '000001', [field]);
      else assert.deepEqual([answer.status, shown(answer.body.booking)], [200, cleared]);
    });
  });
}

test('skipNotification: a boolean, null or absent', async () => {
  const { id } = await book();
  for (const value of [true, false, null, '']) await change(id, { skipNotification: value });
  for (const value of ['true', 1, 0, []]) {
    assertProblem(await put(id, { skipNotification: value }), 400, '000001', ['skipNotification']);
  }
});

test('fields that are not editable are ignored, whatever their value (specification: Changing a booking 1 and 8)', async () => {
  const before = await book(full);
  const notEditable = {
    ...{
      status: 'confirmed',
      id: 5,
      code: 'X',
      version: 9,
      createdAt: 'now',
      updatedAt: null,
      cancelReason: 'x',
    },
    ...{
      workshopId: 7,
      customerId: {},
      carId: 'x',
      externalId: 5,
      car: { rego: 'X' },
      customer: { name: 'X' },
    },
    ...{
      bookingTime: 'never',
      carVin: 5,
      carMake: 'X',
      carModel: 'X',
      carYear: 'X',
      carBadge: 'X',
      unknown: [],
    },
  };
  assert.deepEqual(await change(before.id, notEditable), before);
  const after = await change(before.id, { ...notEditable, notes: 'New' });
  assert.deepEqual({ ...after, updatedAt: before.updatedAt }, { ...before, notes: 'New' });
});

test('a new name is split again, and a new company shows in booking and customer', async () => {
  const { id } = await book();
  const { customer, customerCompany } = await change(id, {
    customerName: 'Cher',
    customerCompany: 'Stage Ltd',
  });
  assert.deepEqual(
    [customer.firstName, customer.lastName, customer.company, customerCompany],
    ['Cher', null, 'Stage Ltd', 'Stage Ltd'],
  );
});
