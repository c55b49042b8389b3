/** GET /workshops/{id}/booking-url, and when its links end (specification: Booking page 1 and 2). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSealing } from '#base/sealing.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { assertProblem, bookingWorld } from '../../../../test/fixtures/booking-api.ts';
import { signedInPartner } from '../../../../test/harness/world.ts';
import { demoSetup } from '../../../operation/demo/setup.ts';
import { revokeBookingLinks } from './revoke.ts';

const { app, partner, workshopId } = await bookingWorld({
  config: { publicUrl: 'https://book.example' },
});
const { db, clock } = app.context;
await db.transaction((tx) => writeSetup(tx, workshopId, demoSetup(0), clock.now()));
const [service] = (await partner.call('GET', `/workshops/${workshopId}/services`)).body.services;

const ask = (query: Record<string, string> = {}, by = partner, of = workshopId) =>
  by.call('GET', `/workshops/${of}/booking-url?${new URLSearchParams(query)}`);

async function linkWith(query: Record<string, string> = {}): Promise<string> {
  const { status, body } = await ask(query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.url.replace('https://book.example', '');
}

const open = async (path: string) => {
  const { status, body } = await app.request('GET', path);
  return { status, text: String(body) };
};

async function assertEnded(path: string): Promise<void> {
  const { status, text } = await open(path);
  assert.equal(status, 403, text);
  assert.match(text, /This link to book has ended/);
  assert.match(text, /href="tel:\+61/);
}

test('without a person it lasts until it is revoked; with one for 30 days (specification: Booking page 10)', async () => {
  const button = (await ask()).body;
  assert.deepEqual(Object.keys(button), ['success', 'url', 'expiresAt']);
  assert.deepEqual([button.success, button.expiresAt], [true, null]);
  assert.match(button.url, /^https:\/\/book\.example\/book\/harbour-motors\?k=[\w-]{60,}$/);
  assert.equal((await ask({ serviceCategory: 'tyres', externalId: 'A 1' })).body.expiresAt, null);
  const personal: Record<string, string>[] = [
    { name: 'Kim' },
    { phone: '0491570006' },
    { email: 'k@mail.example' },
    { rego: '1AB' },
  ];
  for (const query of personal) {
    const before = clock.now().getTime();
    const lives = Date.parse((await ask(query)).body.expiresAt) - before;
    assert.ok(lives >= 30 * 86_400_000 && lives < 30 * 86_400_000 + 60_000, `${lives}`);
  }
  assert.equal((await open(await linkWith())).status, 200);
});

test('what a link fills in is not in its address (specification: Booking page 11)', async () => {
  const { url } = (
    await ask({ name: 'Kim Lee', phone: '0491570006', email: 'kim@mail.example', rego: '1AB2CD' })
  ).body;
  const readable = Buffer.from(new URL(url).searchParams.get('k') ?? '', 'base64url').toString('latin1');
  for (const secret of ['Kim', '570006', 'mail', '1AB2CD']) {
    assert.ok(!url.includes(secret) && !readable.includes(secret), secret);
  }
});

test('400 names the field (specification: Booking page 10)', async () => {
  const bad: Record<string, Record<string, string>> = {
    phone: { phone: '12' },
    email: { email: 'kim' },
    serviceCategory: { serviceCategory: 'paint' },
    catalogId: { catalogId: newId() },
    name: { name: 'x'.repeat(101) },
    rego: { rego: 'x'.repeat(33) },
  };
  for (const [field, query] of Object.entries(bad)) assertProblem(await ask(query), 400, '000001', [field]);
  assertProblem(await ask({ catalogId: 'x' }), 400, '000001', ['catalogId']);
});

test('401 without a token, 404 for a workshop of others, 403 while the link or the page is off (specification: Booking page 10)', async () => {
  const path = `/workshops/${workshopId}/booking-url`;
  assertProblem(await app.request('GET', path), 401, '010000');
  const stranger = await signedInPartner(app, 'Stranger');
  assertProblem(await ask({}, stranger), 404, '030001');
  assertProblem(await ask({}, partner, newId()), 404, '030001');
  assertProblem(await ask({}, partner, 'x'), 404, '030001');
  const set = (column: string, table: string, value: boolean) =>
    db.query(`UPDATE ${table} SET ${column} = $1`, [value]);
  const path2 = await linkWith();
  await set('active', 'link', false);
  assertProblem(await ask(), 403, '000004');
  await assertEnded(path2);
  await set('active', 'link', true);
  await set('booking_page', 'workshop', false);
  assertProblem(await ask(), 403, '000003');
  await assertEnded(path2);
  await set('booking_page', 'workshop', true);
  assert.equal((await open(path2)).status, 200);
});

test('the page of a suspended partner, and one whose links were revoked, says so with the phone (specification: Booking page 11)', async () => {
  const path = await linkWith();
  await db.query(`UPDATE partner SET status = 'suspended' WHERE id = $1`, [partner.partnerId]);
  await assertEnded(path);
  await db.query(`UPDATE partner SET status = 'active' WHERE id = $1`, [partner.partnerId]);
  assert.equal((await open(path)).status, 200);
  await revokeBookingLinks({ db, clock }, { workshopId, partnerId: partner.partnerId }, actors.operator);
  await assertEnded(path);
  assert.equal((await open(await linkWith())).status, 200, 'a new one works');
});

test('a link for a service or a category begins with its times; for one that is gone, with the services', async () => {
  const first = async (query: Record<string, string>) =>
    /<h1>([^<]*)</.exec((await open(await linkWith(query))).text)?.[1];
  assert.equal(await first({}), 'What can we do for your car?');
  assert.equal(await first({ catalogId: service._id }), 'When can you bring it?');
  assert.equal(await first({ serviceCategory: 'tyres' }), 'When can you bring it?');
  const path = await linkWith({ catalogId: service._id });
  await db.query('UPDATE catalogue_service SET active = false WHERE id = $1', [service._id]);
  assert.match((await open(path)).text, /What can we do for your car\?/);
  await db.query('UPDATE catalogue_service SET active = true WHERE id = $1', [service._id]);
});

test('a changed, a foreign and an expired link end; without a link there is a page only where the workshop has a plain one (specification: Booking page 11 and 12)', async () => {
  const path = await linkWith();
  const at = path.length - 5;
  await assertEnded(path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1));
  await assertEnded(path.slice(0, -9));
  const other = createSealing([Buffer.alloc(32, 9)]).seal('bookingLink', '{}', workshopId);
  await assertEnded(`/book/harbour-motors?k=${other}`);
  const personal = await linkWith({ name: 'Kim' });
  app.advance(30 * 86_400 - 60);
  assert.equal((await open(personal)).status, 200);
  app.advance(120);
  await assertEnded(personal);
  await db.query('UPDATE workshop SET plain_page = false WHERE id = $1', [workshopId]);
  const without = await open('/book/harbour-motors');
  assert.equal(without.status, 404);
  assert.match(without.text, /href="tel:[\s\S]*href="\/book\/harbour-motors\/manage"/);
  assert.doesNotMatch((await open(personal)).text, /Book a time/);
  await db.query('UPDATE workshop SET plain_page = true WHERE id = $1', [workshopId]);
  assert.equal((await open('/book/harbour-motors')).status, 200);
  assert.match(
    (await open(personal)).text,
    /class="button primary" href="\/book\/harbour-motors">Book a time</,
  );
  assert.equal((await open('/book/nobody?k=x')).status, 404);
});
