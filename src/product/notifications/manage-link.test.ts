/** The manage link in notices (specification: Notices 10 and 11). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { measureSms } from '#base/values/sms-text.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';
import { signedInPerson } from '../../../test/fixtures/office.ts';
import { previewNewBooking } from './new-booking-preview.ts';
import { withLink } from './sms-link.ts';

const url = 'https://bookings.featherstonehaugh-and-sons.example/b/7K3M9QXWAB';

test('a text that fits two segments still fits two with its link, which is never cut (specification: Notices 25)', () => {
  const text = fc.array(fc.constantFrom('Harbour Motors:', 'Tue 3 Mar,', '9:30 am', 'Ünïcode', '车', '😀'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, (words) => {
      const body = words.join(' ');
      const sent = withLink(body, 'Your booking', url);
      assert.ok(sent.endsWith(`\nYour booking: ${url}`));
      if (measureSms(body).segments <= 2) assert.ok(measureSms(sent).segments <= 2, sent);
      else assert.ok(sent.startsWith(body));
    }),
    { numRuns: 60 },
  );
});

test('every notice to a customer has the same link to the booking; notices to the workshop have none (specification: Notices 25)', async () => {
  const { app, partner, book, change } = await bookingWorld({
    config: { publicUrl: 'https://book.example' },
  });
  const booking = await book();
  await change(booking.id, { date: '2030-03-04T22:30:00.000Z' });
  for (const status of ['confirmed', 'cancelled']) {
    assert.equal((await partner.call('POST', `/bookings/${booking.id}/${status}`, {})).status, 200);
  }
  await app.drain();
  const linksIn = (text: string) => text.match(/https:\/\/book\.example\/b\/[0-9A-Z]{10}/g) ?? [];
  const sms = app.sms.sent.filter(({ to }) => to === booking.customer.phone).map(({ body }) => body);
  assert.equal(sms.length, 4);
  const links = new Set(sms.flatMap(linksIn));
  assert.equal(links.size, 1);
  for (const body of sms) {
    assert.match(body, /\nYour booking: \S+$/);
    assert.ok(measureSms(body).segments <= 2, body);
  }
  const emails = app.email.sent.filter(({ to }) => to === booking.customer.email);
  assert.equal(emails.length, 4);
  for (const { text, html } of emails) {
    assert.deepEqual(new Set(linksIn(text)), links);
    assert.ok(html.includes(`href="${[...links][0]}"`));
  }
  const draft = {
    ...{
      workshopId: booking.workshopId,
      date: new Date('2030-03-05T22:30:00Z'),
      phone: booking.customer.phone ?? '',
    },
    ...{ rego: 'PRE123', name: 'Pre View', services: [], isConfirmed: true },
  };
  const shown = await previewNewBooking(app.context, draft);
  await createOwnBooking(
    app.context,
    booking.workshopId,
    {
      ...{ bookingTime: '2030-03-06 09:30', customerPhone: draft.phone },
      ...{ carRego: draft.rego, customerName: draft.name },
    },
    { notify: true, anyway: null, actor: actors.operator },
  );
  await app.drain();
  const made = app.sms.to(draft.phone).at(-1)?.body ?? '';
  assert.equal(
    shown?.text,
    made.replace(/booking [\dA-Z]{8} /, 'booking [code] ').replace(/[\dA-Z]{10}$/, '[link]'),
    'a new booking is shown as it goes, but for what is made with it',
  );
  assert.equal(shown?.segments, measureSms(made).segments);
  const others = [
    ...app.sms.sent.filter(({ to }) => to !== booking.customer.phone).map(({ body }) => body),
    ...app.email.sent.filter(({ to }) => to !== booking.customer.email).map(({ html }) => html),
  ];
  assert.ok(others.length >= 4);
  for (const text of others) assert.deepEqual(linksIn(text), []);
  const { status, body } = await app.request('GET', new URL([...links][0] ?? '').pathname);
  assert.deepEqual([status, body.includes(booking.code)], [200, true]);
});

test('without a known public address notices have no link', async () => {
  const { app, book } = await bookingWorld();
  await book();
  await app.drain();
  for (const { body } of app.sms.sent) assert.doesNotMatch(body, /Your booking:|\/b\//);
  assert.deepEqual(await app.context.db.query('SELECT FROM manage_link'), []);
});

test('notices to a workshop that uses the console link to it, for bookings and quotes; notices to other workshops do not', async () => {
  const { app, book, workshopId, partner } = await bookingWorld({
    config: { publicUrl: 'https://book.example' },
  });
  const toDesk = () => [
    ...app.sms.sent.filter(({ to }) => to === '+61355501234').map(({ body }) => body),
    ...app.email.sent.filter(({ to }) => to === 'desk@harbour.example').map(({ text }) => text),
  ];
  await book();
  await app.drain();
  assert.ok(toDesk().length >= 2);
  for (const text of toDesk()) assert.doesNotMatch(text, /\/console\//);
  app.sms.clear();
  app.email.clear();
  await signedInPerson(app, [workshopId]);
  const { code } = await book();
  await app.drain();
  const address = `https://book.example/console/w/harbour-motors/bookings/${code}`;
  for (const text of toDesk()) assert.ok(text.includes(address), text);
  assert.ok(app.email.sent.some(({ html }) => html.includes(`href="${address}"`)));
  const body = {
    workshopId,
    carRego: 'QUO1',
    customerName: 'Q',
    customerPhone: '0491 570 158',
    customerEmail: 'q@customer.example',
    services: [{ title: 'Brakes' }],
  };
  assert.equal((await partner.call('POST', '/quotes', body)).status, 201);
  await app.drain();
  assert.ok(toDesk().some((text) => text.includes('https://book.example/console/w/harbour-motors/quotes')));
});
