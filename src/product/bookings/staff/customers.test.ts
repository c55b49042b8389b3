/** Staff correct, tag, opt out and read customers; an outdated form overwrites nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { listTrail } from '#platform/audit/read/store.ts';
import { change } from '#platform/change/change.ts';
import { optOut } from '#product/customers/opt-out.ts';
import { requireCustomer } from '#product/customers/store.ts';
import { setTags } from '#product/customers/tags.ts';
import { readStaffCustomer } from '#product/messaging/staff/customer.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { changeWith } from '../../../../test/harness/change-with.ts';
import { linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { setAttendance } from './attendance.ts';
import { type CorrectCustomer, correctCustomer } from './correct-customer.ts';

const { app, partner, workshopId, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context } = app;
const { db } = context;
const actor = actors.person(newId(), 'r-1');
const other = await linkedWorkshop(app, [partner]);

const status = (expected: number) => (error: unknown) =>
  error instanceof Problem && error.status === expected;
const readBooking = async (id: string) => (await partner.call('GET', `/bookings/${id}`)).body.booking;

async function known(changes: Readonly<Record<string, unknown>> = {}) {
  const phone = newPhone();
  const bookingId = await book(phone, { skipNotification: true, customerName: 'Sam Taylor', ...changes });
  const { customerId } = await readBooking(bookingId);
  await app.drain();
  return { ...(await requireCustomer(db, customerId)), phone, bookingId };
}

const correct = (
  { customerId, version }: { readonly customerId: string; readonly version: number },
  changes: CorrectCustomer['changes'],
  more: Partial<CorrectCustomer> = {},
  by = context,
) =>
  correctCustomer(by, {
    ...{ workshopId, customerId, seen: version, changes, alsoUpcoming: false, actor, ...more },
  });

test('a correction changes the customer, and upcoming bookings only if asked; only the partners of those bookings get events (specification: The front desk 7 and 19)', async () => {
  const sam = await known();
  const { body: before } = await partner.call('GET', `/bookings/${sam.bookingId}`);
  const done = await book(sam.phone, { skipNotification: true });
  await partner.call('POST', `/bookings/${done}/completed`, {});
  const phone = newPhone();
  const alone = await correct(sam, { name: 'Sam Tailor', email: 'Sam@Tailor.example' });
  assert.deepEqual(
    [alone.customer.name, alone.customer.lastName, alone.customer.phone, alone.bookings],
    ['Sam Tailor', 'Tailor', sam.phone, []],
  );
  assert.deepEqual((await partner.call('GET', `/bookings/${sam.bookingId}`)).body, before);
  const [entry] = await listTrail(db, { workshopId, subjectId: sam.customerId, before: null, limit: 1 });
  assert.deepEqual(
    [entry?.action, entry?.before, entry?.after],
    [
      'customer.corrected',
      { name: 'Sam Taylor', email: 'sam@customer.example' },
      { name: 'Sam Tailor', email: 'Sam@Tailor.example' },
    ],
  );
  const corrected = await correct(
    alone.customer,
    { phone: `0${phone.slice(3)}`, name: 'Sam Tailor' },
    { alsoUpcoming: true },
  );
  assert.deepEqual([corrected.customer.phone, corrected.bookings], [phone, [sam.bookingId]]);
  const { customer, customerId } = await readBooking(sam.bookingId);
  assert.deepEqual(
    [customer.phone, customer.name, customer.email, customerId],
    [phone, 'Sam Tailor', before.booking.customer.email, sam.customerId],
  );
  assert.equal((await readBooking(done)).customer.phone, sam.phone);
  await app.drain();
  assert.deepEqual([app.sms.to(phone), app.sms.to(sam.phone)], [[], []]);
  const updated = await db.query(
    `SELECT kind, actor FROM event WHERE subject_id = ANY ($1::uuid[]) AND kind NOT IN ('booking.created', 'booking.completed') ORDER BY id`,
    [[sam.bookingId, sam.customerId, done]],
  );
  const by = `person ${actor.personId}`;
  assert.deepEqual(updated.map((event) => [event['kind'], event['actor']]).sort(), [
    ['booking.updated', by],
    ['customer.corrected', by],
    ['customer.corrected', by],
  ]);
  // The same values again change nothing.
  assert.equal((await correct(corrected.customer, { phone })).customer.version, corrected.customer.version);
});

test('a form of an older version, another workshop and an erased customer change nothing (specification: The front desk 7)', async () => {
  const sam = await known();
  // A booking with other details counts as a change; one with the same details does not.
  await book(sam.phone, { skipNotification: true, customerName: 'Sam Taylor' });
  assert.equal((await requireCustomer(db, sam.customerId)).version, sam.version);
  await book(sam.phone, { skipNotification: true, customerName: 'Samuel Taylor' });
  await assert.rejects(correct(sam, { name: 'Over it' }), status(412));
  const present = await requireCustomer(db, sam.customerId);
  assert.deepEqual([present.name, present.version], ['Samuel Taylor', sam.version + 1]);
  await assert.rejects(correct(present, { name: 'X' }, { workshopId: other }), status(404));
  await assert.rejects(correct({ ...present, customerId: newId() }, { name: 'X' }), status(404));
  const fault = () => Promise.reject(new Error('no key'));
  const work = (within: typeof context) => correct(present, { name: 'X' }, { alsoUpcoming: true }, within);
  await assert.rejects(changeWith(context, work, fault), /no key/);
  assert.deepEqual(await requireCustomer(db, sam.customerId), present);
  const races = await Promise.allSettled(
    ['A', 'B', 'C'].map((name) => correct(present, { name }, { alsoUpcoming: true })),
  );
  assert.equal(races.filter((each) => each.status === 'fulfilled').length, 1);
  await eraseCustomer({ db, clock: context.clock }, sam.customerId, actors.operator);
  const { version } = await requireCustomer(db, sam.customerId);
  await assert.rejects(correct({ ...sam, version }, { name: 'X' }), status(404));
});

test('a phone of another customer and an invalid name, phone or e-mail are refused, each fault named (specification: The front desk 7)', async () => {
  const [sam, ava] = [await known(), await known()];
  await assert.rejects(
    correct(sam, { phone: ava.phone }, { alsoUpcoming: true }),
    /another customer of this workshop/,
  );
  const faults = { name: ' ', phone: '12', email: 'nobody' };
  await assert.rejects(correct(sam, faults), (error) => {
    assert.ok(error instanceof InvalidInput);
    assert.deepEqual(error.errors.map(({ field }) => field).sort(), ['email', 'name', 'phone']);
    return true;
  });
  assert.deepEqual((await requireCustomer(db, sam.customerId)).version, sam.version);
  const none = await correct(sam, { email: '' }, { alsoUpcoming: true });
  assert.deepEqual([none.customer.email, (await readBooking(sam.bookingId)).customer.email], [null, null]);
});

test('a partner does not see corrections of details that it did not send (specification: The front desk 19)', async () => {
  const sam = await known();
  const stranger = await signedInPartner(app);
  await correct(sam, { email: 'private@home.example' });
  await app.drain();
  for (const each of [partner, stranger]) {
    const events = await each.call('GET', '/events?limit=200');
    assert.ok(!JSON.stringify(events.body).includes('private@home.example'));
    assert.ok(!JSON.stringify(events.body).includes('corrected'));
  }
});

test('tags and an opt-out belong to one workshop, and are idempotent', async () => {
  const { customerId } = await known();
  const tag = { customerId, add: ['vip'], remove: [], actor };
  await assert.rejects(setTags(context, { ...tag, workshopId: other }), status(404));
  assert.deepEqual((await setTags(context, { ...tag, workshopId })).tags, ['vip']);
  const fault = () => Promise.reject(new Error('no key'));
  const tagsThenFails = change(context, async ({ within }) => {
    await setTags(within, { ...tag, workshopId, add: ['x'] });
    return fault();
  });
  await assert.rejects(tagsThenFails, /no key/);
  await assert.rejects(optOut(context, { workshopId: other, customerId, actor }), status(404));
  const optOutThenFails = change(context, async ({ within }) => {
    await optOut(within, { workshopId, customerId, actor });
    return fault();
  });
  await assert.rejects(optOutThenFails, /no key/);
  assert.equal((await requireCustomer(db, customerId)).optedOutAt, null);
  const first = await optOut(context, { workshopId, customerId, actor });
  const again = await optOut(context, { workshopId, customerId, actor });
  assert.deepEqual([again.optedOutAt, again.tags], [first.optedOutAt, ['vip']]);
  assert.notEqual(first.optedOutAt, null);
});

test('a customer is read with cars, bookings, messages, and the number of no-shows', async () => {
  const { customerId, bookingId, phone } = await known();
  const later = await book(phone, { skipNotification: true, carRego: 'XYZ789' });
  await setAttendance(context, { workshopId, bookingId, state: 'didNotCome', actor });
  await answer(phone, 'Sorry!');
  await assert.rejects(readStaffCustomer(db, { workshopId: other, customerId }), status(404));
  await assert.rejects(readStaffCustomer(db, { workshopId, customerId: 'x' }), status(404));
  const read = await readStaffCustomer(db, { workshopId, customerId });
  assert.deepEqual(read.cars.map(({ rego }) => rego).sort(), ['ABC123', 'XYZ789']);
  assert.deepEqual(
    [new Set(read.bookings.map(({ id }) => id)), read.notCome],
    [new Set([bookingId, later]), 1],
  );
  assert.deepEqual(
    read.messages.map(({ body }) => body),
    ['Sorry!'],
  );
});
