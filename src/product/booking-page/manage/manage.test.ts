/** Looking up bookings, and the protection of pages that a code opens (specification: Booking page 3 and 4). */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { bookingWorld } from '../../../../test/fixtures/booking-api.ts';

const { app, workshopId, book } = await bookingWorld({ config: { trustProxy: true } });
const { db } = app.context;
await db.query(`UPDATE workshop SET slug = 'harbour', name = 'Harbour <b>& Sons</b>' WHERE id = $1`, [
  workshopId,
]);
const booking = await book();

beforeEach(() => db.query('DELETE FROM attempt'));

const page = (path: string, from = '192.0.2.1', headers: Record<string, string> = {}) =>
  app.request('GET', path, { headers: { 'x-forwarded-for': from, ...headers } });

async function sent(
  path: string,
  form: Record<string, string>,
  from = '192.0.2.1',
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${app.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': from, ...headers },
    body: new URLSearchParams(form),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const lookUp = (form: Record<string, string>, from?: string, headers?: Record<string, string>) =>
  sent('/book/harbour/manage', form, from, headers);

const phone = booking.customer.phone ?? '';

test('code and phone together lead to the booking, in any form that people write them', async () => {
  const code = await manageCode(db, booking.id);
  const typed = `${booking.code.slice(0, 4)}-${booking.code.slice(4)}`.toLowerCase();
  for (const form of [
    { code: booking.code, phone },
    { code: typed, phone: phone.replace('+61', '0') },
  ]) {
    const found = await lookUp(form);
    assert.deepEqual([found.status, found.headers.get('location')], [303, `/b/${code}`]);
  }
});

test('a wrong code, a wrong phone and a booking of another workshop get the same answer', async () => {
  const text = ({ body }: { body: string }) => /role="alert".*?<\/div>/s.exec(body)?.[0];
  const wrongPhone = await lookUp({ code: booking.code, phone: '0491570157' });
  const wrongCode = await lookUp({ code: '00000000', phone });
  assert.deepEqual([wrongPhone.status, wrongCode.status], [400, 400]);
  assert.equal(text(wrongPhone), text(wrongCode));
  assert.match(text(wrongCode) ?? '', /no booking/);
  assert.match(wrongCode.body, /<title>Error: /);
});

test('a field that is not filled in is named, and is no guess', async () => {
  for (let n = 0; n < 12; n++) assert.equal((await lookUp({ code: '12', phone })).status, 400);
  assert.match((await lookUp({ code: booking.code, phone: 'x' })).body, /id="phone-error"/);
  assert.equal((await lookUp({ code: booking.code, phone })).status, 303);
});

test('after ten wrong tries an hour from one address: 429 with the phone of the workshop, also for the right code (specification: Booking page 22)', async () => {
  for (let n = 0; n < 10; n++)
    assert.equal((await lookUp({ code: booking.code, phone: '0491570157' })).status, 400);
  const refused = await lookUp({ code: booking.code, phone });
  assert.equal(refused.status, 429);
  assert.match(refused.body, /Too many tries/);
  assert.match(refused.body, /tel:\+61/);
  const wait = Number(refused.headers.get('retry-after'));
  assert.ok(wait > 3_500 && wait <= 3_600, `Retry-After: ${wait}`);
  assert.equal((await lookUp({ code: booking.code, phone }, '192.0.2.2')).status, 303, 'another address');
  await db.query(
    `UPDATE attempt SET attempts = ARRAY(SELECT at - interval '1 hour' FROM unnest(attempts) at)`,
  );
  assert.equal((await lookUp({ code: booking.code, phone })).status, 303, 'an hour later');
});

/** Sets the count of wrong tries within the hour, for every counter with one. */
const failures = (count: number) =>
  db.query(`UPDATE attempt SET attempts = ARRAY(SELECT clock_timestamp() FROM generate_series(1, $1))`, [
    count,
  ]);

test('wrong links are bounded per address and over all addresses; the right one is answered all the same (specification: Booking page 21)', async () => {
  const path = `/b/${await manageCode(db, booking.id)}`;
  const statuses = await Promise.all(Array.from({ length: 14 }, () => page('/b/0000000000')));
  assert.deepEqual(
    [404, 429].map((wanted) => statuses.filter(({ status }) => status === wanted).length),
    [10, 4],
  );
  assert.equal((await page(path)).status, 200, 'from the address of the wrong ones');
  await failures(1_000);
  const [wrong, right] = await Promise.all([page('/b/0000000000', '192.0.2.4'), page(path, '192.0.2.4')]);
  assert.deepEqual([wrong.status, right.status], [429, 200]);
  assert.ok(Number(wrong.headers.get('retry-after')) > 3_500);
});

test('while others guess at a phone or a workshop an address has three tries in place of ten, and the right pair gets in (specification: Booking page 22)', async () => {
  const other = '0491570157';
  const right = { code: booking.code, phone };
  const statusesFrom = async (address: string, form: Record<string, string>, count: number) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n++) statuses.push((await lookUp(form, address)).status);
    return statuses;
  };
  const refusedAt = (count: number) => [...Array.from({ length: count }, () => 400), 429];

  // Twenty wrong codes for the phone, from several addresses.
  for (const address of ['192.0.2.11', '192.0.2.12'])
    assert.deepEqual(await statusesFrom(address, { code: '00000000', phone }, 11), refusedAt(10));
  assert.deepEqual(await statusesFrom('192.0.2.13', { code: '00000000', phone }, 4), refusedAt(3));
  assert.equal((await lookUp(right, '192.0.2.13')).status, 429, 'who has guessed gets no right pair either');
  assert.equal((await lookUp(right, '192.0.2.14')).status, 303, 'the customer, from elsewhere');
  await lookUp({ code: '00000000', phone }, '192.0.2.14');
  assert.equal((await lookUp(right, '192.0.2.14')).status, 303, 'who mistypes once');
  // Another phone is not affected.
  assert.deepEqual(await statusesFrom('192.0.2.15', { code: booking.code, phone: other }, 11), refusedAt(10));

  // A hundred at the workshop, with any phones.
  await db.query('DELETE FROM attempt');
  await lookUp({ code: '00000000', phone: other }, '192.0.2.16');
  await failures(100);
  assert.deepEqual(
    await statusesFrom('192.0.2.17', { code: '00000000', phone: '0491570158' }, 4),
    refusedAt(3),
  );
  assert.equal((await lookUp(right, '192.0.2.18')).status, 303);
});

