/**
 * How missing details of a walk-in are shown, what is sent, and what an erasure leaves (specification: The workshop's own bookings
 * 3).
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { makeCalendar } from '#product/calendar/address.ts';
import { createAutomation } from '#product/campaigns/automations/create.ts';
import { runAutomations } from '#product/campaigns/automations/run.ts';
import { readAudienceParts } from '#product/campaigns/blasts/recipients/store.ts';
import { findCustomer } from '#product/customers/store.ts';
import { publishedTemplate } from '../../../../test/fixtures/templates.ts';
import { staffWorld } from '../../../../test/fixtures/walk-ins.ts';
import { manageCode } from '../manage-link/codes.ts';
import { bookingRecord, type WorkshopBooking } from '../record.ts';
import { giveStatus } from './status.ts';

const { app, partner, workshopId, options, newPhone, walkIn, change, shown, known } = await staffWorld();
const { db, clock } = app.context;
const sent = () => [...app.sms.sent, ...app.email.sent];
const page = async (path: string, form?: Record<string, string>) => {
  const init = form && {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(form)),
  };
  return fetch(`${app.url}${path}`, { redirect: 'manual', ...(init && { method: 'POST', ...init }) });
};

const detailsOf = (booking: WorkshopBooking) =>
  bookingRecord.people.details(booking, { time: (at) => at, phone: (e164) => e164, name: (name) => name });
const soon = new Date(clock.now().getTime() + 2 * 86_400_000).toISOString();

test('with only an e-mail address the e-mails are sent; their page and the workshop’s notice say what is not given', async () => {
  const address = 'alone@walkin.example';
  const { id } = await walkIn({ customerName: 'Wendy Walker', customerEmail: address });
  await app.drain();
  const [mail, ...more] = app.email.sent.filter(({ to }) => to === address);
  assert.deepEqual([more.length, app.sms.sent.length], [0, 0]);
  assert.match(mail?.text ?? '', /^Hi Wendy,/);
  assert.doesNotMatch(mail?.text ?? '', /not given|null|for \.|Car:/);
  const path = `/b/${await manageCode(db, id)}`;
  assert.match(await (await page(path)).text(), /<dt>Car<\/dt><dd><bdi>not given/);
  assert.match(await (await page(`${path}/booking.ics`)).text(), /SUMMARY:Your car at /);
  app.email.clear();
  assert.equal((await page(`${path}/cancel`, { version: '1' })).status, 303);
  await app.drain();
  const told = [...app.email.sent.filter(({ to }) => to !== address), ...app.sms.sent];
  assert.equal(told.length, 2);
  const text = app.email.sent.find(({ to }) => to !== address)?.text ?? '';
  assert.match(
    text,
    /Wendy Walker is cancelled\. You can reach them on\salone@walkin\.example; their phone is not given\./,
  );
  assert.match(text, /Car: +not given[\s\S]*Phone: +not given/);
  assert.match(app.sms.sent[0]?.body ?? '', /Wendy Walker phone not given/);
});

test('with only a phone: SMS that mention neither name nor rego', async () => {
  const phone = newPhone();
  await walkIn({ customerName: 'Phil', customerPhone: phone });
  await walkIn({ carRego: 'PHONE1', customerPhone: phone });
  await app.drain();
  const [named, driven] = app.sms.to(phone).map(({ body }) => body);
  assert.match(named ?? '', /your booking \w{8} on .* is confirmed/);
  assert.match(driven ?? '', /your booking \w{8} for PHONE1 on .* is confirmed/);
});

test('the calendar and the command line say what is not given', async () => {
  const [named, driven] = [
    await walkIn({ customerName: 'Cal Endar', bookingTime: soon }),
    await walkIn({ carRego: 'CAL1', bookingTime: soon }),
  ];
  const { path } = await makeCalendar({ db, clock }, workshopId, actors.operator);
  const { body } = await app.request('GET', path);
  const text = String(body).replaceAll('\r\n ', '');
  assert.match(text, /SUMMARY:Cal Endar\\, rego not given\r\n/);
  assert.match(text, /SUMMARY:CAL1\\, name not given\r\n/);
  assert.match(text, /DESCRIPTION:Booking \w{8}\\, confirmed\\nPhone not given/);
  const details = detailsOf(await shown(named.id));
  assert.deepEqual(
    [details['phone'], details['email'], details['car']],
    ['not given', 'not given', 'not given'],
  );
  assert.equal(detailsOf(await shown(driven.id))['customer'], 'not given');
});

const everybody = {
  ...{ visitedBefore: null, visitedFrom: null, serviceCategories: null, carYearFrom: null },
  ...{ carYearTo: null, tags: null, neverVisited: null },
};

test("automations and blasts leave out customers without a phone, and automations also bookings without one (specification: The workshop's own bookings 16)", async () => {
  const templateId = await publishedTemplate({ db, clock }, { workshopId, name: 'Done', body: 'Thank you!' });
  const automation = {
    workshop: workshopId,
    name: 'After',
    trigger: 'bookingCompleted',
    template: templateId,
  };
  const { id: automationId } = await createAutomation({ db, clock }, automation, actors.operator);
  const phone = newPhone();
  const theirs = await known(phone);
  const [nobody, nameless, later] = [
    await walkIn({ customerName: 'Nobody' }),
    await walkIn({ carRego: 'THEIRS', customerId: theirs.customerId }),
    await walkIn({ customerName: 'Later' }),
  ];
  const before = (await Array.fromAsync(readAudienceParts(db, workshopId, clock.now(), everybody))).flat();
  for (const { id } of [nobody, nameless, later])
    await giveStatus(app.context, id, {
      status: 'completed',
      reason: undefined,
      notify: true,
      actor: options.actor,
    });
  await app.drain();
  app.sms.clear();
  app.advance(86_400);
  await runAutomations(app.context);
  await app.drain();
  const runs = await db.query(`SELECT status, reason FROM automation_run WHERE automation_id = $1`, [
    automationId,
  ]);
  assert.deepEqual(runs, Array(3).fill({ status: 'skipped', reason: 'noPhone' }));
  assert.deepEqual(
    sent().filter(({ to }) => to === phone),
    [],
  );
  const { count } = await db
    .query<{ count: number }>(
      `SELECT count(*)::int FROM customer WHERE workshop_id = $1 AND phone IS NOT NULL`,
      [workshopId],
    )
    .then(([row]) => row ?? { count: -1 });
  assert.equal(before.length, count);
});

test('an erased walk-in differs from one without details, and no search finds it', async () => {
  const { id, customerId } = await walkIn({ customerName: 'Era Sed', carRego: 'ERA1', notes: 'Secret' });
  await eraseCustomer({ db, clock }, customerId, actors.operator);
  const booking = await shown(id);
  assert.deepEqual([booking.customer.name, booking.notes, booking.car.rego], ['Erased', null, 'ERASED1']);
  const details = detailsOf(booking);
  assert.deepEqual([details['phone'], details['email']], [null, null]);
  const erased = await findCustomer(db, customerId);
  assert.ok(erased?.erasedAt !== null && erased?.name === 'Erased');
  // A phone that is added now creates another customer: the erased one stays unchanged.
  const phone = newPhone();
  await change(id, { customerPhone: phone });
  assert.notEqual((await shown(id)).customerId, customerId);
  assert.equal((await findCustomer(db, customerId))?.phone, null);
});

test('the reason of a booking against the rules is erased with its customer; the booking still counts as exempt', async () => {
  const { id, customerId } = await walkIn({ customerName: 'Rea Son' });
  await db.query(`UPDATE booking SET anyway_reason = 'Rea is a friend' WHERE id = $1`, [id]);
  await eraseCustomer({ db, clock }, customerId, actors.operator);
  assert.equal((await shown(id)).anywayReason, 'Erased');
});

test('partners see no walk-in, neither in list and feed nor by naming the customer', async () => {
  const { id, customerId } = await walkIn({ customerName: 'Hid Den' });
  for (const path of ['/bookings?limit=100', '/bookings?updatedSince=2020-01-01T00:00:00Z', '/events']) {
    const { status, body } = await partner.call('GET', path);
    assert.equal(status, 200);
    assert.ok(!JSON.stringify(body).includes(customerId), path);
  }
  assert.equal((await partner.call('GET', `/bookings/${id}`)).status, 404);
  const message = { customerId, channels: { sms: { message: 'Hello' } }, referenceId: 'walk-in' };
  const { status } = await partner.call('POST', `/workshops/${workshopId}/messages`, message);
  assert.equal(status, 404);
});
