/** Streams hear of every change of their workshop, whoever makes it and by whatever process, and of none of another's. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { blockBays } from '#product/bookings/staff/block.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { receiveSms } from '#product/messaging/inbound/receive.ts';
import { reportAttempt } from '#product/sending/report/store.ts';
import { setDayNote } from '#product/workshops/day-notes/set.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { type OpenStream, openStream } from '../../../test/fixtures/event-stream.ts';
import { streamsAt } from '../../../test/fixtures/live.ts';
import { baseOf, fieldsOf, type Person, signedInPerson } from '../../../test/fixtures/office.ts';
import { roundRobin } from '../../../test/fixtures/round-robin.ts';
import { type SecondApp, secondApp } from '../../../test/fixtures/second-app.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { context } = app;
const { db } = context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const elsewhereId = await linkedWorkshop(app, [partner], { name: 'Elsewhere', phone: '0355509999' });
const base = await baseOf(app, workshopId);
let kim: Person;
let second: SecondApp;
/** Of a process each, of one workshop, and of another workshop. */
let here: OpenStream;
let there: OpenStream;
let elsewhere: OpenStream;

before(async () => {
  kim = await signedInPerson(app, [workshopId]);
  const zoe = await signedInPerson(app, [elsewhereId]);
  second = await secondApp(app);
  const path = `${base}/changes`;
  const proxy = await roundRobin([app, second]);
  here = await openStream(proxy.url, kim.cookie, path);
  there = await openStream(proxy.url, kim.cookie, path);
  elsewhere = await openStream(app.url, zoe.cookie, `${await baseOf(app, elsewhereId)}/changes`);
  for (const stream of [here, there, elsewhere]) await stream.says(/event: ready\ndata: \{\}\n\n/);
});

const both = (kind: string, id: string) => Promise.all([here, there].map((stream) => stream.hears(kind, id)));

async function made(path: string, body: object) {
  const answer = await partner.call('POST', path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}
const book = async (changes: object = {}) =>
  (await made('/bookings', bookingBody(workshopId, { skipNotification: true, ...changes }))).booking;

test('two processes behind a proxy serve one each (specification: The console 12)', async () => {
  assert.deepEqual([await streamsAt(app.url), await streamsAt(second.url)], [2, 1]);
});

test('it begins with its retry and with ready, as server-sent events that no proxy keeps back (specification: The console 12)', () => {
  assert.equal(here.status, 200);
  assert.match(here.text(), /^retry: 1000\n\nevent: ready\ndata: \{\}\n\n/);
  assert.match(String(here.headers['content-type']), /^text\/event-stream/);
  assert.equal(here.headers['cache-control'], 'no-store');
  assert.equal(here.headers['x-accel-buffering'], 'no');
});

test('a booking by a partner, its change by staff, and what its customer does on their page (specification: The console 12)', async () => {
  const { id, customerId } = await book();
  await both('booking', id);
  await both('customer', customerId);
  const page = `${base}/bookings/${id}`;
  // By the other process.
  const confirmed = await fetch(`${second.url}${page}/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: kim.cookie, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fieldsOf((await kim.get(page)).text, `${page}/confirm`)),
  });
  assert.equal(confirmed.status, 303);
  // At once, though its event is held for as long as it may be taken back.
  await both('booking', id);
  const manage = `/b/${await manageCode(db, id)}/cancel`;
  const question = String((await app.request('GET', manage)).body);
  const form = Object.fromEntries(
    [...question.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const cancelled = await fetch(`${app.url}${manage}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(form),
  });
  assert.equal(cancelled.status, 303);
  await both('booking', id);
});

test('attendance, by the booking', async () => {
  const { id } = await book();
  await both('booking', id);
  const page = `${base}/bookings/${id}`;
  const { text } = await kim.get(page);
  const { status } = await kim.post(`${page}/attendance`, {
    ...fieldsOf(text, `${page}/attendance`),
    state: 'here',
  });
  assert.equal(status, 303);
  await both('attendance', id);
});

test('quotes, calls and reminders of a partner', async () => {
  const customer = {
    customerName: 'Sam Taylor',
    customerPhone: '0491 570 006',
    customerEmail: 'sam@c.example',
  };
  const { quote } = await made('/quotes', {
    ...{ workshopId, ...customer, carRego: 'abc 123', services: [{ title: 'Brakes' }] },
    skipNotification: true,
  });
  await both('quote', quote.id);
  const { callLead } = await made('/leads/calls', {
    ...{ workshopId, callerPhone: '0491 570 006', outcome: 'missed' },
    calledAt: context.clock.now().toISOString(),
  });
  await both('call', callLead.id);
  const { serviceReminder } = await made('/reminders/services', {
    workshopId,
    customerPhone: '0491 570 006',
  });
  await both('reminder', serviceReminder.id);
});

