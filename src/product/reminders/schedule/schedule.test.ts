/** Reminders that are sent later: `sendAt`, and `reminderMonths` after a completed booking (specification: Service reminders 3 and 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { releaseEvent } from '#platform/events/store.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { setLink } from '#product/workshops/link.ts';
import { reminderWorld } from '../../../../test/fixtures/reminder-api.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import type { ServiceReminder } from '../schema.ts';
import { dueAfter } from './plan.ts';
import { sendDueReminders } from './send-due.ts';

const { app, partner, workshopId, newPhone, remind, readReminder, reminderEvents, sendDue, book } =
  await reminderWorld();
const { db, clock } = app.context;
const day = 86_400;

const inDays = (days: number) => new Date(clock.now().getTime() + days * day * 1_000).toISOString();
const kindsOf = async (id: string) => (await reminderEvents(id)).map(({ kind }) => kind);

test('sendAt: scheduled, success true, sms null; sent once when the business clock reaches it', async () => {
  const customerPhone = newPhone();
  const sendAt = inDays(183);
  const { success, sms, serviceReminder } = await remind({
    customerPhone,
    sendAt,
    customerName: 'Sam Taylor',
  });
  assert.deepEqual(
    [success, sms, serviceReminder.status, serviceReminder.dueDate],
    [true, null, 'scheduled', sendAt],
  );
  await sendDue();
  assert.deepEqual(app.sms.to(customerPhone), []);
  app.advance(183 * day + 1);
  await Promise.all([sendDueReminders(app.context), sendDueReminders(app.context)]);
  await app.drain();
  await sendDue();
  const [sent, ...more] = app.sms.to(customerPhone);
  assert.match(
    sent?.body ?? '',
    new RegExp(`^Harbour Motors: Sam, your car .* code ${serviceReminder.code}\\.`),
  );
  assert.deepEqual(more, []);
  const now = await readReminder(serviceReminder.id);
  assert.deepEqual([now.status, now.dueDate], ['sent', sendAt]);
  assert.ok((now.sentAt ?? '') > sendAt);
  const events = await reminderEvents(serviceReminder.id);
  assert.deepEqual(
    events.map(({ kind, version }) => [kind, version]),
    [
      ['serviceReminder.scheduled', 1],
      ['serviceReminder.sent', 2],
    ],
  );
  assert.deepEqual(events.at(-1)?.payload.serviceReminder, now);
  const { body } = await partner.call('GET', `/workshops/${workshopId}/messages/${await messageOf(now)}`);
  assert.equal(body.message.state, 'accepted');
});

async function messageOf({ id }: ServiceReminder): Promise<string> {
  const [row] = await db.query<{ id: string }>('SELECT id FROM message WHERE cause_id = $1', [id]);
  return row?.id ?? '';
}

test('a past sendAt is sent at once', async () => {
  const { serviceReminder, sms } = await remind({ customerPhone: newPhone(), sendAt: inDays(-1) });
  assert.deepEqual([serviceReminder.status, sms?.sent], ['sent', true]);
});

test('a cancelled reminder is never sent; one whose SMS is queued can’t be cancelled', async () => {
  const [cancelled, taken] = [
    await remind({ customerPhone: newPhone(), sendAt: inDays(1) }),
    await remind({ customerPhone: newPhone(), sendAt: inDays(1) }),
  ];
  const cancel = ({ serviceReminder }: typeof taken) =>
    partner.call('POST', `/reminders/services/${serviceReminder.id}/cancel`);
  assert.equal((await cancel(cancelled)).status, 200);
  app.advance(2 * day);
  await sendDueReminders(app.context);
  assert.equal((await cancel(taken)).status, 409);
  await app.drain();
  assert.deepEqual(app.sms.to(cancelled.serviceReminder.customer.phone ?? ''), []);
  assert.deepEqual(await kindsOf(cancelled.serviceReminder.id), [
    'serviceReminder.scheduled',
    'serviceReminder.cancelled',
  ]);
  assert.equal((await readReminder(taken.serviceReminder.id)).status, 'sent');
});

test('when it is due: failed for an opt-out, an erased customer, a link that is off, a refusal by the carrier', async () => {
  const [out, erased, refused] = [
    await remind({ customerPhone: newPhone(), sendAt: inDays(1) }),
    await remind({ customerPhone: newPhone(), sendAt: inDays(1) }),
    await remind({ customerPhone: newPhone(), sendAt: inDays(1) }),
  ];
  await setOptedOut({ db, clock }, out.serviceReminder.customerId, true, actors.operator);
  await eraseCustomer({ db, clock }, erased.serviceReminder.customerId, actors.operator);
  app.sms.always(refused.serviceReminder.customer.phone ?? '', {
    ...{ state: 'refused', reason: 'invalidNumber', detail: 'No such number', permanent: true },
  });
  app.advance(2 * day);
  await app.drain();
  await sendDueReminders(app.context);
  expectErrors(/given up/);
  await app.drain();
  for (const { serviceReminder } of [out, erased, refused]) {
    assert.deepEqual(
      (await kindsOf(serviceReminder.id)).at(-1),
      'serviceReminder.failed',
      (await readReminder(serviceReminder.id)).status,
    );
  }
  const closed = await remind({ customerPhone: newPhone(), sendAt: inDays(1) });
  const link = { partnerId: partner.partnerId, workshopId };
  await setLink({ db, clock }, { ...link, active: false }, actors.operator);
  app.advance(2 * day);
  await sendDue();
  await setLink({ db, clock }, { ...link, active: true }, actors.operator);
  assert.equal((await readReminder(closed.serviceReminder.id)).status, 'failed');
  assert.deepEqual(app.sms.to(closed.serviceReminder.customer.phone ?? ''), []);
});

/** The reminders of a customer, oldest first. */
const remindersOf = (customerId: string) =>
  db.query<{ id: string; status: string; dueAt: Date; automatic: boolean }>(
    `SELECT id, status, due_at, automatic FROM service_reminder WHERE customer_id = $1 ORDER BY id`,
    [customerId],
  );

