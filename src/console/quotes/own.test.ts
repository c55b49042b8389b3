/** A quote of the workshop's own: made, priced and sent at once, for a customer whom it knows or not; of no partner, and seen by none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRecords } from '#platform/records/staff/store.ts';
import { findRecord } from '#platform/records/store.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { findCustomerByPhone, requireCustomer } from '#product/customers/store.ts';
import { sweepQuotes } from '#product/quotes/expire.ts';
import { quoteRecord } from '#product/quotes/record.ts';
import { acceptOwn } from '#product/quotes/staff/accept.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { staffWorld } from '../../../test/fixtures/walk-ins.ts';

const { app, workshopId, partner, known, newPhone, options } = await staffWorld();
const { context } = app;
const { db } = context;
const base = await baseOf(app, workshopId);
const { adviser, technician } = await peopleOf(app, workshopId);
const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
const mute = await signedInPerson(app, [workshopId], 'adviser', { mayText: false });
const path = `${base}/quotes/new`;

const lines = {
  ...{
    title1: 'Brake pads',
    quantity1: '2',
    price1: '94.50',
    title2: 'Labour',
    quantity2: '1.5',
    price2: '120',
  },
  ...{ validDays: '14', message: 'Both front wheels.', tell: 'yes' },
};
const idIn = (location: string | null) => /quotes\/([\da-f-]{36})/.exec(location ?? '')?.[1] ?? '';
const read = async (id: string) => {
  const quote = await findRecord(db, quoteRecord, { id });
  assert.ok(quote);
  return quote;
};
const eventsOf = (id: string) =>
  db.query<{ kind: string; partnerId: string | null; version: number }>(
    'SELECT kind, partner_id, version FROM event WHERE subject_id = $1 ORDER BY id',
    [id],
  );
async function made(phone: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const typed = { ...lines, phone, name: 'Noor Haddad', rego: 'own 001', email: 'noor@new.example', ...more };
  const answer = await adviser.submit(path, path, typed);
  assert.equal(answer.status, 303, answer.text);
  return idIn(answer.location);
}

test('always: it is made and sent by one commit: one quote, one event, one notice of each way, by a double click too (specification: Quotes 10)', async () => {
  const phone = newPhone();
  const form = { ...fieldsOf((await adviser.get(path)).text, path), ...lines };
  const typed = { ...form, phone, name: 'Noor Haddad', rego: 'own 001', email: 'noor@new.example' };
  const answers = await Promise.all([1, 2].map(() => adviser.post(path, typed)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  assert.equal(answers[0]?.location, answers[1]?.location);
  const quote = await read(idIn(answers[0]?.location ?? null));
  assert.deepEqual(
    [quote.status, quote.total, quote.partner, quote.car.rego, quote.customer.name, quote.message],
    ['quoted', 369, null, 'OWN001', 'Noor Haddad', 'Both front wheels.'],
  );
  // What is on the lines is what it is for.
  assert.deepEqual(
    quote.services.map(({ title }) => title),
    ['Brake pads', 'Labour'],
  );
  assert.deepEqual(await eventsOf(quote.id), [{ kind: 'quote.quoted', partnerId: null, version: 1 }]);
  await app.drain();
  assert.equal(app.sms.to(phone).length, 1);
  const page = (await adviser.get(`${base}/quotes/${quote.id}?done=priced`)).text;
  for (const part of ['Sent to the customer.', 'You: it is your own', 'Brake pads', 'noor@new.example'])
    assert.ok(page.includes(part), part);
  assert.match((await adviser.get(`${base}/quotes?filter=quoted`)).text, new RegExp(`quotes/${quote.id}`));
  const listed = { workshopId, before: null, states: undefined, filters: {}, limit: 50 };
  assert.deepEqual(
    (await listRecords(db, quoteRecord, listed)).map(({ id }) => id),
    [quote.id],
  );
});

test('always: no partner sees it: not in its list, feed, events, reports, nor by its id (specification: Quotes 10)', async () => {
  const id = await made(newPhone());
  await app.drain();
  for (const query of ['', '&updatedSince=2020-01-01T00:00:00Z'])
    assert.deepEqual((await partner.call('GET', `/quotes?workshopId=${workshopId}${query}`)).body.quotes, []);
  assert.equal((await partner.call('GET', `/quotes/${id}`)).status, 404);
  const { body } = await partner.call('GET', '/events');
  assert.doesNotMatch(JSON.stringify(body), new RegExp(id));
});

test('always: its customer sees it, and accepts: the booking is the workshop’s own, once, for whom it was made (specification: Quotes 10)', async () => {
  const phone = newPhone();
  const { customerId } = await known(phone, { customerName: 'Ava Nguyen', carRego: 'AVA001' });
  const id = await made(phone, { customer: customerId, name: 'Ava N', rego: 'AVA001' });
  const { code } = await read(id);
  const shown = await adviser.get(`/q/${code}`);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /Accept and choose a time/);
  assert.equal((await requireCustomer(db, customerId)).name, 'Ava Nguyen');
  const form = (await adviser.get(`${base}/quotes/${id}/accept?date=2030-03-06&time=09:30`)).text;
  assert.match(form, /booking \[code\] for AVA001 on [^<]* is confirmed\./);
  const accepted = await acceptOwn(context, {
    ...{ workshopId, quoteId: id, timezone: 'Australia/Melbourne', bookingTime: '2030-03-06 09:30' },
    ...{ notify: false, anyway: 'They come anyway', actor: options.actor },
  });
  const booking = await findRecord(db, bookingRecord, { id: accepted.bookingId ?? '' });
  assert.deepEqual([booking?.partnerId, booking?.customerId], [null, customerId]);
  // Nobody else has to confirm what the workshop has agreed on the phone.
  assert.equal(booking?.status, 'confirmed');
  assert.equal((await adviser.get(`/q/${code}`)).status, 200);
});

test('a quote that no SMS and no e-mail brings to its customer is not said to be sent', async () => {
  const phone = newPhone();
  const first = await made(phone);
  assert.match((await adviser.get(`${base}/quotes/${first}?done=priced`)).text, /Sent to the customer\./);
  await db.query('UPDATE customer SET opted_out_at = now() WHERE phone = $1', [phone]);
  const second = await made(phone, { email: '' });
  const { text } = await adviser.get(`${base}/quotes/${second}?done=priced`);
  assert.match(text, /Priced\. No SMS and no e-mail reaches the customer: tell them yourself\./);
  assert.doesNotMatch(text, /Sent to the customer/);
});

test('each bad field is named beside it, and nothing is made; the draft keeps what was typed and sends nothing', async () => {
  const bad = await adviser.submit(path, path, { phone: '12', title1: 'x', quantity1: '0', price1: '1' });
  assert.equal(bad.status, 422);
  for (const at of ['rego', 'phone', 'name', 'quantity1', 'validDays'])
    assert.match(bad.text, new RegExp(`href="#${at}"`), at);
  const fields = fieldsOf((await adviser.get(path)).text, path);
  const typed = { ...lines, name: 'Noor', rego: 'own 009', make: 'Mazda', model: '3' };
  const draft = await adviser.post(`${path}/draft`, { ...fields, ...typed, do: 'add' });
  assert.equal(draft.status, 200, draft.text);
  assert.match(draft.text, /name="title3"/);
  assert.match(draft.text, /value="Noor"/);
  assert.match(draft.text, /369/);
  assert.match(draft.text, /Mazda 3 \(OWN009\)/, 'as their page names the car');
});

test('always: whoever does not see phones quotes whom they have chosen, and no number that they type (specification: Quotes 10)', async () => {
  const phone = newPhone();
  const { customerId } = await known(phone, { customerName: 'Ava Nguyen', carRego: 'AVA777' });
  const typed = { ...lines, name: 'Someone', rego: 'NEW777', phone };
  const refused = await blind.submit(path, path, typed);
  assert.equal(refused.status, 422);
  assert.doesNotMatch(refused.text, /Ava/);
  const own = `${path}?customer=${customerId}`;
  const shown = (await blind.get(own)).text;
  assert.doesNotMatch(shown, /Mobile number|name="email"/);
  const sent = await blind.submit(own, path, { ...lines, name: 'Ava Nguyen', rego: 'AVA777' });
  assert.equal(sent.status, 303, sent.text);
  assert.equal((await read(idIn(sent.location))).customerId, customerId);
  assert.equal((await findCustomerByPhone(db, workshopId, phone))?.customerId, customerId);
});

test('always: it takes a role that changes bookings and may word texts', async () => {
  for (const by of [mute, technician]) {
    assert.equal((await by.get(path)).status, 403);
    assert.equal((await by.post(path, {})).status, 403);
    assert.equal((await by.post(`${path}/draft`, {})).status, 403);
  }
});

test('always: an ended one is asked for again by its customer: one request of the workshop’s own, of no partner, which is priced (specification: Quotes 10)', async () => {
  const phone = newPhone();
  const { customerId } = await known(phone, { customerName: 'Ava Nguyen', carRego: 'AGN001' });
  const id = await made(phone, { customer: customerId, name: 'Ava Nguyen', rego: 'AGN001' });
  const page = `${base}/quotes/${id}`;
  await adviser.submit(`${page}/decline`, `${page}/decline`);
  const ended = await read(id);
  assert.match((await adviser.get(`/q/${ended.code}`)).text, /Ask for a new quote/);
  await app.drain();
  app.email.clear();
  const answers = await Promise.all([1, 2, 3].map(() => adviser.post(`/q/${ended.code}/again`)));
  const [to, ...others] = new Set(answers.map(({ status, location }) => `${status} ${location}`));
  assert.deepEqual(others, []);
  assert.match(to ?? '', /^303 \/q\/[0-9A-Z]{10}$/);
  const rows = await db.query<{ id: string }>('SELECT id FROM quote WHERE customer_id = $1 ORDER BY id', [
    customerId,
  ]);
  assert.deepEqual([rows.length, rows[0]?.id], [2, id]);
  const fresh = await read(rows[1]?.id ?? '');
  assert.deepEqual(
    [fresh.status, fresh.partner, fresh.lines, fresh.services],
    ['requested', null, [], ended.services],
  );
  assert.deepEqual(await eventsOf(fresh.id), [{ kind: 'quote.requested', partnerId: null, version: 1 }]);
  assert.equal((await partner.call('GET', `/quotes/${fresh.id}`)).status, 404);
  await app.drain();
  assert.equal(app.email.sent.filter(({ subject }) => subject.startsWith('New quote request')).length, 1);
  const priced = await adviser.submit(
    `${base}/quotes/${fresh.id}`,
    `${base}/quotes/${fresh.id}/price`,
    lines,
  );
  assert.equal(priced.status, 303, priced.text);
  assert.equal((await read(fresh.id)).status, 'quoted');
});

test('it is priced again, declined and expires as any quote', async () => {
  const id = await made(newPhone());
  const page = `${base}/quotes/${id}`;
  const again = await adviser.submit(page, `${page}/price`, { ...lines, price1: '100' });
  assert.equal(again.status, 303, again.text);
  assert.equal((await read(id)).total, 380);
  assert.equal((await adviser.submit(`${page}/decline`, `${page}/decline`)).status, 303);
  const other = await made(newPhone());
  app.advance(15 * 86_400);
  await sweepQuotes(context);
  assert.equal((await read(other)).status, 'expired');
});
