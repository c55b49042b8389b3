/** Long because one world serves all of it. A customer in the browser: read, tagged, opted out, corrected and texted; by whom, once, and over nothing that was not seen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { setAttendance } from '#product/bookings/staff/attendance.ts';
import { requireCustomer } from '#product/customers/store.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { baseOf, fieldsOf, peopleOf, type Shown, signedInPerson } from '../../../test/fixtures/office.ts';
import { settledFeed } from '../../../test/fixtures/settled-feed.ts';
import { staffWorld } from '../../../test/fixtures/walk-ins.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, workshopId, known, walkIn, newPhone, options } = await staffWorld();
const { context } = app;
const { db } = context;
const base = await baseOf(app, workshopId);
const people = await peopleOf(app, workshopId);
const { owner, adviser, technician, viewer } = people;
const { answer } = inboundWorld(app);

const pageOf = (customerId: string) => `${base}/customers/${customerId}`;
async function newCustomer(changes: object = {}) {
  const phone = newPhone();
  const booking = await known(phone, { customerName: 'Sam Taylor', ...changes });
  const { customerId } = booking;
  return {
    customerId: customerId as string,
    bookingId: booking.id as string,
    phone,
    page: pageOf(customerId),
  };
}
const read = (customerId: string) => requireCustomer(db, customerId);
const messagesTo = (customerId: string) =>
  db.query<{ body: string }>(`SELECT body FROM message WHERE customer_id = $1 AND direction = 'outbound'`, [
    customerId,
  ]);
function ledTo({ status, location, text }: Shown, path: string) {
  assert.equal(status, 303, text);
  assert.equal(location, path);
}

test('the page has contact, car, bookings with marks, messages, and how often nobody came', async () => {
  const sam = await newCustomer({
    customerName: '<i>Sam</i>',
    carRego: 'CUS100',
    customerEmail: 'sam@cust.example',
  });
  await setAttendance(context, {
    ...{ workshopId, bookingId: sam.bookingId, state: 'didNotCome', actor: options.actor },
  });
  await answer(sam.phone, 'Call me on 0491 570 999 or <u>x@y.example</u>');
  const { status, text } = await adviser.get(sam.page);
  assert.equal(status, 200);
  for (const part of [
    ...[
      '&lt;i&gt;Sam&lt;/i&gt;',
      `tel:${sam.phone}`,
      'sam@cust.example',
      'CUS100',
      '? To confirm',
      'Did not come once.',
    ],
    ...[
      `${base}/bookings/${sam.bookingId}`,
      '0491 570 999',
      '&lt;u&gt;x@y.example',
      'New booking',
      'Opt out',
      'Correct',
    ],
  ])
    assert.ok(text.includes(part), part);
  assert.doesNotMatch(text, /<i>Sam|<u>x|Opt in|Merge|Erase|Export/);
  const seen = await viewer.get(sam.page);
  assert.match(seen.text, /Sam/);
  assert.doesNotMatch(
    seen.text,
    /tel:|570 ?999|4915700|cust\.example|y\.example|Opt out|Correct|Message|What changed|New booking/,
  );
  assert.ok(!seen.text.includes(sam.phone.slice(3)));
  const bench = await technician.get(sam.page);
  assert.match(bench.text, /tel:/);
  assert.doesNotMatch(bench.text, /Opt out|Correct|New booking/);
});

test("another workshop's people and ids are answered with 404, and change nothing", async () => {
  const sam = await newCustomer();
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const stranger = await signedInPerson(app, [elsewhere]);
  const both = await signedInPerson(app, [workshopId, elsewhere]);
  const there = sam.page.replace(base, await baseOf(app, elsewhere));
  const before = await read(sam.customerId);
  for (const [by, page] of [
    [stranger, sam.page],
    [stranger, there],
    [both, there],
    [owner, pageOf('x')],
  ] as const) {
    for (const path of ['', '/correct', '/message'])
      assert.equal((await by.get(page + path)).status, 404, path);
    const form = { key: crypto.randomUUID(), version: '1', add: 'x', name: 'Y', message: 'Z' };
    for (const path of ['/tags', '/opt-out', '/correct', '/message'])
      assert.equal((await by.post(page + path, form)).status, 404, path);
  }
  assert.deepEqual(await read(sam.customerId), before);
});

test('a tag is added and taken away, each once; a form that is out of date changes nothing and says who did what', async () => {
  const sam = await newCustomer();
  const action = `${sam.page}/tags`;
  const form = { ...fieldsOf((await adviser.get(sam.page)).text, action), add: '<fleet>' };
  for (let times = 0; times < 2; times++) ledTo(await adviser.post(action, form), `${sam.page}?done=changed`);
  assert.deepEqual((await read(sam.customerId)).tags, ['<fleet>']);
  const late = await owner.post(action, { ...form, key: crypto.randomUUID(), add: 'late' });
  assert.equal(late.status, 422);
  assert.match(late.text, /Somebody changed this meanwhile/);
  assert.match(late.text, new RegExp(`${adviser.name}.*changed the tags`));
  assert.match(late.text, /name="add"[^>]*value="late"/);
  assert.deepEqual((await read(sam.customerId)).tags, ['<fleet>']);
  const wrong = await adviser.submit(sam.page, action, { add: '' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /must have 1 to 64 characters/);
  assert.match((await adviser.get(sam.page)).text, /value="&lt;fleet&gt;"/);
  ledTo(await adviser.submit(sam.page, action, { add: '', gone: '<fleet>' }), `${sam.page}?done=changed`);
  assert.deepEqual((await read(sam.customerId)).tags, []);
  assert.match((await adviser.get(sam.page)).text, /What changed/);
});

test('Opt out ends texts, and there is no way back here', async () => {
  const sam = await newCustomer();
  ledTo(await adviser.submit(sam.page, `${sam.page}/opt-out`), `${sam.page}?done=optedOut`);
  assert.ok((await read(sam.customerId)).optedOutAt);
  const { text } = await adviser.get(`${sam.page}?done=optedOut`);
  assert.match(text, /role="status">Opted out of SMS/);
  assert.match(text, /Opted out of SMS on/);
  assert.doesNotMatch(text, /Opt out|Opt in/);
  const sent = await adviser.submit(`${sam.page}/message`, `${sam.page}/message`, { message: 'Hello' });
  assert.equal(sent.status, 422);
  assert.deepEqual(await messagesTo(sam.customerId), []);
});

test('Correct changes the customer and, if asked, upcoming bookings; once, with the trail', async () => {
  const sam = await newCustomer({ customerEmail: 'sam@cust.example' });
  const action = `${sam.page}/correct`;
  const phone = newPhone();
  const typed = { name: 'Sam Tailor', phone: `0${phone.slice(3)}`, email: '', alsoUpcoming: 'yes' };
  const form = { ...fieldsOf((await adviser.get(action)).text, action), ...typed };
  for (let times = 0; times < 2; times++) ledTo(await adviser.post(action, form), `${sam.page}?done=changed`);
  const after = await read(sam.customerId);
  assert.deepEqual([after.name, after.phone, after.email], ['Sam Tailor', phone, null]);
  const { body } = await partner.call('GET', `/bookings/${sam.bookingId}`);
  assert.equal(body.booking.customer.name, 'Sam Tailor');
  await app.drain();
  await settledFeed(db, 'partner_event');
  const { body: heard } = await partner.call('GET', '/events?limit=200');
  const told = heard.events.filter(
    ({ booking }: { booking?: { id: string; customer: { name: string } } }) =>
      booking?.id === sam.bookingId && booking?.customer.name === 'Sam Tailor',
  );
  assert.equal(told.length, 1, 'its partner hears of the booking');
  const { text } = await owner.get(sam.page);
  assert.match(text, new RegExp(`${adviser.name}.*corrected the details.*Sam Taylor → Sam Tailor`));
  // What its sender has not seen is not written over.
  const late = await owner.post(action, { ...form, key: crypto.randomUUID(), name: 'Over it' });
  assert.equal(late.status, 422);
  assert.match(late.text, new RegExp(`${adviser.name}.*Sam Taylor → Sam Tailor`));
  assert.match(late.text, /value="Over it"/);
  assert.match(late.text, /name="alsoUpcoming" value="yes" checked/);
  assert.equal((await read(sam.customerId)).name, 'Sam Tailor');
  // Nor after what was typed wrong has been put right.
  const typo = await owner.post(action, { ...form, key: crypto.randomUUID(), name: 'Over it', email: 'x' });
  assert.match(typo.text, /id="email-error"/);
  const mended = { ...form, ...fieldsOf(typo.text, action), name: 'Over it' };
  assert.match((await owner.post(action, mended)).text, /Somebody changed this meanwhile/);
  assert.equal((await read(sam.customerId)).name, 'Sam Tailor');
});

test('a correction that is refused says why beside what was typed (specification: The console 5)', async () => {
  const [sam, ava] = [await newCustomer(), await newCustomer({ customerName: 'Ava' })];
  const action = `${sam.page}/correct`;
  const taken = await adviser.submit(action, action, { name: 'Sam', phone: ava.phone, email: 'nobody' });
  assert.equal(taken.status, 422);
  assert.match(taken.text, /id="email-error"/);
  const both = await adviser.submit(action, action, { name: 'Sam', phone: ava.phone, email: '' });
  assert.match(both.text, /id="phone-error">is the number of another customer/);
  assert.ok(both.text.includes(`value="${ava.phone}"`));
  const none = await adviser.submit(action, action, { name: '', phone: '', email: '' });
  assert.match(none.text, /id="name-error">is needed.*id="phone-error">is needed/s);
  assert.equal((await read(sam.customerId)).name, 'Sam Taylor');
});

test('without phones nobody sees or changes them, and a name with one stays as it is', async () => {
  const sam = await newCustomer({ customerName: 'Sam 0491 570 777', customerEmail: 'sam@cust.example' });
  const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
  for (const page of [`${base}/bookings/${sam.bookingId}`, `${base}/bookings?state=pending`])
    assert.doesNotMatch((await blind.get(page)).text, /570 ?777|cust\.example/, page);
  ledTo(
    await owner.submit(sam.page, `${sam.page}/tags`, { add: 'Ring 0491 570 777' }),
    `${sam.page}?done=changed`,
  );
  assert.doesNotMatch((await blind.get(sam.page)).text, /570 ?777/, 'a tag');
  const action = `${sam.page}/correct`;
  const { text } = await blind.get(action);
  assert.doesNotMatch(text, /570 ?777|name="phone"|name="email"/);
  const name = /name="name"[^>]*value="([^"]*)"/.exec(text)?.[1] ?? '';
  const form = { ...fieldsOf(text, action), name, phone: newPhone(), email: 'other@cust.example' };
  ledTo(await blind.post(action, form), `${sam.page}?done=changed`);
  const after = await read(sam.customerId);
  assert.deepEqual(
    [after.name, after.phone, after.email],
    ['Sam 0491 570 777', sam.phone, 'sam@cust.example'],
  );
  ledTo(
    await owner.submit(action, action, { name: 'Sam', phone: newPhone(), email: '' }),
    `${sam.page}?done=changed`,
  );
  assert.doesNotMatch((await blind.get(sam.page)).text, /491 ?57|cust\.example/);
});

test('who is called by their number is called nothing where it may not be seen', async () => {
  const phone = newPhone();
  const { customerId } = await sendOwnMessage(context, {
    ...{ workshopId, to: { phone }, bookingId: null, content: { text: 'Hello' }, actor: options.actor },
    ground: { reason: 'They called us' },
  });
  for (const page of [pageOf(customerId), `${base}/customers`]) {
    assert.match((await viewer.get(page)).text, /Name hidden/, page);
    assert.ok((await owner.get(page)).text.includes(phone), page);
  }
});

test('a customer without a booking is texted, with the reason why they may be; once', async () => {
  const phone = newPhone();
  await answer(phone, 'Are you open?');
  const [caller] = await db.query<{ id: string }>('SELECT id FROM customer WHERE phone = $1', [phone]);
  assert.equal(caller, undefined, 'an unknown number is nobody’s customer yet');
  const { customerId } = await newCustomer();
  await db.query('DELETE FROM booking WHERE customer_id = $1', [customerId]);
  const page = `${pageOf(customerId)}/message`;
  const asked = await adviser.submit(page, page, { message: 'We are open.' });
  assert.equal(asked.status, 422);
  assert.match(asked.text, /Why may this number be texted/);
  assert.match(asked.text, /We are open\./);
  const form = { ...fieldsOf(asked.text, page), message: 'We are open.', reason: 'They called us' };
  for (let times = 0; times < 2; times++)
    ledTo(await adviser.post(page, form), `${pageOf(customerId)}?done=sent`);
  assert.deepEqual(await messagesTo(customerId), [{ body: 'We are open.' }]);
  assert.match((await viewer.get(pageOf(customerId))).text, /We are open\./);
  assert.equal((await technician.get(page)).status, 403);
});

test('one who gave neither name nor phone is shown so; one who was erased is read, and not changed', async () => {
  const { customerId: unnamed } = await walkIn({ carRego: 'CUS200' });
  const { text } = await adviser.get(pageOf(unnamed));
  assert.match(text, /Name not given/);
  assert.doesNotMatch(text, /\/message"/);
  const sam = await newCustomer();
  await eraseCustomer({ db, clock: context.clock }, sam.customerId, options.actor);
  const gone = await adviser.get(sam.page);
  assert.equal(gone.status, 200);
  assert.match(gone.text, /were erased/);
  assert.doesNotMatch(gone.text, /Opt out|Correct|customer=|Add a tag/);
  assert.equal((await adviser.get(`${sam.page}/correct`)).status, 404);
});
