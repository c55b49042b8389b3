/** Long because its tests share one workshop, with people who see phones and people who do not. */
/**
 * A booking whose number is a known customer's: by whoever does not see phones, who must not learn whose it is, and with another name than
 * theirs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { exportParts } from '#operation/export/export-customer.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { findCustomer, findCustomerByPhone } from '#product/customers/store.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { baseOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const base = await baseOf(app, workshopId);
const [owner, sees, blind, blindOwner] = await Promise.all([
  signedInPerson(app, [workshopId]),
  signedInPerson(app, [workshopId], 'adviser'),
  signedInPerson(app, [workshopId], 'adviser', { seesPhones: false }),
  signedInPerson(app, [workshopId], 'owner', { seesPhones: false }),
]);
const path = `${base}/bookings/new`;
let count = 0;

/** A known customer with a booking, a tag, a car and somebody who did not come. */
async function kim() {
  const [phone, rego] = [newPhone(), `KIM${++count}`];
  const body = bookingBody(workshopId, {
    customerPhone: phone,
    customerName: `Kim Doe${count}`,
    carRego: rego,
  });
  const made = await partner.call('POST', '/bookings', { ...body, skipNotification: true });
  assert.equal(made.status, 201);
  const { id, customerId } = made.body.booking;
  await db.query(`UPDATE customer SET tags = '{vip${count}}' WHERE id = $1`, [customerId]);
  return { phone, rego, customerId, bookingId: id as string, name: `Kim Doe${count}`, tag: `vip${count}` };
}
type Kim = Awaited<ReturnType<typeof kim>>;

const when = { date: '2031-03-03', time: '10:00', tell: 'yes' };
async function book(person: typeof blind, typed: Record<string, string>) {
  const { status, location, text } = await person.submit(path, path, {
    ...when,
    time: `1${count % 8}:00`,
    ...typed,
  });
  assert.equal(status, 303, text);
  const page = location?.split('?')[0] ?? '';
  const id = page.split('/').at(-1) ?? '';
  const [row] = await db.query<{ customerId: string; contactName: string; contactPhone: string }>(
    'SELECT customer_id, contact_name, contact_phone FROM booking WHERE id = $1',
    [id],
  );
  assert.ok(row);
  return { id, page, ...row };
}
const settled = async () => {
  await app.drain();
};
/** Nothing of a known customer. */
function assertNothingOf(text: string, { name, rego, customerId, bookingId, tag, phone }: Kim) {
  for (const word of [name, rego, customerId, bookingId, tag, phone, phone.slice(-6)])
    assert.ok(!text.includes(word), `${word} stands there`);
}

test("always: who does not see phones learns nothing of whose number it is (specification: The workshop's own bookings 8)", async () => {
  const known = await kim();
  const typed = { name: 'Pat Poe', phone: known.phone, rego: `PAT${count}` };
  const made = await book(blind, typed);
  assert.deepEqual([made.contactName, made.contactPhone], ['Pat Poe', known.phone]);
  await settled();
  const page = (await blind.get(made.page)).text;
  assertNothingOf(page, known);
  const link = /href="([^"]*\/customers\/[^"]*)"/.exec(page)?.[1] ?? '';
  const theirs = await blind.get(link);
  assert.equal(theirs.status, 200);
  assertNothingOf(theirs.text, known);
  assert.match(theirs.text, /aria-label="hidden"/, 'that there is a number is no secret');
  assert.deepEqual(
    [...theirs.text.matchAll(/\/bookings\/([0-9a-f-]{36})/g)].map(([, id]) => id),
    [made.id],
  );
  for (const { text } of [
    await blind.get(`${base}/find?q=${typed.rego}`),
    await blind.get(`${base}/find?q=Pat+Poe`),
    await blind.get(`${path}?rego=${typed.rego}`),
    await blind.get(`${made.page}/message`),
    await blind.get(`${made.page}/cancel`),
    await blind.get(`${link}/correct`),
    await blindOwner.get(`${link}/merge`),
    await blind.get(`${base}/today?date=${when.date}`),
  ])
    assertNothingOf(text, known);
  const list = (await blind.get(`${base}/customers`)).text;
  const rowOf = (id: string) => list.split('<tr').find((row) => row.includes(id)) ?? '';
  assert.match(rowOf(made.customerId), /Pat Poe/);
  assertNothingOf(rowOf(made.customerId), known);
  // Nor the other way round.
  for (const { text } of [
    await blind.get(`${base}/customers/${known.customerId}`),
    await blind.get(`${base}/find?q=${known.name.replace(' ', '+')}`),
    await blindOwner.get(`${base}/customers/${known.customerId}/erase`),
  ])
    for (const word of ['Pat Poe', typed.rego, made.id, made.customerId])
      assert.ok(!text.includes(word), `${word} stands with ${known.name}`);
  const talks = (await blind.get(`${base}/inbox?show=all`)).text;
  const ofKim = talks.split('<li').find((row) => row.includes(known.name)) ?? '';
  assert.ok(!ofKim.includes('Pat'));
});

