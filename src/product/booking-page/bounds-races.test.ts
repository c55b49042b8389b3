/** The limits of pages under concurrent forms, over two processes; and what does not count. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { untilBlocked } from '../../../test/fixtures/booking-api.ts';
import { pageVisits } from '../../../test/fixtures/page-visits.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';

const { app, db, shop, newPhone, booked, move, post, use, bookings } = await pageVisits();
const second = await secondApp(app);

beforeEach(() => db.query('TRUNCATE page_use'));

const addressOf = (n: number) => `198.51.100.${n}`;

test('always: forms at once, over two processes: exactly as many pass as the bounds allow (specification: Booking page 5 and 23)', async () => {
  const phone = newPhone();
  const at = (n: number) => (n % 2 ? app.url : second.url);
  const many = <T>(length: number, of: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length }, (_, n) => of(n)));
  const toOne = await many(16, (n) => shop.book(phone, {}, addressOf(n), at(n)));
  assert.deepEqual(toOne.map(({ status }) => status).sort(), [...Array(5).fill(303), ...Array(11).fill(429)]);
  assert.equal(await bookings(phone), 5);

  // Bookings and moves of one customer.
  const own = newPhone();
  const ids = await many(6, async () => (await booked({ customerPhone: own })).id);
  await many(12, (n) =>
    n % 2 ? move(ids[n >> 1] ?? '', addressOf(n), at(n >> 1)) : shop.book(own, {}, addressOf(n), at(n >> 1)),
  );
  await app.drain();
  assert.deepEqual([app.sms.to(phone).length, app.sms.to(own).length], [5, 5]);
});

test('always: changes that wait for the same count, and for nothing else, are judged one after the other', async () => {
  const paths: string[] = [];
  // Bookings of one day would wait for each other's places; cancellations do not.
  for (let n = 0; n < 7; n++) paths.push((await booked({ customerPhone: newPhone() })).path);
  const cancel = (path = '', n = 0) =>
    post(`${path}/cancel`, { version: '1' }, undefined, n % 2 ? app.url : second.url);
  assert.equal((await cancel(paths.shift())).status, 303);
  await db.query(`UPDATE page_use SET uses = array_fill(clock_timestamp(), ARRAY[18])`);
  const { sent } = await db.transaction(async (tx) => {
    await tx.query('SELECT FROM page_use FOR UPDATE');
    const all = paths.map(cancel);
    await untilBlocked(app, all.length);
    return { sent: all };
  });
  assert.deepEqual(
    (await Promise.all(sent)).map(({ status }) => status).sort(),
    [303, 303, 429, 429, 429, 429],
  );
});

test('always: a form that is sent again, a time that is taken and a form with a fault count nothing (specification: Booking page 23)', async () => {
  const full = async () => {
    const [row] = await db.query<{ sum: number }>(
      `SELECT coalesce(sum(cardinality(uses)), 0)::int AS sum FROM page_use WHERE kind = 'address'`,
    );
    return row?.sum;
  };
  const phone = newPhone();
  const again = await Promise.all([1, 2, 3].map(() => shop.book(phone, { formId: 'again' })));
  assert.deepEqual([new Set(again.map(({ location }) => location)).size, await full()], [1, 1]);
  assert.equal(
    (await shop.book(newPhone(), { time: `${shop.times[0]?.slice(0, 10)}T14:07:00Z` })).status,
    409,
  );
  assert.equal((await shop.book(newPhone(), { customerName: '' })).status, 400);
  assert.equal(await full(), 1);

  // Each move up to the limit is sent twice concurrently.
  const { id, path } = await booked({ customerPhone: newPhone() });
  await use('address', 16);
  await use('addressAtWorkshop', 16);
  for (let version = 1; version <= 4; version++) {
    const form = { version: String(version), time: shop.times[6 + (version % 8)] ?? '' };
    const sent = await Promise.all(
      [app.url, second.url].map((at) => post(`${path}/move`, form, undefined, at)),
    );
    for (const { status, location, text } of sent)
      assert.deepEqual([status, location], [303, `${path}?done=moved`], text);
  }
  assert.equal(await full(), 20);
  assert.equal((await shop.book(phone, { formId: 'again' })).location, again[0]?.location);
  assert.equal((await move(id)).status, 429);
});
