/** Who is notified of a booking's creation and update, with the background work running. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { expectErrors } from '../../../test/harness/log.ts';

const { app, book, change } = await bookingWorld();
const customer = { sms: '+61491570006', email: 'sam@customer.example' };
const workshop = { sms: '+61355501234', email: 'desk@harbour.example' };
const newDate = '2030-04-01T23:00:00Z';

beforeEach(() => {
  app.sms.clear();
  app.email.clear();
});

/** The addresses that were notified since the last call, sorted. */
async function told(): Promise<string[]> {
  await app.drain();
  const all = [...app.sms.sent.map((sms) => sms.to), ...app.email.sent.map((email) => email.to)].sort();
  app.sms.clear();
  app.email.clear();
  return all;
}
const both = [customer.sms, workshop.sms, workshop.email, customer.email].sort();
const customerOnly = [customer.sms, customer.email].sort();

for (const skip of [{}, { skipNotification: false }, { skipNotification: null }]) {
  test(`customer and workshop get an SMS and an e-mail each: ${JSON.stringify(skip)} (specification: Notices 1)`, async () => {
    const { code } = await book(skip);
    await app.drain();
    for (const { sms, email } of [customer, workshop]) {
      assert.match(app.sms.to(sms)[0]?.body ?? '', new RegExp(`${code}.*ABC123.*3 Mar`));
      const [mail] = app.email.to(email);
      assert.match(`${mail?.subject}${mail?.text}`, new RegExp(code));
      assert.match(`${mail?.subject}${mail?.text}`, /ABC123/);
    }
    assert.deepEqual(await told(), both);
  });
}

