/** The preview of a template: values, segments and warnings. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { updateTemplate } from '#product/templates/update.ts';
import { messagingWorld } from '../../../../test/fixtures/messaging.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { previewTemplate } from './preview.ts';

const { app, partner, customer, template, book } = await messagingWorld();
const { db, clock } = app.context;

test('sample values fill placeholders of customer and booking when none is named; values of the workshop are real', async () => {
  const body = 'Hi {{ customer.firstName }}, {{ car.description }} at {{ workshop.name }}';
  const templateId = await template(body, { draft: true });
  const { sms, ...shown } = await previewTemplate(db, templateId);
  assert.deepEqual(shown, {
    templateId,
    version: 1,
    purpose: 'inbox',
    requiresBooking: true,
    subject: null,
    text: 'Hi Sam, 2019 Toyota Corolla Ascent Sport at Harbour Motors',
    sample: ['car.description', 'customer.firstName'],
    warnings: [],
  });
  assert.deepEqual([sms?.encoding, sms?.segments, sms?.tooLong], ['gsm7', 1, false]);
});

test('a customer, or a booking with its customer and car', async () => {
  const { id, phone } = await customer();
  const templateId = await template('{{ customer.firstName }}: {{ car.rego }} {{ booking.code }}');
  const ofCustomer = await previewTemplate(db, templateId, { customerId: id });
  assert.equal(ofCustomer.text, 'Ava: ABC123 7K3M9QXW');
  assert.deepEqual(ofCustomer.sample, ['booking.code', 'car.rego']);
  const bookingId = await book(phone, { customerName: 'Kim Lee', carRego: 'KIM1' });
  const ofBooking = await previewTemplate(db, templateId, { bookingId, customerId: id });
  assert.match(ofBooking.text, /^Kim: KIM1 \w{8}$/);
  assert.deepEqual(ofBooking.sample, []);
});

test('an earlier version', async () => {
  const templateId = await template('One');
  await updateTemplate({ db, clock }, templateId, { body: 'Two' }, actors.operator);
  const textOf = async (named: object) => (await previewTemplate(db, templateId, named)).text;
  assert.deepEqual([await textOf({}), await textOf({ version: 1 })], ['Two', 'One']);
  await assert.rejects(previewTemplate(db, templateId, { version: 3 }), /has no version 3$/);
});

test('warnings: too long, empty, an unknown placeholder with the nearest known one, a link that may break', async () => {
  const warned = async (body: string) => (await previewTemplate(db, await template(body))).warnings;
  assert.deepEqual(await warned('x'.repeat(1_531)), ['it has 11 segments, and at most 10 are sent']);
  assert.deepEqual(await warned('{{ customer.nickName }}'), [
    'it renders an empty text',
    'customer.nickName is no placeholder and will render empty: did you mean customer.name?',
  ]);
  assert.match((await warned('See https://a.example/b.')).join(), /ends with \./);
});

test('an e-mail has a subject, and no segments', async () => {
  const purpose = 'bookingCreated.customer.email';
  const templateId = await template('See you. {{ booking.code }}', {
    purpose,
    subject: 'Booked {{ car.rego }}',
  });
  const { subject, text, sms } = await previewTemplate(db, templateId);
  assert.deepEqual([subject, text, sms], ['Booked ABC123', 'See you. 7K3M9QXW', null]);
});

test('template, customer and booking must exist, and belong to one workshop', async () => {
  const templateId = await template('Hi');
  const elsewhere = await linkedWorkshop(app, [partner]);
  const [stranger, other] = [await customer({ workshopId: elsewhere }), await customer()];
  const bookingId = await book((await customer()).phone);
  for (const [{ templateId: of = '', ...named }, message] of [
    [{ templateId: newId() }, /there is no template/],
    [{ templateId: 'x' }, /there is no template x/],
    [{ templateId, customerId: newId() }, /there is no customer/],
    [{ templateId, customerId: stranger.id }, /is not one of the template's workshop/],
    [{ templateId, bookingId: newId() }, /has no booking/],
    [{ templateId, bookingId: 'x' }, /has no booking x/],
    [{ templateId, bookingId, customerId: other.id }, /is not one of customer/],
  ] as const) {
    await assert.rejects(previewTemplate(db, of, named), message);
  }
});