test('who sees phones reads it with whose number it is; an export and an erasure reach it', async () => {
  const known = await kim();
  const made = await book(blind, { name: 'Ray Roe', phone: known.phone, rego: 'RAY001', make: 'Opel' });
  await settled();
  const page = (await sees.get(made.page)).text;
  assert.ok(page.includes(known.tag));
  const moved = await sees.get(`${base}/customers/${made.customerId}`);
  assert.deepEqual([moved.status, moved.location], [303, `${base}/customers/${known.customerId}`]);
  const theirs = (await sees.get(moved.location ?? '')).text;
  for (const word of [known.name, made.id, known.bookingId]) assert.ok(theirs.includes(word), word);
  const correct = /href="([^"]*)" aria-label="Correct RAY001"/.exec(theirs)?.[1] ?? assert.fail(theirs);
  assert.equal((await blind.get(correct)).status, 404);
  const [action = ''] = correct.split('?');
  const typed = { make: 'Vauxhall', alsoUpcoming: 'yes' };
  assert.equal((await sees.submit(correct, action, typed)).status, 303);
  assert.match((await blind.get(made.page)).text, /RAY001<\/strong> Vauxhall/);
  const rows = [];
  for await (const { section, rows: its } of exportParts(
    { db, replica: null },
    { workshopId, customerId: known.customerId },
  ))
    if (section.name === 'bookings') rows.push(...its);
  assert.equal(rows.length, 2);
  await eraseCustomer({ db, clock }, known.customerId, actors.operator);
  assert.equal((await findCustomer(db, made.customerId))?.erasedAt === null, false);
  const [left] = await db.query<{ contactName: string }>('SELECT contact_name FROM booking WHERE id = $1', [
    made.id,
  ]);
  assert.notEqual(left?.contactName, 'Ray Roe');
});

