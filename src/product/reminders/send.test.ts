/** POST /reminders/services that sends at once (specification: Service reminders 2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { reminderWorld } from '../../../test/fixtures/reminder-api.ts';

const { app, partner, workshopId, newPhone, post, remind, readReminder, reminderEvents, book } =
  await reminderWorld({
    config: { publicUrl: 'https://pitlane.example' },
  });
const { db } = app.context;

test('201: the SMS has the link and the code; the reminder is sent, with its event', async () => {
  const phone = newPhone();
  const before = app.clock.now().toISOString();
  const { success, serviceReminder, sms } = await remind({
    customerPhone: phone,
    customerName: 'Ava Nguyen',
    carRego: '1ab 2cd',
    externalId: 'SERVICE-1',
  });
  assert.equal(success, true);
  assert.deepEqual([sms?.sent, sms?.reason, sms?.message], [true, null, 'The SMS was sent.']);
  const { id, code, carId, customerId, dueDate, sentAt, createdAt, updatedAt, ...rest } = serviceReminder;
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
  assert.deepEqual(rest, {
    workshopId,
    lastServiceId: null,
    lastBookingId: null,
    newBookingId: null,
    externalId: 'SERVICE-1',
    car: {
      ...{ id: carId, customerId, rego: '1AB2CD' },
      ...{ year: null, make: null, model: null, badge: null, vin: null },
    },
    customer: {
      ...{ id: customerId, workshopId, name: 'Ava Nguyen', firstName: 'Ava', lastName: 'Nguyen', phone },
      ...{ email: null, company: null, address: null, postcode: null, suburb: null },
    },
    status: 'sent',
  });
  assert.equal(dueDate, createdAt);
  assert.ok(createdAt >= before && sentAt !== null && sentAt >= createdAt && updatedAt >= createdAt);
  const [text] = app.sms.to(phone);
  assert.equal(
    text?.body,
    `Harbour Motors: Ava, your car 1AB2CD is due for a service. Book at https://pitlane.example/r/${code} or on (03) 5550 1234 with code ${code}. Reply STOP to end`,
  );
  assert.deepEqual(await readReminder(id), serviceReminder);
  assert.deepEqual(
    (await reminderEvents(id)).map(({ kind, version, payload }) => [kind, version, payload.serviceReminder]),
    [['serviceReminder.sent', 2, serviceReminder]],
  );
  // The relay finds the message's event and changes nothing more.
  await app.drain();
  assert.equal((await reminderEvents(id)).length, 1);
  const path = `/workshops/${workshopId}/messages/${sms?.messageId}`;
  const { message } = (await partner.call('GET', path)).body;
  assert.deepEqual([message.state, message.body], ['accepted', text?.body]);
});

test('with customerId too the SMS has the workshop’s phone in the customer’s notation (specification: Automations 8)', async () => {
  for (const [customerPhone, shown] of [
    [newPhone(), '(03) 5550 1234'],
    ['+6421055501', '+61 3 5550 1234'],
  ] as const) {
    const { customerId } = await book({ customerPhone, skipNotification: true });
    await remind({ customerId });
    assert.ok(app.sms.to(customerPhone).at(-1)?.body.includes(`or on ${shown} with code`), shown);
  }
});

test('a `sendAt` that is not in the future sends at once: `dueDate` is the time of creation', async () => {
  const sendAt = new Date(app.clock.now().getTime() - 60_000).toISOString();
  const { serviceReminder } = await remind({ customerPhone: newPhone(), sendAt });
  const { status, dueDate, createdAt } = serviceReminder;
  assert.deepEqual([status, dueDate], ['sent', createdAt]);
});

test('the code is read in any notation, the id in any case', async () => {
  const { serviceReminder } = await remind();
  const { id, code } = serviceReminder;
  for (const name of [
    id.toUpperCase(),
    code,
    code.toLowerCase(),
    `${code.slice(0, 4)}-${code.slice(4)}`,
    code.replaceAll('0', 'o').replaceAll('1', 'l'),
  ]) {
    assert.deepEqual(await readReminder(name), serviceReminder);
  }
});

test('without customerId the customer is found or created by phone; customerId takes precedence over the phone', async () => {
  const phone = newPhone();
  const first = await remind({ customerPhone: phone, customerName: 'Sam Taylor' });
  const [row] = await db.query('SELECT name, first_name, last_name, phone FROM customer WHERE id = $1', [
    first.serviceReminder.customerId,
  ]);
  assert.deepEqual(row, { name: 'Sam Taylor', firstName: 'Sam', lastName: 'Taylor', phone });
  const second = await remind({ customerId: first.serviceReminder.customerId, customerPhone: 'nonsense' });
  assert.equal(second.serviceReminder.customerId, first.serviceReminder.customerId);
  // This partner sent the name to the workshop itself, so it sees the name again.
  assert.equal(second.serviceReminder.customer.name, 'Sam Taylor');
  assert.equal(second.serviceReminder.customer.phone, phone);
  const unnamed = await remind({ customerPhone: newPhone() });
  assert.equal(unnamed.serviceReminder.customer.name, unnamed.serviceReminder.customer.phone);
});

test('the last booking and its car: the named one, else the latest that is not cancelled', async () => {
  const customerPhone = newPhone();
  const details = { customerPhone, carMake: 'Toyota', carModel: 'Corolla', carYear: 2019 };
  const [old, latest] = [
    await book({ ...details, carRego: 'OLD1', bookingTime: '2030-01-01T00:00:00Z' }),
    await book({ ...details, carRego: 'NEW1', bookingTime: '2030-02-01T00:00:00Z' }),
  ];
  const gone = await book({ ...details, carRego: 'GONE1', bookingTime: '2030-03-01T00:00:00Z' });
  await partner.call('POST', `/bookings/${gone.id}/cancelled`);
  const shown = async (body: object) => {
    const { serviceReminder } = await remind({ customerId: latest.customerId, ...body });
    const { lastBookingId, car, customer } = serviceReminder;
    assert.deepEqual(
      [customer.email, customer.firstName],
      [latest.customer.email, latest.customer.firstName],
    );
    return [lastBookingId, car?.rego, car?.make];
  };
  assert.deepEqual(await shown({}), [latest.id, 'NEW1', 'Toyota']);
  assert.deepEqual(await shown({ lastBookingId: old.id }), [old.id, 'OLD1', 'Toyota']);
  assert.deepEqual(await shown({ carRego: 'old 1' }), [old.id, 'OLD1', 'Toyota']);
  assert.deepEqual(await shown({ carRego: 'other' }), [null, 'OTHER', null]);
  assert.deepEqual(await shown({ carRego: 'other', lastBookingId: old.id }), [old.id, 'OTHER', null]);
});

test('always: a customer who has opted out gets nothing: 201, success false, reason optedOut', async () => {
  const { serviceReminder } = await remind();
  const { customerId } = serviceReminder;
  await setOptedOut({ db, clock: app.clock }, customerId, true, actors.operator);
  const { success, sms, serviceReminder: stopped } = await remind({ customerId });
  assert.deepEqual([success, sms?.sent, sms?.reason, stopped.status], [false, false, 'optedOut', 'failed']);
  assert.deepEqual(
    (await reminderEvents(stopped.id)).map(({ kind }) => kind),
    ['serviceReminder.failed'],
  );
  assert.equal(app.sms.to(stopped.customer.phone ?? '').length, 1);
});

test('an SMS that the carrier refuses: success false, and the reminder has failed', async () => {
  const phone = newPhone();
  app.sms.next({ state: 'refused', reason: 'refused', detail: 'No route', permanent: true });
  const { success, sms, serviceReminder } = await remind({ customerPhone: phone });
  assert.deepEqual(
    [success, sms?.reason, serviceReminder.status, serviceReminder.sentAt],
    [false, 'refused', 'failed', null],
  );
});

test('always: the sixth within a second is 429, counted together with messages', async () => {
  const phone = newPhone();
  const message = { phone, channels: { sms: { message: 'Hello' } } };
  const texts = () => partner.call('POST', `/workshops/${workshopId}/messages`, message);
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => partner.call('POST', '/reminders/services', { workshopId, customerPhone: phone })),
    ...[1, 2, 3, 4].map(texts),
  ]);
  const passed = answers.filter(({ status }) => status !== 429);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(passed.length, 5);
  assert.equal(refused.length, 2);
  for (const { headers } of passed) assert.match(headers.get('ratelimit') ?? '', /^"messages";r=\d/);
  for (const { headers } of refused) assert.equal(headers.get('retry-after'), '1');
  assert.equal(app.sms.to(phone).length, 5);
});

test('concurrent reminders to one person, by id and by phone: within the rate limit all of them pass', async () => {
  const people = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { serviceReminder } = await remind({ customerPhone: newPhone() });
      return serviceReminder.customer;
    }),
  );
  const answers = await Promise.all(
    people.flatMap(({ id, phone }) => [post({ customerId: id }), post({ customerPhone: phone })]),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    people.flatMap(() => [201, 201]),
  );
});
