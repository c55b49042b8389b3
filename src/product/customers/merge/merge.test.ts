/** Long because one world serves all its cases. */

/** Merging two customers (specification: Merging customers): partners read the same as before, staff read one customer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { listTrail } from '#platform/audit/read/store.ts';
import { setAttendance } from '#product/bookings/staff/attendance.ts';
import { correctCustomer } from '#product/bookings/staff/correct-customer.ts';
import { listConversations, listMessages } from '#product/messaging/inbox/store.ts';
import { readStaffCustomer } from '#product/messaging/staff/customer.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { setLink } from '#product/workshops/link.ts';
import { mergeWorld } from '../../../../test/fixtures/merged.ts';
import { useUpRate } from '../../../../test/fixtures/messaging.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { lookUpKnown } from '../known/look-up.ts';
import { findAsTyped } from '../search/find.ts';
import { requireCustomer } from '../store.ts';
import { setTags } from '../tags.ts';

const { app, partner, workshopId, customer, merge, optedOut, answer, walkIn, newPhone } = await mergeWorld();
const { context } = app;
const { db, clock } = context;
const actor = actors.operator;
const messages = `/workshops/${workshopId}/messages`;
const sms = (message: string) => ({ channels: { sms: { message } } });

test('partners: every id works as before, with the same ETag; so do a replay of a referenceId and a new booking (specification: Merging customers 1 and 2)', async () => {
  const older = await customer();
  const newer = await customer();
  const { call } = partner;
  const body = { workshopId, customerPhone: newer.phone, customerName: 'Q', services: [{ title: 'Brakes' }] };
  const quote = (await call('POST', '/quotes', { ...body, customerEmail: 'q@x.example', carRego: 'MRG 1' }))
    .body.quote;
  const asked = { workshopId, customerPhone: newer.phone, customerName: 'R', referenceId: 'rem' };
  const reminder = (await call('POST', '/reminders/services', asked)).body.serviceReminder;
  const text = { customerId: newer.customerId, referenceId: 'r-1', ...sms('Once') };
  const sent = await call('POST', messages, text);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  await app.drain();
  const paths = [
    ...[`/bookings/${newer.bookingId}`, `/quotes/${quote.id}`, `/reminders/services/${reminder.id}`],
    `${messages}/${sent.body.sms.messageId}`,
  ];
  const read = () =>
    Promise.all(
      paths.map(async (path) => {
        const { status, headers, body: shown } = await call('GET', path);
        return { status, etag: headers.get('etag'), shown };
      }),
    );
  const before = await read();
  const events = await db.query('SELECT FROM event');
  await merge(newer.customerId, older.customerId);

  assert.deepEqual(await read(), before);
  assert.equal((await db.query('SELECT FROM event')).length, events.length, 'partners hear nothing');
  const [, , , shown] = before;
  assert.equal(shown?.shown.message.customerId, newer.customerId);
  await db.query('DELETE FROM message_rate');
  assert.deepEqual((await call('POST', messages, text)).body, sent.body);
  const again = await call('POST', messages, { ...sms('Two'), phone: newer.phone, referenceId: 'r-2' });
  assert.deepEqual([again.status, app.sms.to(newer.phone).length], [200, 3]);
  const booked = await call('POST', '/bookings', {
    ...bookingBody(workshopId),
    ...{ customerPhone: newer.phone, skipNotification: true },
  });
  assert.equal(booked.body.booking.customerId, newer.customerId);
});

test('staff read one customer: bookings, cars, no-shows, messages, further numbers, Find, known callers (specification: Merging customers 5)', async () => {
  const older = await customer({ customerName: 'Olga Older', carRego: 'ONE 1' });
  const newer = await customer({
    customerName: 'Nia Newer',
    carRego: 'ONE 1',
    customerEmail: 'nia@x.example',
  });
  const twin = await walkIn({ customerName: 'Wal Kin', carRego: 'ONE 2' });
  await setAttendance(context, { workshopId, bookingId: newer.bookingId, state: 'didNotCome', actor });
  await answer(older.phone, 'From the first');
  await answer(newer.phone, 'From the second');
  // A chain: the newer with the walk-in, then both with the older.
  await merge(twin.customerId, newer.customerId);
  await merge(newer.customerId, older.customerId);
  await app.drain();

  for (const customerId of [older.customerId, newer.customerId, twin.customerId]) {
    const shown = await readStaffCustomer(db, { workshopId, customerId });
    assert.deepEqual(
      [shown.bookings.length, shown.notCome, shown.cars.map(({ rego }) => rego).sort()],
      [3, 1, ['ONE1', 'ONE2']],
    );
    assert.deepEqual(
      shown.messages.map(({ body }) => body),
      ['From the second', 'From the first'],
    );
  }
  const { furtherPhones, version } = await readStaffCustomer(db, {
    workshopId,
    customerId: older.customerId,
  });
  assert.deepEqual(furtherPhones, [newer.phone]);
  const changes = { phone: newer.phone };
  await assert.rejects(
    correctCustomer(context, {
      workshopId,
      customerId: older.customerId,
      seen: version,
      changes,
      alsoUpcoming: false,
      actor,
    }),
    { errors: [{ field: 'phone', message: 'is a further number of this customer already' }] },
  );

  const sought = { workshopId, limit: 20, seesPhones: true, now: clock.now() };
  for (const q of ['Olga', 'Newer', 'Kin', newer.phone, 'nia@x.example', 'ONE2', twin.code])
    assert.deepEqual(
      (await findAsTyped(db, { ...sought, q })).customers.map(({ customerId, name }) => [customerId, name]),
      [[older.customerId, 'Olga Older']],
      q,
    );
  for (const said of [{ phone: newer.phone }, { rego: 'ONE1' }, { rego: 'ONE2' }])
    assert.deepEqual(
      (await lookUpKnown(db, { workshopId, country: 'AU' }, said)).map(({ customerId }) => customerId),
      [older.customerId],
    );

  const inbox = () =>
    listConversations(db, {
      ...{ workshopId, filter: 'waiting', assignedTo: null, before: null, limit: 50 },
    });
  const theirs = (await inbox()).filter(({ customerId }) => customerId === older.customerId);
  assert.deepEqual(
    theirs.map(({ lastText, phone }) => [lastText, phone]),
    [['From the second', newer.phone]],
  );
  const [{ conversationId } = assert.fail()] = theirs;
  assert.equal((await listMessages(db, { conversationId, before: null, limit: 9 })).length, 2);
  // An answer to either number belongs to this customer.
  await sendOwnMessage(context, {
    ...{ workshopId, to: { customerId: older.customerId }, bookingId: null, content: { text: 'Yes' }, actor },
  });
  await app.drain();
  assert.ok(!(await inbox()).some(({ customerId }) => customerId === older.customerId));
});

test('missing values of the kept customer come from the other, and tags from both; the trail records it on both (specification: Merging customers 4)', async () => {
  const kept = await walkIn({ carRego: 'FIL 1' });
  const { customerId: goneId, phone } = await customer({
    customerName: 'Fay Filler',
    customerCompany: 'Fill Co',
  });
  await setTags(context, { workshopId, customerId: kept.customerId, add: ['a', 'b'], remove: [], actor });
  await setTags(context, { workshopId, customerId: goneId, add: ['b', 'c'], remove: [], actor });
  const { kept: after, merged } = await merge(goneId, kept.customerId);
  assert.deepEqual(
    [after.customerId, after.name, after.firstName, after.company, after.tags],
    [kept.customerId, 'Fay Filler', 'Fay', 'Fill Co', ['a', 'b', 'c']],
  );
  assert.deepEqual([merged.mergedInto, merged.phone, after.phone], [kept.customerId, phone, null]);
  for (const subjectId of [kept.customerId, goneId]) {
    const [entry] = await listTrail(db, { workshopId, subjectId, before: null, limit: 1 });
    assert.equal(entry?.action, 'customer.merged');
  }
  // A customer without a number of their own is reached at the other row's number.
  const sent = await sendOwnMessage(context, {
    ...{ workshopId, to: { customerId: kept.customerId }, bookingId: null, content: { text: 'Hi' }, actor },
  });
  assert.equal(sent.customerId, goneId);
});

test('a partner that knew one customer learns nothing of the other; of details that were filled in it sees only the phone (specification: Merging customers 4)', async () => {
  const other = await signedInPartner(app);
  await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actor);
  const phone = newPhone();
  const told = { customerPhone: phone, workshopId };
  const { body } = await other.call('POST', '/reminders/services', told);
  const keptId = body.serviceReminder.customerId;
  const gone = await customer({ customerName: 'Secret Sid', customerCompany: 'Hush Co' });
  await merge(keptId, gone.customerId);
  assert.equal((await requireCustomer(db, keptId)).name, 'Secret Sid');
  const { body: after } = await other.call('POST', '/reminders/services', told);
  assert.doesNotMatch(JSON.stringify(after), /Secret|Hush|cust\.example/);
  for (const path of [`/bookings/${gone.bookingId}`, `/reminders/services?customerId=${gone.customerId}`])
    assert.doesNotMatch(JSON.stringify((await other.call('GET', path)).body), /Secret|Hush/);
  // A call from the other's number: the partner has not dealt with that row.
  const call = {
    workshopId,
    callerPhone: gone.phone,
    calledAt: clock.now().toISOString(),
    outcome: 'missed',
  };
  assert.equal((await other.call('POST', '/leads/calls', call)).body.callLead.customerId, null);
});

test('an opt-out of either applies to both, before and after; STOP and START work from either number; the rate limit counts both as one (specification: Merging customers 3)', async () => {
  const [one, two, three] = [await customer(), await customer(), await customer()];
  const ids = [one, two, three].map(({ customerId }) => customerId);
  await answer(two.phone, 'STOP');
  await merge(one.customerId, two.customerId);
  await merge(two.customerId === ids[1] ? one.customerId : '', three.customerId);
  assert.deepEqual(await optedOut(...ids), [true, true, true]);
  await answer(three.phone, 'START');
  assert.deepEqual(await optedOut(...ids), [false, false, false]);
  await answer(one.phone, 'STOP');
  assert.deepEqual(await optedOut(...ids), [true, true, true]);
  for (const { customerId } of [one, two, three]) {
    const { body } = await partner.call('POST', messages, { customerId, ...sms('No') });
    assert.equal(body.sms.reason, 'optedOut', JSON.stringify(body));
  }
  await answer(two.phone, 'START');
  await db.query('DELETE FROM message_rate');
  await useUpRate(app, workshopId, one.phone);
  for (const named of [
    { customerId: three.customerId },
    { phone: two.phone },
    { customerId: one.customerId },
  ])
    assert.equal((await partner.call('POST', messages, { ...named, ...sms('Six') })).status, 429);
});

test('erasing one erases all: rows, texts, search terms (specification: Merging customers 7)', async () => {
  const one = await customer({ customerName: 'Zed Erasable' });
  const two = await customer({ customerName: 'Zed Erasable', customerEmail: 'zed@x.example' });
  await answer(two.phone, 'Zed here');
  await merge(one.customerId, two.customerId);
  await app.drain();
  const { bookings } = await eraseCustomer({ db, clock }, two.customerId, actor);
  assert.equal(bookings, 2);
  for (const table of [
    'customer',
    'booking',
    'message',
    'event',
    'search_term',
    'audit_entry',
    'message_rate',
  ])
    assert.deepEqual(
      await db.query(
        `SELECT FROM ${table} AS t WHERE t::text ~* 'erasable|zed here|zed@x|${one.phone.slice(1)}|${two.phone.slice(1)}'`,
      ),
      [],
      table,
    );
  // A later booking with the number creates another customer.
  const { body } = await partner.call('GET', `/bookings/${one.bookingId}`);
  assert.equal(body.booking.customer.name, 'Erased');
});

test('an impossible merge is refused, and changes nothing (specification: Merging customers 6)', async () => {
  const one = await customer();
  const two = await customer();
  const gone = await customer();
  const elsewhere = await linkedWorkshop(app, [partner]);
  await assert.rejects(merge(one.customerId, one.customerId), {
    errors: [{ field: 'with', message: 'is this customer themselves' }],
  });
  await assert.rejects(merge(one.customerId, newId()), { errorCode: '040001' });
  await assert.rejects(merge(one.customerId, 'nobody'), { errorCode: '040001' });
  await merge(one.customerId, two.customerId);
  await assert.rejects(merge(one.customerId, two.customerId), /was merged into/);
  await assert.rejects(merge(two.customerId, gone.customerId), /was merged into/);
  await eraseCustomer({ db, clock }, gone.customerId, actor);
  await assert.rejects(merge(one.customerId, gone.customerId), /was erased/);
  const { body } = await partner.call('POST', '/reminders/services', {
    ...{ workshopId: elsewhere, customerPhone: newPhone() },
  });
  await assert.rejects(merge(one.customerId, body.serviceReminder.customerId), { errorCode: '040001' });
  assert.deepEqual(await db.query('SELECT id FROM customer WHERE merged_into = $1', [one.customerId]), [
    { id: two.customerId },
  ]);
});