test('always: an opt-out of whose number it is holds, before and after, and is not undone alone', async () => {
  const known = await kim();
  const first = await book(blind, { name: 'Una Uoe', phone: known.phone });
  await settled();
  assert.equal(app.sms.to(known.phone).length, 1, 'told like anybody');
  await inboundWorld(app).answer(known.phone, 'STOP');
  await settled();
  assert.notEqual((await findCustomer(db, first.customerId))?.optedOutAt, null);
  app.sms.clear();
  const second = await book(blind, { name: 'Vic Voe', phone: known.phone });
  await settled();
  assert.notEqual((await findCustomer(db, second.customerId))?.optedOutAt, null);
  assert.deepEqual(app.sms.to(known.phone), []);
  const optIn = `${base}/customers/${second.customerId}/opt-in`;
  const refused = await blindOwner.submit(optIn, optIn, { how: 'On the phone', on: '2026-01-01' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /somebody who sees phone numbers/);
  await setOptedOut({ db, clock }, known.customerId, false, actors.operator);
  assert.equal((await findCustomer(db, first.customerId))?.optedOutAt, null);
  // What staff say of the one apart stays with them.
  const { text } = await blind.get(`${base}/customers/${first.customerId}`);
  assert.match(text, /opt-out/);
  await blind.submit(
    `${base}/customers/${first.customerId}`,
    `${base}/customers/${first.customerId}/opt-out`,
  );
  assert.notEqual((await findCustomer(db, first.customerId))?.optedOutAt, null);
  assert.equal((await findCustomer(db, known.customerId))?.optedOutAt, null);
});

test('always: a chosen customer with a typed number tells nothing either; without one they have the booking', async () => {
  const known = await kim();
  const typed = await book(blind, { customer: known.customerId, name: known.name, phone: known.phone });
  assert.notEqual(typed.customerId, known.customerId);
  const chosen = await book(blind, { customer: known.customerId, name: known.name, phone: '' });
  assert.deepEqual([chosen.customerId, chosen.contactPhone], [known.customerId, known.phone]);
  const again = await book(blind, { customer: typed.customerId, name: 'Wes Woe', phone: '' });
  assert.deepEqual([again.customerId, again.contactPhone], [typed.customerId, known.phone]);
  const other = await book(blind, { name: 'New Noe', phone: newPhone() });
  const page = (await blind.get(`${base}/customers/${other.customerId}`)).text;
  assert.match(page, /New Noe/, 'nobody had the number: an ordinary customer');
  const text = await blind.submit(`${typed.page}/message`, `${typed.page}/message`, {
    message: 'Hello',
    reason: 'Asked',
  });
  assert.equal(text.status, 303, text.text);
  await app.drain();
  assert.ok(app.sms.to(known.phone).some(({ body }) => body === 'Hello'));
  const [talk] = await db.query<{ id: string }>('SELECT id FROM conversation WHERE customer_id = $1', [
    typed.customerId,
  ]);
  const answer = (await blind.get(`${base}/inbox/${talk?.id}`)).text;
  assert.match(answer, /<textarea/, 'there is a number to answer to');
  for (const word of [known.customerId, known.bookingId, known.tag, known.phone])
    assert.ok(!answer.includes(word), word);
});

test('always: a customer apart who gets a number of their own is apart no longer, and what that number says is theirs alone', async () => {
  const known = await kim();
  const made = await book(blind, { name: 'Yan Yoe', phone: known.phone, rego: `YAN${count}` });
  await setOptedOut({ db, clock }, known.customerId, true, actors.operator);
  const own = newPhone();
  const theirs = await book(sees, { name: 'Yan Yoe', phone: own, customer: made.customerId });
  assert.deepEqual([theirs.customerId, theirs.contactPhone], [made.customerId, own]);
  assert.equal((await findCustomer(db, made.customerId))?.phone, own);
  assert.equal((await sees.get(`${base}/customers/${made.customerId}`)).status, 200, 'a page of their own');
  await settled();
  await inboundWorld(app).answer(own, 'START');
  await settled();
  assert.notEqual(
    (await findCustomer(db, known.customerId))?.optedOutAt,
    null,
    'somebody else has said STOP',
  );
  assert.equal((await findCustomer(db, made.customerId))?.optedOutAt, null);
  await inboundWorld(app).answer(own, 'STOP');
  await setOptedOut({ db, clock }, known.customerId, false, actors.operator);
  await settled();
  assert.notEqual((await findCustomer(db, made.customerId))?.optedOutAt, null, 'their own STOP stays');
});

test("a known customer keeps their name unless the form is told to change it; only who sees phones is asked (specification: The workshop's own bookings 7)", async () => {
  const known = await kim();
  const nameNow = async () => (await findCustomerByPhone(db, workshopId, known.phone))?.name;
  const asked = (await sees.get(`${path}?phone=${encodeURIComponent(known.phone)}&name=Lee`)).text;
  assert.match(asked, new RegExp(`Known as <bdi>${known.name}</bdi>`));
  assert.match(asked, /Keep that name[\s\S]*Change it/);
  const kept = await book(sees, { name: 'Lee Doe', phone: known.phone });
  assert.deepEqual(
    [kept.customerId, kept.contactName, await nameNow()],
    [known.customerId, 'Lee Doe', known.name],
  );
  await book(sees, { name: 'Lou Doe', phone: known.phone, knownName: 'keep' });
  assert.equal(await nameNow(), known.name);
  await book(owner, { name: 'Max Moe', customer: known.customerId, phone: '' });
  assert.equal(await nameNow(), known.name, 'nor a chosen one');
  assert.doesNotMatch((await blind.get(`${path}?customer=${known.customerId}`)).text, /Keep that name/);
  await book(blind, { name: 'Ann Aoe', customer: known.customerId, phone: '', knownName: 'change' });
  assert.equal(await nameNow(), known.name);
  await book(sees, { name: 'Kim Dow', phone: known.phone, knownName: 'change' });
  assert.equal(await nameNow(), 'Kim Dow');
  const texted = newPhone();
  await book(sees, { rego: 'ANON1', phone: texted });
  await book(sees, { name: 'Known Now', phone: texted });
  assert.equal(
    (await findCustomerByPhone(db, workshopId, texted))?.name,
    'Known Now',
    'one without a name takes it',
  );
  const body = bookingBody(workshopId, { customerPhone: known.phone, customerName: 'By Partner' });
  assert.equal((await partner.call('POST', '/bookings', body)).status, 201);
  assert.equal(await nameNow(), 'By Partner', 'bookings of partners go on as ever');
});
