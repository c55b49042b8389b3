/**
 * Booking again with the code of a reminder: `reminderCode` of POST /bookings, and /r/{code} (specification: Service reminders 6).
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { openLink } from '#product/booking-page/link/link.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertProblem, eventsOf, rowCounts } from '../../../test/fixtures/booking-api.ts';
import { keepSignedIn, reminderWorld } from '../../../test/fixtures/reminder-api.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { sendDueReminders } from './schedule/send-due.ts';

const { app, partner, workshopId, newPhone, remind, readReminder, reminderEvents, book } =
  await reminderWorld();
const { db, clock } = app.context;
const other = await signedInPartner(app, 'Other');
await keepSignedIn(app);
await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actors.operator);
const elsewhere = await linkedWorkshop(app, [partner], { name: 'Elsewhere' });

const bookWith = (reminderCode: unknown, changes: object = {}, by = partner, headers = {}) =>
  by.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { customerPhone: newPhone(), reminderCode, ...changes }),
    {
      headers,
    },
  );

test('the booking becomes newBookingId and the status booked, with the event, in the commit of the booking', async () => {
  const { serviceReminder } = await remind();
  const { code, id } = serviceReminder;
  const typed = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
  const { status, body } = await bookWith(typed);
  assert.equal(status, 201, JSON.stringify(body));
  const now = await readReminder(id);
  assert.deepEqual(
    [now.status, now.newBookingId, now.sentAt],
    ['booked', body.booking.id, serviceReminder.sentAt],
  );
  const last = (await reminderEvents(id)).at(-1);
  assert.deepEqual(
    [last?.kind, last?.version, last?.payload.serviceReminder],
    ['serviceReminder.booked', 3, now],
  );
  assert.deepEqual(
    (await eventsOf(app, body.booking.id)).map(({ kind }) => kind),
    ['booking.created'],
  );
});

test('a scheduled reminder can be booked too, and is then not sent (specification: Service reminders 5)', async () => {
  const customerPhone = newPhone();
  const sendAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
  const { serviceReminder } = await remind({ customerPhone, sendAt });
  assert.equal((await bookWith(serviceReminder.code)).status, 201);
  app.advance(2 * 86_400);
  await sendDueReminders(app.context);
  await app.drain();
  assert.deepEqual(
    app.sms.to(customerPhone).filter(({ body }) => body.includes(serviceReminder.code)),
    [],
  );
  const cancel = await partner.call('POST', `/reminders/services/${serviceReminder.id}/cancel`);
  assertProblem(cancel, 409, '080002');
});

test('400 names reminderCode: unknown, used, cancelled, of another partner or workshop; and nothing is written', async () => {
  const [used, mine] = [await remind(), await remind()];
  const sendAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
  const cancelled = await remind({ customerPhone: newPhone(), sendAt });
  await partner.call('POST', `/reminders/services/${cancelled.serviceReminder.id}/cancel`);
  assert.equal((await bookWith(used.serviceReminder.code)).status, 201);
  const before = await rowCounts(app);
  const { code } = mine.serviceReminder;
  for (const answer of [
    await bookWith('AAAAAAAA'),
    await bookWith('x'),
    await bookWith(7),
    await bookWith(used.serviceReminder.code),
    await bookWith(cancelled.serviceReminder.code),
    await bookWith(code, {}, other),
    await bookWith(code, { workshopId: elsewhere }),
  ]) {
    assertProblem(answer, 400, '000001', ['reminderCode']);
  }
  assertProblem(await bookWith('x', { customerPhone: '12' }), 400, '000001', [
    'customerPhone',
    'reminderCode',
  ]);
  assert.deepEqual(await rowCounts(app), before);
  assert.equal((await readReminder(code)).status, 'sent');
  for (const none of ['', null, undefined]) assert.equal((await bookWith(none)).status, 201);
});

test('two concurrent bookings with one code, in one batch and in several: one is made', async () => {
  for (const times of [2, 6]) {
    const { serviceReminder } = await remind();
    const answers = await Promise.all(Array.from({ length: times }, () => bookWith(serviceReminder.code)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      201,
      ...Array.from({ length: times - 1 }, () => 400),
    ]);
    const made = answers.find(({ status }) => status === 201);
    assert.equal((await readReminder(serviceReminder.id)).newBookingId, made?.body.booking.id);
  }
});

test('an Idempotency-Key replays the booking that was made with the code', async () => {
  const { serviceReminder } = await remind();
  const customerPhone = newPhone();
  const headers = { 'idempotency-key': 'rebook' };
  const [first, again] = [
    await bookWith(serviceReminder.code, { customerPhone }, partner, headers),
    await bookWith(serviceReminder.code, { customerPhone }, partner, headers),
  ];
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.body, first.body);
});

test('/r/{code} redirects to the booking page with the car, the first name and the code, and no other personal data', async () => {
  const { customer, customerId } = await book({ customerPhone: newPhone(), serviceCategory: 'service' });
  const { serviceReminder } = await remind({ customerId });
  const visit = (code: string) => fetch(`${app.url}/r/${code}`, { redirect: 'manual' });
  const answer = await visit(serviceReminder.code.toLowerCase());
  assert.equal(answer.status, 303);
  const to = answer.headers.get('location') ?? '';
  assert.match(to, /^\/book\/harbour-motors\?k=[\w-]+$/);
  const link = openLink(app.context, workshopId, to.split('k=')[1] ?? '');
  assert.deepEqual(link?.prefill, {
    rego: serviceReminder.car?.rego,
    serviceCategory: 'service',
    reminderCode: serviceReminder.code,
    reminded: { firstName: customer.firstName, car: `car ${serviceReminder.car?.rego}` },
  });
  const page = await (await fetch(app.url + to)).text();
  assert.match(page, /Hi <bdi>Sam<\/bdi>, your <bdi>car ABC123<\/bdi> is due for a service/);
  for (const secret of [customer.phone, customer.email, customer.lastName])
    assert.ok(!page.includes(secret ?? '?'));
  // After the code was used, the page books without it.
  await bookWith(serviceReminder.code);
  const later = (await visit(serviceReminder.code)).headers.get('location') ?? '';
  assert.equal(
    openLink(app.context, workshopId, later.split('k=')[1] ?? '')?.prefill.reminderCode,
    undefined,
  );
});

test('a page that was opened before the code was used still books, once for each form, without the code', async () => {
  const { serviceReminder } = await remind();
  const opened = await fetch(`${app.url}/r/${serviceReminder.code}`, { redirect: 'manual' });
  const link = new URL(opened.headers.get('location') ?? '', app.url);
  const from = new Date(clock.now().getTime() + 7 * 86_400_000).toISOString().slice(0, 10);
  const { body } = await partner.call('GET', `/workshops/${workshopId}/availabilities?from=${from}`);
  const times: string[] = body.days.flatMap(({ slots }: { slots: { time: string }[] }) =>
    slots.map(({ time }) => time),
  );
  const customerPhone = newPhone();
  const send = async (formId: string, time: string) => {
    const form = {
      ...{ k: link.searchParams.get('k') ?? '', category: 'service', formId, time },
      ...{ customerName: 'Kim Lee', customerPhone, customerEmail: 'kim@mail.example', carRego: '1AB2CD' },
    };
    const answer = await fetch(app.url + link.pathname, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
  };
  const first = await send('f1', times[0] ?? '');
  assert.equal(first.status, 303, first.text);
  const { newBookingId } = await readReminder(serviceReminder.id);
  const second = await send('f2', times[1] ?? '');
  assert.equal(second.status, 303, second.text);
  assert.equal((await send('f2', times[1] ?? '')).location, second.location);
  assert.equal((await readReminder(serviceReminder.id)).newBookingId, newBookingId);
  const [{ made } = { made: 0 }] = await db.query<{ made: number }>(
    `SELECT count(*)::int AS made FROM booking b JOIN customer c ON c.id = b.customer_id WHERE c.phone = $1`,
    [customerPhone],
  );
  assert.equal(made, 2);
});

test('guesses are limited: 404, then 429 after ten wrong codes within the hour; the right code still works', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push((await fetch(`${app.url}/r/AAAAAAA${n % 10}`)).status);
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 404), 429]);
  const { serviceReminder } = await remind();
  const right = await fetch(`${app.url}/r/${serviceReminder.code}`, { redirect: 'manual' });
  assert.equal(right.status, 303);
});