test('texts: the answer of a customer, one that is sent, and one that fails later', async () => {
  const { customerId } = await book({ customerPhone: '0491 570 157' });
  const path = `/workshops/${workshopId}/messages`;
  await made(path, { phone: '0491 570 157', channels: { sms: { message: 'Your car is ready.' } } });
  await both('message', customerId);
  const [desk] = await db.query<{ phone: string }>('SELECT phone FROM workshop WHERE id = $1', [workshopId]);
  await receiveSms(context, 'recorded', {
    ...{ gatewayId: newId(), from: '+61491570157', to: desk?.phone ?? '', body: 'Thanks' },
  });
  await both('message', customerId);
  const [talk] = await db.query<{ id: string }>('SELECT id FROM conversation WHERE customer_id = $1', [
    customerId,
  ]);
  assert.ok(here.hints().some(({ kind, id }) => kind === 'message' && id === talk?.id));
});

test('a notice that its carrier could not deliver, long after it was sent', async () => {
  const { id, customerId } = await book({ customerPhone: '0491 570 159', skipNotification: false });
  await app.drain();
  const [notice] = await db.query<{ id: string; attemptId: string }>(
    `SELECT id, attempt_id FROM message WHERE booking_id = $1 AND audience = 'customer' AND channel = 'sms'`,
    [id],
  );
  assert.ok(notice);
  // As if it had been sent hours ago: no look goes back to its row.
  const long = newId().replace(/^.{8}/, '01000000');
  await db.query('ALTER TABLE message_attempt DROP CONSTRAINT message_attempt_message_id_fkey');
  await db.query('UPDATE message SET id = $2 WHERE id = $1', [notice.id, long]);
  await db.query('UPDATE message_attempt SET message_id = $2 WHERE message_id = $1', [notice.id, long]);
  // Whatever was said of it until now comes before these.
  for (let n = 0; n < 2; n++) await both('booking', (await book()).id);
  const whole = { state: 'undelivered', detail: null } as const;
  await reportAttempt(db, { reference: notice.attemptId, gateway: 'recorded', whole }, context.clock.now());
  await both('message', customerId);
});

test('the day: its note, closed bays and the set-up', async () => {
  const actor = actors.person(kim.personId, 'r-1');
  const by = { workshopId, actor };
  await setDayNote(context, { ...by, date: '2030-03-03', text: 'Fair', seen: 0 });
  await both('day', workshopId);
  await blockBays(context, workshopId, { from: '2030-03-03', to: '2030-03-04', reason: 'Fair' }, { actor });
  await both('day', workshopId);
  await importWorkshop(
    { db, clock: context.clock },
    JSON.stringify({ workshopId, settings: { bays: 3 } }),
    actor,
  );
  await both('day', workshopId);
});

test('what is set, and a customer; an erasure, which changes what it does not name, says all', async () => {
  await setWorkshop({ db, clock: context.clock }, workshopId, { colour: '#0a7d5a' }, actors.operator);
  await both('settings', workshopId);
  const { customerId } = await book({ customerPhone: '0491 570 158', customerName: 'Ann' });
  await both('customer', customerId);
  await setOptedOut({ db, clock: context.clock }, customerId, true, actors.operator);
  await both('customer', customerId);
  await eraseCustomer({ db, clock: context.clock }, customerId, actors.operator);
  await Promise.all([here, there].map((stream) => stream.says(/\[\{"kind":"all"\}\]/)));
});

test('of another workshop nothing is heard', async () => {
  const { booking } = await made('/bookings', bookingBody(elsewhereId, { skipNotification: true }));
  await elsewhere.hears('booking', booking.id);
  await both('booking', (await book()).id);
  const ofHere = new Set(elsewhere.hints().map(({ id }) => id));
  const [found] = await db.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM event WHERE workshop_id = $1 AND subject_id = ANY ($2)`,
    [workshopId, [...ofHere].filter((id) => id !== undefined)],
  );
  assert.equal(found?.n, 0);
  assert.ok(!here.text().includes(booking.id) && !there.text().includes(booking.id));
  for (const stream of [here, there, elsewhere])
    assert.doesNotMatch(stream.text(), /\+?61491|0491|Taylor|example/);
});
