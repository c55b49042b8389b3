/** Cars of a customer whose registrations differ in punctuation alone (specification: Regos). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainRegoOf } from '#product/customers/cars/store.ts';
import { findAsTyped } from '#product/customers/search/find.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { sweepWhole } from '../../../test/fixtures/search.ts';
import { staffWorld } from '../../../test/fixtures/walk-ins.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, workshopId, known, newPhone } = await staffWorld();
const { context } = app;
const { db, clock } = context;
const base = await baseOf(app, workshopId);
const { owner, adviser, technician, viewer } = await peopleOf(app, workshopId);

const spellings = ['ABC-123', 'ABC·123', 'ABC.123', 'abc 123'];
async function newCustomer(regos: readonly string[] = spellings) {
  const phone = newPhone();
  const bookings = [];
  for (const [n, carRego] of regos.entries())
    bookings.push(
      await known(phone, { carRego, ...(n === 1 ? { carMake: 'Kia', carVin: 'VIN00000000000001' } : {}) }),
    );
  const { customerId } = bookings[0];
  return { phone, customerId: String(customerId), bookings, page: `${base}/customers/${customerId}` };
}
const bookingOf = async (id: string) => (await partner.call('GET', `/bookings/${id}`)).body.booking;

test('always: Find finds each by letters and digits, and the wire stays by the letter (specification: Regos 1)', async () => {
  const { customerId, bookings } = await newCustomer();
  await app.drain();
  await sweepWhole(context);
  for (const q of ['abc123', 'ABC-123', 'ABC·123', 'abc.123', 'ABC 123', 'abc 12', 'ABC•123', 'c123']) {
    const { customers } = await findAsTyped(db, {
      workshopId,
      q,
      limit: 20,
      seesPhones: true,
      now: clock.now(),
    });
    assert.ok(
      customers.some((each) => each.customerId === customerId),
      q,
    );
  }
  assert.deepEqual(await Promise.all(bookings.map(async ({ id }) => (await bookingOf(id)).car.rego)), [
    'ABC-123',
    'ABC·123',
    'ABC.123',
    'ABC123',
  ]);
});

test('the page shows them together, and Same car makes them one there, once; bookings and their partner read the same (specification: Regos 3)', async () => {
  const { customerId, page, bookings } = await newCustomer([...spellings, 'XYZ789']);
  const before = await Promise.all(bookings.map(({ id }) => bookingOf(id)));
  const { text } = await adviser.get(page);
  assert.match(text, /<h2>Cars \(5\)<\/h2>/);
  assert.match(
    text,
    /differ in punctuation alone:.*ABC-123.*<button class="button quiet">Same car<\/button>/s,
  );
  assert.equal(text.split('Same car<').length, 2, 'one button for the four');
  const form = fieldsOf(text, `${page}/same-car`);
  const answers = await Promise.all([
    adviser.post(`${page}/same-car`, form),
    adviser.post(`${page}/same-car`, form),
  ]);
  for (const { status, location } of answers)
    assert.deepEqual([status, location], [303, `${page}?done=sameCar`]);
  const after = await adviser.get(`${page}?done=sameCar`);
  for (const words of [
    /They are one car now/,
    /<h2>Cars \(2\)<\/h2>/,
    /also ABC-123, ABC\.123/,
    /Kia/,
    /4 bookings/,
    /said that cars are one/,
  ])
    assert.match(after.text, words);
  assert.doesNotMatch(after.text, /Same car</);
  assert.deepEqual(await Promise.all(bookings.map(({ id }) => bookingOf(id))), before);
  const entries = await db.query<{ after: object }>(
    `SELECT after FROM audit_entry WHERE action = 'customer.sameCar' AND subject_id = $1`,
    [customerId],
  );
  assert.deepEqual(entries, [{ after: { regos: ['ABC-123', 'ABC.123', 'ABC123', 'ABC·123'] } }]);
  // Another spelling later is shown beside it, and asked about again.
  await known(before[0].customer.phone, { carRego: 'A-BC123' });
  const later = (await adviser.get(page)).text;
  assert.match(later, /<h2>Cars \(3\)<\/h2>/);
  const again = await adviser.submit(page, `${page}/same-car`);
  assert.equal(again.status, 303);
  assert.match((await adviser.get(page)).text, /<h2>Cars \(2\)<\/h2>/);
});

test('only cars that differ in punctuation alone are one; letters, digits and other customers’ stay apart (specification: Regos 3)', async () => {
  const { page } = await newCustomer(['ABC123', 'ABC12', 'ÄBC123', 'ABC1234', '-', '--']);
  await newCustomer(['ABC-123']);
  const { text } = await adviser.get(page);
  assert.match(text, /<h2>Cars \(6\)<\/h2>/);
  assert.doesNotMatch(text, /Same car</);
  const [car] = await db.query<{ id: string }>(
    `SELECT car.id FROM car JOIN customer ON customer.id = car.customer_id WHERE rego = 'ABC12' AND car.workshop_id = $1`,
    [workshopId],
  );
  const { key = '', version = '' } = fieldsOf(text, `${page}/tags`);
  const refused = await adviser.post(`${page}/same-car`, { key, version, car: car?.id ?? '' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /no other car whose registration differs in punctuation alone/);
});

test('punctuation is left out of a registration whatever the locale of the database, and letters of any script stay', async () => {
  const plain = async (rego: string, collation: string) => {
    const sql = `SELECT ${plainRegoOf(`($1::text COLLATE "${collation}")`)} AS plain`;
    return (await db.query<{ plain: string }>(sql, [rego]))[0]?.plain;
  };
  for (const collation of ['C', 'default']) {
    for (const [rego = '', expected] of [
      ['ABC-123', 'ABC123'],
      ['ABC·1.2–3', 'ABC123'],
      [`A'B[C]\\1^2/3*`, 'ABC123'],
      ['品川・300あ12-34', '品川300あ1234'],
      ['MÜ·AB12', 'MÜAB12'],
      ['٣٤٥-د', '٣٤٥د'],
      ['--', '--'],
    ])
      assert.equal(await plain(rego, collation), expected, collation);
  }
});

test('always: who may not correct customers is refused; so is a car of another customer or workshop, and a page that is old (specification: Regos 3)', async () => {
  const { page, customerId } = await newCustomer();
  const form = fieldsOf((await owner.get(page)).text, `${page}/same-car`);
  for (const person of [technician, viewer]) {
    assert.equal((await person.post(`${page}/same-car`, form)).status, 403);
    assert.doesNotMatch((await person.get(page)).text, /Same car</);
  }
  const elsewhere = await signedInPerson(app, [await linkedWorkshop(app, [], { name: 'Elsewhere' })]);
  assert.equal((await elsewhere.post(`${page}/same-car`, form)).status, 404);
  const other = await newCustomer();
  const theirs = fieldsOf((await owner.get(other.page)).text, `${other.page}/same-car`);
  assert.equal(
    (await owner.post(`${page}/same-car`, { ...form, key: `${form['key']}x`, car: theirs['car'] ?? '' }))
      .status,
    404,
  );
  assert.equal(
    (await owner.post(`${page}/same-car`, { ...form, key: `${form['key']}y`, car: 'x' })).status,
    404,
  );
  await owner.submit(page, `${page}/tags`, { add: 'vip' });
  const stale = await owner.post(`${page}/same-car`, form);
  assert.equal(stale.status, 422);
  assert.match(stale.text, /Somebody changed this meanwhile|changed/);
  const joined = await db.query('SELECT FROM car WHERE customer_id = $1 AND same_car', [customerId]);
  assert.equal(joined.length, 0);
});
