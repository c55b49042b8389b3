/**
 * The limits on what visitors of the booking pages can trigger within an hour, over all processes, and what happens beyond each.
 */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { readStatus } from '#operation/status/read.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { type Notice, pageVisits } from '../../../test/fixtures/page-visits.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';

const config = { pageSmsCountries: ['NZ'] };
const { app, db, shop, anotherShop, newPhone, booked, move, post, use, pass, notices, bookings } =
  await pageVisits({ config });

beforeEach(async () => {
  await db.query('TRUNCATE page_use');
  app.sms.clear();
  app.email.clear();
});

const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);
const addressOf = (n: number) => `198.51.100.${n}`;
const toCustomer = ({ audience }: Notice) => audience === 'customer';

test('always: five bookings an hour to one phone; the next is refused, and asks to call the workshop (specification: Booking page 5 and 24)', async () => {
  const phone = newPhone();
  const other = await anotherShop();
  for (let n = 0; n < 5; n++) {
    const { status, text } = await (n % 2 ? shop : other).book(phone, {}, addressOf(n));
    assert.equal(status, 303, text);
  }
  for (const { book } of [shop, other]) {
    const refused = await book(phone, {}, addressOf(9));
    assert.equal(refused.status, 429);
    assert.match(refused.text, /This phone number has just got many messages.*[Pp]lease call/s);
    assert.match(refused.text, /href="tel:\+61/);
  }
  assert.equal((await shop.book(newPhone(), {}, addressOf(9))).status, 303);
  assert.equal(await bookings(phone), 5);
  await app.drain();
  assert.equal(app.sms.to(phone).length, 5);
  await pass(59);
  assert.equal((await shop.book(phone)).status, 429);
  await pass(2);
  assert.equal((await shop.book(phone)).status, 303);
});

test('a change of one’s own booking is made past the bound, and its notice fails as `pageCeiling` (specification: Booking page 5 and 24)', async () => {
  const phone = newPhone();
  const customerEmail = `kim.${phone.slice(1)}@mail.example`;
  const { id, path } = await booked({ customerPhone: phone, customerEmail });
  for (let n = 0; n < 7; n++) assert.equal((await move(id, addressOf(n))).status, 303);
  const [row] = await db.query<{ version: number }>('SELECT version FROM booking WHERE id = $1', [id]);
  assert.equal(row?.version, 8);
  const cancelled = await post(`${path}/cancel`, { version: '8' });
  assert.equal(cancelled.location, `${path}?done=cancelled`);
  const told = (await notices('booking_id = $1', [id])).filter(toCustomer);
  for (const channel of ['sms', 'email']) {
    const its = told.filter((notice) => notice.channel === channel);
    assert.equal(its.length, 8, channel);
    assert.deepEqual(
      its.slice(5).map(({ state, reason }) => [state, reason]),
      Array(3).fill(['failed', 'pageCeiling']),
    );
  }
  assert.deepEqual([app.sms.to(phone).length, app.email.to(customerEmail).length], [5, 5]);
  // The workshop is notified of every change.
  assert.equal(app.sms.sent.filter(({ body }) => body.startsWith('Moved by the customer')).length, 7);
  const [why] = await db.query<{ detail: string }>(
    `SELECT DISTINCT detail FROM message WHERE booking_id = $1 AND reason = 'pageCeiling'`,
    [id],
  );
  assert.match(why?.detail ?? '', /pages have sent as many messages as they may/);
});

test('always: e-mails to one mailbox are bounded by themselves: the booking is made, and told by SMS (specification: Booking page 24)', async () => {
  const phones = Array.from({ length: 7 }, newPhone);
  for (const [n, phone] of phones.entries()) {
    const customerEmail = n % 2 ? `victim+${n}@mail.example` : 'Victim@mail.example';
    assert.equal((await shop.book(phone, { customerEmail }, addressOf(n))).status, 303);
  }
  await app.drain();
  assert.equal(app.email.sent.filter(({ to }) => /victim/i.test(to)).length, 5);
  for (const phone of phones) assert.equal(app.sms.to(phone).length, 1);
});

test('a number of another country is refused, unless the operator lists it: then three an hour (specification: Booking page 24 and 26)', async () => {
  for (const foreign of ['+447400123456', '+881612345678', '+12015550123']) {
    const refused = await shop.book(foreign);
    assert.equal(refused.status, 400, foreign);
    assert.match(
      refused.text,
      /id="customerPhone-error"[\s\S]*is of another country: please call Harbour Motors/,
    );
    assert.equal(await bookings(foreign), 0);
  }
  const listed = '+6421123456';
  const answers = [];
  for (let n = 0; n < 4; n++) answers.push(await shop.book(listed, {}, addressOf(n)));
  assert.deepEqual(statuses(answers), [303, 303, 303, 429]);

  // A partner's booking of a foreign number may be changed.
  const { id } = await booked({ customerPhone: '+447400123456' });
  for (let n = 0; n < 5; n++) assert.equal((await move(id, addressOf(n))).status, 303);
  await app.drain();
  assert.deepEqual([app.sms.to(listed).length, app.sms.to('+447400123456').length], [3, 3]);
});

test('twenty changes an hour of one address and workshop, a hundred over all workshops, then 429 (specification: Booking page 5 and 23)', async () => {
  const other = await anotherShop();
  const { id, path } = await booked({ customerPhone: newPhone() });
  assert.equal((await move(id)).status, 303);
  await use('addressAtWorkshop', 18);
  assert.equal((await move(id)).status, 303);
  assert.equal((await shop.book(newPhone())).status, 303);
  const refused = [
    await shop.book(newPhone()),
    await move(id),
    await post(`${path}/cancel`, { version: '3' }),
  ];
  for (const { status, text } of refused) {
    assert.equal(status, 429);
    assert.match(text, /many bookings and changes from here/);
  }
  const [row] = await db.query('SELECT version, status FROM booking WHERE id = $1', [id]);
  assert.deepEqual(row, { version: 3, status: 'pending' });
  assert.equal((await shop.book(newPhone(), {}, '192.0.2.2')).status, 303);
  assert.equal((await other.book(newPhone())).status, 303);

  await db.query(
    `UPDATE page_use SET uses = array_fill(clock_timestamp(), ARRAY[99]) WHERE kind = 'address' AND cardinality(uses) > 1`,
  );
  assert.deepEqual(statuses([await other.book(newPhone()), await other.book(newPhone())]), [303, 429]);
  await pass(61);
  assert.equal((await shop.book(newPhone())).status, 303);
});

test('an IPv6 network of 64 bits is one address', async () => {
  await shop.book(newPhone(), {}, '2001:db8:1:2::1');
  await use('addressAtWorkshop', 20);
  const from = ['2001:db8:1:2:ffff::9', '2001:db8:1:3::1'];
  assert.deepEqual(
    statuses(await Promise.all(from.map((address) => shop.book(newPhone(), {}, address)))),
    [429, 303],
  );
});

test('always: past a workshop’s SMS of the hour bookings are told by e-mail alone, and the operator sees it (specification: Booking page 5 and 25)', async () => {
  const limited = await secondApp(app, {
    context: { config: { ...app.context.config, pageSmsPerWorkshop: 7 } },
  });
  const { workshopId, book } = await anotherShop({ name: 'Little Bay Tyres' });
  await setWorkshop(
    { db, clock: app.context.clock },
    workshopId,
    { notifyPhones: ['0491570156', '0491570157'] },
    actors.operator,
  );
  const used = async () => {
    const { body } = await limited.request('GET', '/metrics');
    return /^pitlane_pages_without_sms (.+)$/m.exec(body)?.[1];
  };
  assert.equal(await used(), '0');
  const phones = Array.from({ length: 4 }, newPhone);
  for (const [n, phone] of phones.entries()) {
    const { status, text } = await book(phone, {}, addressOf(n), limited.url);
    assert.equal(status, 303, text);
  }
  const sent = await notices('workshop_id = $1', [workshopId]);
  const smsOf = (notice: Notice) => `${notice.state} ${notice.reason}`;
  const sms = sent.filter(({ channel }) => channel === 'sms').map(smsOf);
  assert.deepEqual(sms.sort(), [...Array(6).fill('accepted null'), ...Array(6).fill('failed pageCeiling')]);
  const emails = sent.filter(({ channel }) => channel === 'email').map(smsOf);
  assert.deepEqual(emails, Array(8).fill('accepted null'));
  assert.deepEqual(
    phones.map((phone) => app.sms.to(phone).length),
    [1, 1, 0, 0],
  );
  assert.equal(await used(), '1');
  const { work } = await readStatus(db, { embedded: false, place: '' }, null);
  assert.deepEqual(work?.usedUpPages, [{ workshopId, workshop: 'Little Bay Tyres' }]);
  // Other workshops send as before, and so do partners.
  assert.equal((await shop.book(phones[2] ?? '', {}, addressOf(8), limited.url)).status, 303);
  await app.drain();
  assert.equal(app.sms.to(phones[2] ?? '').length, 1);
  await pass(61);
  assert.equal(await used(), '0');
});

test('always: what partners change themselves is bounded by none of these (specification: Booking page 26)', async () => {
  const phone = newPhone();
  for (let n = 0; n < 7; n++) await booked({ customerPhone: phone, skipNotification: false });
  await app.drain();
  assert.equal(app.sms.to(phone).length, 7);
  assert.deepEqual(await db.query('SELECT FROM page_use'), []);
});
