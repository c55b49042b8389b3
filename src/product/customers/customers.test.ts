import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCar, listCarsOf } from './cars/store.ts';
import { type CustomerSearch, findCustomers } from './find.ts';
import { setOptedOut } from './opt-out.ts';
import { findCustomer, insertCustomer } from './store.ts';

const { db } = await createTestDatabase();
const clock = testClock();
const workshops: string[] = [];
const customers: string[] = [];

/** Two workshops; the first has four customers, the second has one, with the phone of the first workshop's first customer. */
before(async () => {
  for (const [country, timezone, phone] of [
    ['AU', 'Australia/Perth', '0491570006'],
    ['NZ', 'Pacific/Auckland', '021 123 4567'],
  ] as const) {
    const settings = { name: 'W', country, timezone, phone, email: 'a@b.example' };
    workshops.push((await createWorkshop({ db, clock }, settings, actors.operator)).workshopId);
  }
  for (const [number, phone] of ['491570313', '491570737', '491571266', '491571491', '491570313'].entries()) {
    const id = newId();
    const workshopId = workshops[number < 4 ? 0 : 1] ?? '';
    const names = { name: `C ${number}`, firstName: 'C', lastName: String(number), email: null };
    await insertCustomer(db, { id, workshopId, ...names, phone: `+61${phone}` }, clock.now());
    customers.push(id);
  }
});

async function found(search: CustomerSearch): Promise<string[]> {
  const read = await findCustomers(db, search);
  return (await read({ cursor: null, limit: 100 })).map((customer) => customer.customerId);
}

test('customers are listed by workshop, by phone, or all', async () => {
  const [first = '', second = ''] = workshops;
  assert.deepEqual(await found({}), customers);
  assert.deepEqual(await found({ workshop: first }), customers.slice(0, 4));
  assert.deepEqual(await found({ phone: '+61 491 570 313' }), [customers[0], customers[4]]);
  assert.deepEqual(await found({ workshop: first, phone: '0491 570 737' }), [customers[1]]);
  assert.deepEqual(await found({ workshop: second, phone: '+61491570737' }), []);
});

test('the pages together contain every customer once', async () => {
  const seen: string[] = [];
  const read = await findCustomers(db, {});
  for (let cursor: string | null = null; ; ) {
    const page: string[] = (await read({ cursor, limit: 2 })).map((customer) => customer.customerId);
    seen.push(...page);
    cursor = page.at(-1) ?? null;
    if (cursor === null) break;
  }
  assert.deepEqual(seen, customers);
});

test('a refused search names all its faults', async () => {
  const bad: [CustomerSearch, string[]][] = [
    [{ phone: '0491570313' }, ['phone']],
    [{ workshop: workshops[1] ?? '', phone: '04' }, ['phone']],
    [{ phone: 'y', name: 'x', rego: 'z' }, ['phone', 'name', 'rego']],
  ];
  for (const [search, fields] of bad) {
    await assert.rejects(findCustomers(db, search), (error: Error) => {
      assert.ok(error instanceof InvalidInput);
      assert.deepEqual(
        error.errors.map(({ field }) => field),
        fields,
      );
      return true;
    });
  }
  await assert.rejects(findCustomers(db, { workshop: newId() }), /no workshop/);
});

test('a repeated opt-out keeps the first time; an opt-in ends it (specification: Opting out 11)', async () => {
  const [id = ''] = customers;
  const first = clock.now();
  assert.deepEqual((await setOptedOut({ db, clock }, id, true, actors.operator)).optedOutAt, first);
  clock.advance({ seconds: 60 });
  assert.deepEqual((await setOptedOut({ db, clock }, id, true, actors.operator)).optedOutAt, first);
  assert.equal((await setOptedOut({ db, clock }, id, false, actors.operator)).optedOutAt, null);
  assert.deepEqual((await findCustomer(db, id))?.updatedAt, clock.now());
  // One event for each change, as for an opt-out by SMS, but without a messageId.
  await setOptedOut({ db, clock }, id, false, actors.operator);
  const events = await db.query(
    `SELECT kind, workshop_id, partner_id, payload FROM event WHERE subject_id = $1 ORDER BY id`,
    [id],
  );
  const [workshopId] = workshops;
  const customer = { id, phone: '+61491570313', workshopId };
  const payload = { customerId: id, messageId: null, customer };
  const shape = { workshopId, partnerId: null, payload };
  assert.deepEqual(events, [
    { kind: 'customer.optedOut', ...shape },
    { kind: 'customer.optedIn', ...shape },
  ]);
  for (const unknown of [newId(), 'nobody']) {
    await assert.rejects(setOptedOut({ db, clock }, unknown, true, actors.operator), /no customer/);
    await assert.rejects(setOptedOut({ db, clock }, unknown, false, actors.operator), /no customer/);
  }
});

test('cars are listed with their customer', async () => {
  const [customerId = '', other = ''] = customers;
  const car = { rego: 'ABC123', year: 2019, make: 'Toyota', model: 'Corolla' };
  const id = newId();
  await insertCar(db, { id, workshopId: workshops[0] ?? '', customerId, ...car }, clock.now());
  assert.deepEqual(await listCarsOf(db, customerId), [{ carId: id, ...car, badge: null, vin: null }]);
  assert.deepEqual(await listCarsOf(db, other), []);
});