test('the right link never counts, however often it is opened', async () => {
  const path = `/b/${(await manageCode(db, booking.id)).toLowerCase()}`;
  for (let n = 0; n < 12; n++) assert.equal((await page(path)).status, 200);
});

test('a page runs and loads its own files only, tells no site where the visitor was, and is in no search engine (specification: Booking page 17)', async () => {
  const { headers, body } = await page(`/b/${await manageCode(db, booking.id)}`);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[^']+'; /);
  assert.doesNotMatch(policy, /unsafe|https:|\*/);
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('x-robots-tag'), 'noindex');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.ok(body.includes('Harbour &lt;b&gt;&amp; Sons&lt;/b&gt;'));
  let bytes = Buffer.byteLength(body);
  for (const [, file] of body.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g)) {
    const { status, headers: its, body: content } = await page(file);
    assert.equal(status, 200, file);
    assert.match(its.get('cache-control') ?? '', /immutable/);
    bytes += Buffer.byteLength(content);
  }
  assert.ok(bytes < 50_000, `${bytes} bytes`);
});

test('a form of another site is refused', async () => {
  const form = { code: booking.code, phone };
  const from = (headers: Record<string, string>) => lookUp(form, '192.0.2.1', headers);
  assert.equal((await from({ 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await from({ origin: 'https://elsewhere.example' })).status, 403);
  assert.equal((await from({ origin: app.url })).status, 303);
  assert.equal((await from({ origin: 'null', 'sec-fetch-site': 'same-origin' })).status, 303);
});

test('unknown workshops and codes are a page with status 404', async () => {
  for (const path of [
    ...['/book/nobody/manage', '/book/%00', '/book/a%00b/manage', '/b/x', '/b/%00/move'],
    ...['/b/0000000000', '/b/0000000000/booking.ics'],
  ]) {
    const { status, headers, body } = await page(path);
    assert.equal(status, 404, path);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(body, /There is no such page/);
    assert.match(body, /phone number is in that message[\s\S]*href="\/b"[^>]*>Find your booking</, path);
  }
});

test('always: without a workshop a booking is found by its code and phone, and no wrong answer tells which codes exist (specification: Booking page 8)', async () => {
  const find = (form: Record<string, string>, address = '192.0.2.40') => sent('/b', form, address);
  const link = `/b/${await manageCode(db, booking.id)}`;
  for (const typed of [phone, `+61 ${phone.slice(3)}`, phone.replace('+61', '0')])
    assert.equal(
      (await find({ code: booking.code.toLowerCase(), phone: typed })).headers.get('location'),
      link,
    );
  // The booking's own code in place of its link's leads there too, filled in.
  const { body } = await page(`/b/${booking.code.toLowerCase()}`);
  assert.ok(body.includes(`href="/b?code=${booking.code}"`));
  assert.match(
    (await page(`/b?code=${booking.code}`)).body,
    new RegExp(`name="code"[^>]*value="${booking.code}"`),
  );
  const wrong = await Promise.all(
    [{ code: booking.code }, { code: '00000000' }].map((form) => find({ ...form, phone: '0491570157' })),
  );
  const [of, nobodys] = wrong.map(({ status, body: text }) => [
    status,
    text.replaceAll(booking.code, '00000000'),
  ]);
  assert.deepEqual(of, nobodys);
  assert.match(String(of?.[1]), /There is no booking with this code and phone number/);
  const missing = await find({ code: 'x', phone: '1' });
  assert.equal(missing.status, 400);
  assert.match(missing.body, /Enter the code[\s\S]*Enter the phone number that you booked with/);
});

test('always: guesses there are bounded with those at workshops, for codes that exist and others alike (specification: Booking page 8)', async () => {
  const other = '0491570158';
  const find = (code: string, address: string) => sent('/b', { code, phone: other }, address);
  for (let n = 0; n < 5; n++) await lookUp({ code: '00000000', phone: other }, '192.0.2.41');
  for (let n = 0; n < 5; n++) assert.equal((await find(booking.code, '192.0.2.41')).status, 400);
  for (const code of [booking.code, '00000000']) assert.equal((await find(code, '192.0.2.41')).status, 429);
  await failures(100);
  for (const [address, code] of [
    ['192.0.2.42', booking.code],
    ['192.0.2.43', '00000000'],
  ] as const) {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await find(code, address)).status);
    assert.deepEqual(statuses, [400, 400, 400, 429]);
  }
});

test('the calendar file has the time and the workshop, and nothing about the customer', async () => {
  const { status, headers, body } = await page(`/b/${await manageCode(db, booking.id)}/booking.ics`);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.match(body, /DTSTART:\d{8}T\d{6}Z/);
  assert.doesNotMatch(body, /ATTENDEE|@mail|Taylor/);
});
