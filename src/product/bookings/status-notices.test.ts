/** Who is notified of a status, and with which texts (specification: Notices 5). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { publishedTemplate } from '../../../test/fixtures/templates.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, partner, book, change } = await bookingWorld();
const desk = { phone: '+61355501234', email: 'desk@harbour.example' };
let people = 0;

/** A booking of a new customer, made without notices. */
async function quietBooking(changes: Readonly<Record<string, unknown>> = {}) {
  const n = ++people;
  const phone = `+6149157${1000 + n}`;
  const email = `sam${n}@customer.example`;
  const booking = await book({
    customerPhone: phone,
    customerEmail: email,
    skipNotification: true,
    ...changes,
  });
  await app.drain();
  return { ...booking, phone, email };
}

async function become(id: string, status: string, body: object = {}): Promise<void> {
  const answer = await partner.call('POST', `/bookings/${id}/${status}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

const textsTo = (phone: string) => app.sms.to(phone).map(({ body }) => body);
const aboutTo = (address: string, code: string) =>
  app.email.to(address).filter(({ text }) => text.includes(code));

test('confirmed: the customer is notified by SMS and e-mail; the calendar entry is CONFIRMED', async () => {
  const { id, code, phone, email } = await quietBooking();
  await become(id, 'confirmed');
  await app.drain();
  assert.match(textsTo(phone).join(), new RegExp(`your booking ${code} for ABC123 .* is confirmed`));
  const [mail, ...more] = aboutTo(email, code);
  assert.deepEqual(more, []);
  assert.match(mail?.subject ?? '', /^Confirmed: /);
  const calendar = mail?.calendar;
  assert.equal(calendar?.method, 'REQUEST');
  assert.match(calendar?.content ?? '', /^STATUS:CONFIRMED\r$/m);
  assert.match(calendar?.content ?? '', new RegExp(`^UID:booking-${id}@pitlane\\r$`, 'm'));
  assert.match(calendar?.content ?? '', /^SEQUENCE:2\r$/m);
  assert.deepEqual(
    textsTo(desk.phone).filter((text) => text.includes(code)),
    [],
  );
  assert.deepEqual(aboutTo(desk.email, code), []);
});

test('cancelled: customer and workshop are notified by both channels, with the reason; the calendar entry is removed', async () => {
  const { id, code, phone, email } = await quietBooking();
  await become(id, 'cancelled', { reason: 'The lift is broken' });
  await app.drain();
  assert.match(textsTo(phone).join(), /is cancelled\. Reason: The lift is broken\. Questions/);
  const [mail] = aboutTo(email, code);
  assert.match(mail?.subject ?? '', /^Cancelled: /);
  assert.match(mail?.text ?? '', /Reason: The lift is broken/);
  assert.equal(mail?.calendar?.method, 'CANCEL');
  assert.match(mail?.calendar?.content ?? '', /^STATUS:CANCELLED\r$/m);
  const [toDesk] = textsTo(desk.phone).filter((text) => text.includes(code));
  assert.match(toDesk ?? '', /^Cancelled: booking .*The lift is broken/);
  assert.equal(aboutTo(desk.email, code).length, 1);
});

test('completed: nobody is notified; with skipNotification nobody is notified of any status', async () => {
  const completed = await quietBooking();
  await become(completed.id, 'completed');
  const silent = await quietBooking();
  await become(silent.id, 'confirmed', { skipNotification: true });
  await become(silent.id, 'cancelled', { skipNotification: true, reason: 'Quietly' });
  await app.drain();
  for (const { phone, email, code } of [completed, silent]) {
    assert.deepEqual([textsTo(phone), aboutTo(email, code), aboutTo(desk.email, code)], [[], [], []]);
  }
});

test('a workshop’s own texts replace the default texts (specification: Notices 6)', async () => {
  const { db, clock } = app.context;
  const own = await linkedWorkshop(app, [partner], { name: 'Own Texts' });
  for (const [purpose, subject, body] of [
    ['bookingConfirmed.customer.sms', null, 'See you {{ booking.date }}, {{ customer.firstName }}!'],
    ['bookingCancelled.customer.email', 'Gone: {{ booking.code }}', 'Because: {{ booking.cancelReason }}'],
  ] as const) {
    await publishedTemplate(
      { db, clock },
      {
        workshopId: own,
        ...{ name: purpose, purpose, body },
        ...(subject === null ? {} : { subject }),
      },
    );
  }
  const { id, code, phone, email } = await quietBooking({ workshopId: own });
  await become(id, 'confirmed');
  await become(id, 'cancelled', { reason: 'It rains' });
  await app.drain();
  assert.equal(textsTo(phone)[0], 'See you Sun 3 Mar 2030, Sam!');
  const mail = app.email.to(email).find(({ subject }) => subject === `Gone: ${code}`);
  assert.match(mail?.text ?? '', /^Because: It rains/);
});

test('confirmed, moved and cancelled quickly: each notice shows its own event, and they go out in that order', async () => {
  const { id, phone, email } = await quietBooking();
  await become(id, 'confirmed');
  await change(id, { date: '2030-03-09T22:30:00Z' });
  await become(id, 'cancelled', { reason: 'No time' });
  await app.drain();
  const texts = textsTo(phone);
  assert.deepEqual(
    texts.map((text) => /is confirmed|has moved|is cancelled/.exec(text)?.[0]),
    ['is confirmed', 'has moved', 'is cancelled'],
  );
  assert.match(texts[0] ?? '', /3 Mar 2030/);
  assert.match(texts[1] ?? '', /10 Mar 2030/);
  const sequences = app.email
    .to(email)
    .map(({ calendar }) => /SEQUENCE:(\d)/.exec(calendar?.content ?? '')?.[1]);
  assert.deepEqual(sequences, ['2', '3', '4']);
});