async function complete(changes: object = {}) {
  const booking = await book({ customerPhone: newPhone(), skipNotification: true, ...changes });
  const { status } = await partner.call('POST', `/bookings/${booking.id}/completed`);
  assert.equal(status, 200);
  await app.drain();
  return booking;
}

test('reminderMonths: one after each completed booking, six months after its date, at 10:00 local time', async () => {
  await importWorkshop(
    { db, clock },
    JSON.stringify({ workshopId, settings: { reminderMonths: 6 } }),
    actors.operator,
  );
  const bookingTime = inDays(-1);
  const booking = await complete({ bookingTime, carMake: 'Toyota', carModel: 'Corolla' });
  const [made, ...more] = await remindersOf(booking.customerId);
  assert.deepEqual([made?.status, made?.automatic, more], ['scheduled', true, []]);
  assert.deepEqual(made?.dueAt, dueAfter(new Date(bookingTime), 6, 'Australia/Melbourne'));
  const reminder = await readReminder(made?.id ?? '');
  assert.deepEqual(
    [reminder.lastBookingId, reminder.carId, reminder.car, reminder.customer],
    [booking.id, booking.carId, booking.car, booking.customer],
  );
  // Relaying the event again creates no second one.
  const [event] = await db.query<{ id: string }>(
    `SELECT id FROM event WHERE subject_id = $1 AND kind = 'booking.completed'`,
    [booking.id],
  );
  await releaseEvent(db, event?.id ?? '');
  await app.drain();
  assert.equal((await remindersOf(booking.customerId)).length, 1);

  app.advance(Math.ceil((Date.parse(reminder.dueDate) - clock.now().getTime()) / 1_000) + 1);
  await sendDue();
  assert.equal((await readReminder(reminder.id)).status, 'sent');
  assert.match(
    app.sms.to(booking.customer.phone ?? '')[0]?.body ?? '',
    /your Toyota Corolla \(ABC123\) is due/,
  );
});

test('none for a booking long ago, for a car with a later booking, for the workshop’s own booking; one whose car is booked since is cancelled', async () => {
  const old = await complete({ bookingTime: inDays(-400) });
  assert.deepEqual(await remindersOf(old.customerId), []);

  const customerPhone = newPhone();
  await book({ customerPhone, bookingTime: inDays(30), skipNotification: true });
  const later = await complete({ customerPhone, bookingTime: inDays(-1) });
  assert.deepEqual(await remindersOf(later.customerId), []);

  const since = await complete({ bookingTime: inDays(-1) });
  await book({
    ...{ customerPhone: since.customer.phone, carRego: since.car.rego },
    ...{ bookingTime: inDays(100), skipNotification: true },
  });
  app.advance(200 * day);
  await sendDue();
  assert.deepEqual(
    (await remindersOf(since.customerId)).map(({ status }) => status),
    ['cancelled'],
  );
  assert.deepEqual(app.sms.to(since.customer.phone ?? ''), []);
});

test('always: a car that was booked since in another punctuation needs no reminder; another car does (specification: Regos 4)', async () => {
  const done = await complete({ bookingTime: inDays(-1), carRego: 'PUN-123' });
  const other = await complete({ bookingTime: inDays(-1), carRego: 'PUN.12' });
  for (const [of, carRego] of [
    [done, 'PUN·123'],
    [other, 'PUN-13'],
  ] as const)
    await book({
      ...{ customerPhone: of.customer.phone, carRego, bookingTime: inDays(100), skipNotification: true },
    });
  const ahead = newPhone();
  await book({ customerPhone: ahead, carRego: 'PU.N45', bookingTime: inDays(30), skipNotification: true });
  const before = await complete({ customerPhone: ahead, carRego: 'PUN 4-5', bookingTime: inDays(-1) });
  assert.deepEqual(await remindersOf(before.customerId), []);
  app.advance(200 * day);
  await sendDue();
  const states = async (of: { readonly customerId: string }) =>
    (await remindersOf(of.customerId)).map(({ status }) => status);
  assert.deepEqual([await states(done), await states(other)], [['cancelled'], ['sent']]);
});

test('a car that was booked by another row of a merged customer needs no reminder', async () => {
  const done = await complete({ bookingTime: inDays(-1) });
  const customerPhone = newPhone();
  const other = await book({
    ...{ customerPhone, carRego: done.car.rego, bookingTime: inDays(100), skipNotification: true },
  });
  await mergeCustomers(app.context, {
    ...{ workshopId, actor: actors.operator },
    both: [{ customerId: done.customerId }, { customerId: other.customerId }],
  });
  app.advance(200 * day);
  await sendDue();
  assert.deepEqual(
    (await remindersOf(done.customerId)).map(({ status }) => status),
    ['cancelled'],
  );
  assert.deepEqual(app.sms.to(done.customer.phone ?? ''), []);
});

test('the due date: calendar months, 10:00 on both sides of daylight saving', () => {
  const due = (date: string, months: number) =>
    dueAfter(new Date(date), months, 'Australia/Melbourne').toISOString();
  assert.equal(due('2030-01-15T01:00:00Z', 6), '2030-07-15T00:00:00.000Z');
  assert.equal(due('2030-07-15T01:00:00Z', 6), '2031-01-14T23:00:00.000Z');
  assert.equal(due('2030-08-30T20:00:00Z', 6), '2031-02-27T23:00:00.000Z');
  assert.equal(due('2029-08-30T20:00:00Z', 6), '2030-02-27T23:00:00.000Z');
});