test('a link in a rego or a name is stored as sent, left out of SMS, and not clickable in e-mails', async () => {
  const sent = { carRego: 'https://evil.example/pay', customerName: "Bob's Tyres.com.au" };
  const booking = await book(sent);
  assert.deepEqual(
    [booking.car.rego, booking.customer.name],
    [sent.carRego.toUpperCase(), sent.customerName],
  );
  await app.drain();
  for (const { sms, email } of [customer, workshop]) {
    const [text, mail] = [app.sms.to(sms)[0]?.body ?? '', app.email.to(email)[0]];
    assert.match(text, /for your car/);
    assert.doesNotMatch(text, /evil|Tyres/i);
    for (const part of [mail?.text ?? '', mail?.html ?? '']) {
      assert.match(part, /Tyres\. com\. au/);
      assert.doesNotMatch(part, /:\/\/evil|evil\.\S|Tyres\.\S/i);
    }
  }
  assert.match(app.sms.to(workshop.sms)[0]?.body ?? '', /, Bob's 0491 570 006/);
  app.sms.clear();
  app.email.clear();
});

test('with skipNotification neither of them is notified (specification: Notices 2)', async () => {
  await book({ skipNotification: true });
  assert.deepEqual(await told(), []);
});

test('skipNotification of the creation has no effect on an update (specification: Notices 2)', async () => {
  const { id } = await book({ skipNotification: true });
  await change(id, { date: newDate });
  assert.deepEqual(await told(), customerOnly);
});

for (const skip of [{}, { skipNotification: false }, { skipNotification: null }]) {
  test(`the customer gets a changed date by both channels: ${JSON.stringify(skip)} (specification: Notices 3)`, async () => {
    const { id } = await book({ skipNotification: true });
    await change(id, { date: newDate, ...skip });
    await app.drain();
    assert.match(app.sms.to(customer.sms)[0]?.body ?? '', /moved to .*2 Apr.*10:00/);
    assert.match(app.email.to(customer.email)[0]?.subject ?? '', /moved to .*2 Apr/);
    assert.deepEqual(await told(), customerOnly);
  });
}

test('with skipNotification nobody is notified of the new date, but of the next one again (specification: Notices 4)', async () => {
  const { id } = await book({ skipNotification: true });
  await change(id, { date: newDate, skipNotification: true });
  assert.deepEqual(await told(), []);
  await change(id, { date: '2030-04-02T23:00:00Z' });
  assert.deepEqual(await told(), customerOnly);
});

test('the same instant in another notation notifies nobody (specification: Changing a booking 6)', async () => {
  const { id, date } = await book({ skipNotification: true });
  for (const same of [
    '2030-03-02T22:30:00.000Z',
    '2030-03-03T09:30:00+11:00',
    '2030-03-02T22:30:00.000400Z',
  ]) {
    const booking = await change(id, { date: same, notes: same });
    assert.deepEqual([booking.date, booking.notes], [date, same]);
  }
  assert.deepEqual(await told(), []);
});

test('other changes notify nobody, not even the workshop (specification: Notices 4)', async () => {
  const { id } = await book({ skipNotification: true });
  const all = {
    ...{
      serviceCategory: 'tyres',
      services: [{ title: 'Tyres' }],
      carRego: 'NEW 1',
      customerName: 'Pat Doe',
    },
    ...{
      customerPhone: '0491570156',
      customerEmail: 'pat@customer.example',
      customerCompany: 'Ltd',
      notes: 'n',
    },
    ...{
      interval: 6,
      pickupTime: newDate,
      servicePackageType: 'logbook',
      jobNotes: ['j'],
      productNotes: ['p'],
    },
    ...{ tyreQuantities: 4, skipNotification: false },
  };
  await change(id, all);
  assert.deepEqual(await told(), []);
  await change(id, { date: newDate });
  assert.deepEqual(await told(), ['+61491570156', 'pat@customer.example']);
});

test('an update that changes date and contact notifies only the new contact (specification: Notices 3)', async () => {
  const { id } = await book({ skipNotification: true });
  await change(id, { date: newDate, customerPhone: '0491570157', customerEmail: 'new@customer.example' });
  assert.deepEqual(await told(), ['+61491570157', 'new@customer.example']);
});

test('4: each notice shows the values of its own event, even when all are sent after the last one (specification: Notices 6)', async () => {
  const { id } = await book({ customerName: 'Ann First' });
  await change(id, { date: '2030-04-01T23:00:00Z', customerName: 'Bea Second' });
  await change(id, { date: '2030-05-01T23:00:00Z', customerName: 'Cleo Third' });
  await app.drain();
  const texts = app.sms.to(customer.sms).map((sms) => /3 Mar|2 Apr|2 May/.exec(sms.body)?.[0]);
  assert.deepEqual(texts.sort(), ['2 Apr', '2 May', '3 Mar']);
  const mails = app.email.to(customer.email).map(({ subject, text }) => {
    return `${/Hi (\w+)/.exec(text)?.[1]} ${/3 Mar|2 Apr|2 May/.exec(subject)?.[0]}`;
  });
  assert.deepEqual(mails.sort(), ['Ann 3 Mar', 'Bea 2 Apr', 'Cleo 2 May']);
});

test('4: a change and its reversal are two changes, and each is notified', async () => {
  const { id, date } = await book({ skipNotification: true });
  await change(id, { date: newDate });
  await change(id, { date });
  assert.deepEqual(await told(), [...customerOnly, ...customerOnly].sort());
});

test('4: an SMS that the carrier refuses does not fail the booking', async () => {
  expectErrors(/No such number/);
  app.sms.always(customer.sms, {
    state: 'refused',
    permanent: true,
    reason: 'refused',
    detail: 'No such number.',
  });
  const { id } = await book();
  assert.deepEqual(await told(), both);
  assert.equal((await change(id, { notes: 'still here' })).notes, 'still here');
});

test('the workshop is notified at its notifyPhones and notifyEmails (specification: Notices 1)', async () => {
  await app.context.db.query(
    `UPDATE workshop SET notify_phones = '{+61491570158,+61491570159}', notify_emails = '{a@harbour.example}'`,
  );
  try {
    await book();
    assert.deepEqual(
      await told(),
      [...customerOnly, '+61491570158', '+61491570159', 'a@harbour.example'].sort(),
    );
  } finally {
    await app.context.db.query('UPDATE workshop SET notify_phones = NULL, notify_emails = NULL');
  }
});
