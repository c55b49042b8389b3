/** Find with typed texts (specification: Find 1, 2, 3, 4, 5, 7 and 8). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { bookingWorld } from '../../../../test/fixtures/booking-api.ts';
import { sweepWhole } from '../../../../test/fixtures/search.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { customerWithPhone } from '../store.ts';
import { findAsTyped } from './find.ts';
import { readSearchState } from './store.ts';

const { app, partner, workshopId, book, change } = await bookingWorld();
const { db, clock } = app.context;

const find = async (q: string, of: { seesPhones?: boolean; workshopId?: string; limit?: number } = {}) =>
  (await findAsTyped(db, { workshopId, q, limit: 20, seesPhones: true, now: clock.now(), ...of })).customers;
const sweepAll = () => sweepWhole(app.context);
const namesOf = async (q: string, of = {}) => (await find(q, of)).map(({ name }) => name);

const jose = await book({
  ...{
    customerName: 'José Łukasz O’Brien',
    customerPhone: '0491 570 006',
    customerEmail: 'jo.brien@mail.example',
  },
  carRego: 'ABC 123',
});
const smith = await book({
  ...{ customerName: 'Mary Smith-Jones', customerPhone: '0491 570 156', carRego: 'ZZ-99 x' },
  bookingTime: '2030-03-04T22:30:00Z',
});
await app.drain();

test('customers are found by registration, phone, name and code, in any notation', async () => {
  const forms = [
    ...[
      'ABC123',
      'abc-123',
      'abc 123',
      'ab',
      'a',
      '123',
      'obrien',
      "O'BRIEN",
      'josé',
      'JOSE obr',
      'lukasz',
      'o brien',
    ],
    ...[
      '0491570006',
      '+61 491 570 006',
      '+61 (0)491 570 006',
      '0061491570006',
      '(0491) 570-006',
      '570006',
      '006',
    ],
    ...[
      jose.code,
      jose.code.toLowerCase(),
      `${jose.code.slice(0, 4)}-${jose.code.slice(4)}`,
      jose.code.slice(0, 3),
    ],
    ...['jo.brien@mail', 'jose 123 006', `lukasz ${jose.code}`, 'bri', 'ukas', 'bc12', '  jose  '],
  ];
  for (const q of forms) {
    const found = await find(q);
    assert.ok(
      found.some(({ customerId }) => customerId === jose.customerId),
      q,
    );
  }
  for (const q of ['smith jones', 'zz99x', 'zz 99 x', 'jones mary', '99x', 'smi'])
    assert.deepEqual(await namesOf(q), ['Mary Smith-Jones'], q);
});

test('all words must match', async () => {
  for (const q of ['jose smith', 'abc 12u', 'mary 570006', 'jose jose jones', `mary ${jose.code}`])
    assert.deepEqual(await namesOf(q), [], q);
});

test('a word of fewer than three characters matches a beginning, and special characters are no wildcards', async () => {
  // No code has a U; a word of two other letters may begin one.
  for (const q of [
    'uk',
    'mary uk',
    '%',
    '_',
    '\\',
    '%%%',
    'jo%u',
    'j_u',

    '" OR U=U',
    "'",
    '@',
    '%@mail',
    'jo_brien@mail',
  ])
    assert.deepEqual(await namesOf(q), [], q);
});

test('a row has the customer, the cars, and the next booking, or the one whose code was typed', async () => {
  const later = await book({
    customerPhone: '0491 570 156',
    carRego: 'ZZ99X',
    bookingTime: '2031-03-04T22:30:00Z',
  });
  await change(later.id, { customerName: 'Mary Smith-Jones' });
  await app.drain();
  const [found, ...more] = await find('mary');
  assert.deepEqual(more, []);
  assert.deepEqual(
    [found?.customerId, found?.phone, found?.cars.map(({ rego }) => rego), found?.booking?.code],
    [smith.customerId, '+61491570156', ['ZZ99X', 'ZZ-99X'], smith.code],
  );
  assert.equal((await find(later.code))[0]?.booking?.bookingId, later.id);
});

test('without the right to see phones nobody is found by phone or e-mail, and none is returned', async () => {
  for (const q of [
    '0491570006',
    '570006',
    '+61491570006',
    'jo.brien@mail.example',
    'jose jo.brien@mail.example',
    'brien@',
  ])
    assert.deepEqual(await find(q, { seesPhones: false }), [], q);
  const [found] = await find('jose', { seesPhones: false });
  assert.deepEqual([found?.customerId, found?.phone, found?.email], [jose.customerId, null, null]);
  // A customer with a phone and nothing else.
  await db.transaction((tx) =>
    customerWithPhone(tx, {
      newId: crypto.randomUUID(),
      workshopId,
      phone: '+61491570157',
      now: clock.now(),
    }),
  );
  await app.drain();
  assert.deepEqual(await namesOf('0491570157'), ['+61491570157']);
  assert.deepEqual(await find('61491570157', { seesPhones: false }), []);
  // A customer whose name contains the phone; it is removed from the name that is shown.
  await book({ customerName: 'Ringo 0491 570 158', customerPhone: '0491 570 159' });
  await app.drain();
  for (const q of ['0491 570 158', '0491', 'ringo 158']) {
    assert.ok(
      (await namesOf(q)).some((name) => name?.startsWith('Ringo')),
      q,
    );
    assert.deepEqual(await find(q, { seesPhones: false }), [], q);
  }
  assert.equal((await find('ringo', { seesPhones: false })).length, 1);
});

test('a workshop finds no customers of another one, by whole words, beginnings or parts', async () => {
  const other = await linkedWorkshop(app, [partner]);
  for (const q of ['jose', 'bri', 'ukas', 'ABC123', '0491570006', jose.code])
    assert.deepEqual(await find(q, { workshopId: other }), [], q);
});

test('exact matches come first, then customers with a booking ahead, then the most recent', async () => {
  const on = (n: number, customerName: string, carRego: string, bookingTime: string) =>
    book({ customerName, carRego, bookingTime, customerPhone: `049157020${n}` });
  await on(1, 'Far Ahead Zud', 'QQ1', '2031-01-01T00:00:00Z');
  await on(2, 'Soon Zud', 'QQ2', '2030-06-01T00:00:00Z');
  const past = await on(3, 'Cancelled Zud', 'QQ3', '2030-05-01T00:00:00Z');
  assert.equal((await partner.call('POST', `/bookings/${past.id}/cancelled`, {})).status, 200);
  await on(4, 'By Rego', 'ZUD', '2033-01-01T00:00:00Z');
  await app.drain();
  assert.deepEqual(await namesOf('zud'), ['By Rego', 'Soon Zud', 'Far Ahead Zud', 'Cancelled Zud']);
  assert.deepEqual(await namesOf('zud', { limit: 2 }), ['By Rego', 'Soon Zud']);
  // The same when another word is the rarer one.
  await on(5, 'Rego Zudson', 'QQ5', '2030-05-01T00:00:00Z');
  await app.drain();
  assert.deepEqual(await namesOf('zud rego'), ['By Rego', 'Rego Zudson']);
});

test('a customer who is renamed, gets a new number or moves to another customer is found by the present data', async () => {
  const made = await book({ customerName: 'Olga Petrova', customerPhone: '0491570210', carRego: 'MOVE1' });
  await app.drain();
  await change(made.id, { customerName: 'Olga Ivanova', customerPhone: '0491570210' });
  await app.drain();
  assert.deepEqual([await namesOf('petrova'), await namesOf('ivanova')], [[], ['Olga Ivanova']]);
  await change(made.id, { customerName: 'Anna Karenina', customerPhone: '0491570211' });
  await app.drain();
  assert.deepEqual(
    [await namesOf(made.code), await namesOf('MOVE1')],
    [['Anna Karenina'], ['Anna Karenina']],
  );
  assert.deepEqual((await find('0491570210'))[0]?.booking, null);
});

test('changes without an event are found after the sweep, which writes nothing when nothing has changed', async () => {
  await sweepAll();
  await db.pool.query(`UPDATE customer SET name = 'Silent Nobody' WHERE id = $1`, [smith.customerId]);
  await db.pool.query(`UPDATE car SET rego = 'SILENT1' WHERE customer_id = $1 AND rego = 'ZZ99X'`, [
    smith.customerId,
  ]);
  assert.deepEqual(await namesOf('nobody'), []);
  assert.equal(await sweepAll(), 1);
  assert.deepEqual(await namesOf('nobody silent'), ['Silent Nobody']);
  assert.equal(await sweepAll(), 0);
  assert.equal((await readSearchState(db)).isFilled, true);
});

test('an existing database is searchable after the sweep, step by step, and reports until then that it is not filled', async () => {
  await db.pool.query(
    `TRUNCATE search_term, search_customer; UPDATE search_sweep SET is_filled = false, after = NULL`,
  );
  await db.pool.query(
    `INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Crowd ' || n, NULL, now(), now() FROM generate_series(1, 1200) n`,
    [workshopId],
  );
  assert.deepEqual(await readSearchState(db), { isFilled: false });
  assert.ok((await sweepAll()) >= 1_200);
  assert.equal((await readSearchState(db)).isFilled, true);
  assert.deepEqual(await namesOf('crowd 1077'), ['Crowd 1077']);
  assert.equal((await find('crowd')).length, 20);
});

test('an erased customer is not found from that commit on, even while the terms are being read again', async () => {
  const made = await book({ customerName: 'Gone Forgotten', customerPhone: '0491570212', carRego: 'GONE1' });
  await app.drain();
  const { promise, resolve } = Promise.withResolvers<void>();
  const keeping = db.transaction(async (tx) => {
    const { holdSearched, readSearched, writeTerms } = await import('./store.ts');
    await holdSearched(tx, [made.customerId]);
    const [row] = await readSearched(tx, [made.customerId]);
    await promise;
    assert.ok(row);
    await writeTerms(tx, [{ ...row, terms: [{ kind: 'name', term: 'forgotten' }] }]);
  });
  const erasing = eraseCustomer({ db, clock }, made.customerId, actors.operator);
  setTimeout(resolve, 100);
  await Promise.all([keeping, erasing]);
  for (const q of ['forgotten', 'GONE1', '0491570212', made.code, 'erased'])
    assert.deepEqual(await find(q), [], q);
  await app.drain();
  await sweepAll();
  const left = await db.query(`SELECT FROM search_term WHERE customer_id = $1`, [made.customerId]);
  assert.deepEqual([left.length, await namesOf('erased')], [0, []]);
});
