import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { publishedTemplate } from '../../../../test/fixtures/templates.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts';
import {
  bookingBody,
  linkedWorkshop,
  type SignedInPartner,
  signedInPartner,
} from '../../../../test/harness/world.ts';

let app: TestApp;
let first: SignedInPartner;
let second: SignedInPartner;
let workshopId: string;
let templateId: string;

before(async () => {
  app = await startTestApp();
  first = await signedInPartner(app, 'First');
  second = await signedInPartner(app, 'Second');
  workshopId = await linkedWorkshop(app, [first, second]);
  const { db, clock } = app.context;
  const body = 'To {{ customer.name }} <{{ customer.email }}> {{ customer.phone }}';
  templateId = await publishedTemplate({ db, clock }, { workshopId, name: 'Who', body });
});

async function textFrom(partner: SignedInPartner): Promise<string | undefined> {
  const sent = await partner.call('POST', `/workshops/${workshopId}/messages`, {
    phone: '0491570006',
    channels: { sms: { templateId } },
  });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return app.sms.sent.at(-1)?.body;
}

test('a template never shows one partner the details that another has', async () => {
  assert.equal((await first.call('POST', '/bookings', bookingBody(workshopId))).status, 201);
  assert.equal(await textFrom(first), 'To Sam Taylor <sam@customer.example> 0491 570 006');
  assert.equal(await textFrom(second), 'To  <> 0491 570 006');

  const theirs = { customerName: 'S. Taylor', customerEmail: 'st@other.example' };
  assert.equal((await second.call('POST', '/bookings', bookingBody(workshopId, theirs))).status, 201);
  assert.equal(await textFrom(second), 'To S. Taylor <st@other.example> 0491 570 006');
  assert.equal(await textFrom(first), 'To Sam Taylor <sam@customer.example> 0491 570 006');
});

test('details that a booking left at another phone are shown to no other partner', async () => {
  const phone = '0491570110';
  const left = { customerPhone: phone, customerName: 'Private Person', customerCompany: 'Private Co' };
  const made = await first.call('POST', '/bookings', bookingBody(workshopId, left));
  const moved = await first.call('PUT', `/bookings/${made.body.booking.id}`, { customerPhone: '0491570111' });
  assert.equal(moved.status, 200);
  const sent = await second.call('POST', `/workshops/${workshopId}/messages`, {
    phone,
    channels: { sms: { templateId } },
  });
  assert.equal(sent.status, 200);
  assert.equal(app.sms.sent.at(-1)?.body, 'To  <> 0491 570 110');
});
