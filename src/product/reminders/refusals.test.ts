/** The refusals of reminders: nothing is written or sent (specification: Service reminders 1). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setFeature } from '#product/partners/features.ts';
import { setLink } from '#product/workshops/link.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { reminderWorld } from '../../../test/fixtures/reminder-api.ts';
import { signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, newPhone, post, remind, book } = await reminderWorld();
const { db, clock } = app.context;
const stranger = await signedInPartner(app, 'Stranger');
const other = await signedInPartner(app, 'Other');
await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actors.operator);

async function rows(): Promise<object[]> {
  return db.query(
    `SELECT (SELECT count(*) FROM service_reminder) AS reminders, (SELECT count(*) FROM customer) AS customers,
            (SELECT count(*) FROM car) AS cars, (SELECT count(*) FROM message) AS messages, (SELECT count(*) FROM event) AS events`,
  );
}

test('400 000001 names every failing field', async () => {
  const before = await rows();
  for (const [body, fields] of [
    [{}, ['customerPhone']],
    [{ customerId: '', customerPhone: null }, ['customerPhone']],
    [{ customerPhone: '12' }, ['customerPhone']],
    [{ customerPhone: 7, sendAt: 'tomorrow', workshopId: null }, ['customerPhone', 'sendAt', 'workshopId']],
    [
      { customerPhone: newPhone(), carRego: 'x'.repeat(33), customerName: 'a\nb' },
      ['carRego', 'customerName'],
    ],
    [{ customerPhone: newPhone(), externalId: 'x'.repeat(256) }, ['externalId']],
  ] as const) {
    assertProblem(await post(body), 400, '000001', [...fields]);
  }
  assertProblem(await post({ customerPhone: newPhone() }, ''), 400, '000001', ['Idempotency-Key']);
  assert.deepEqual(await rows(), before);
});

test('401 without a token; 404 of workshop, customer and booking; 400 060001 for another customer’s booking', async () => {
  const [mine, theirs] = [
    await book({ customerPhone: newPhone() }),
    await book({ customerPhone: newPhone() }),
  ];
  const foreign = await book({ customerPhone: newPhone() }, other);
  const before = await rows();
  assertProblem(await app.request('POST', '/reminders/services', { body: { workshopId } }), 401, '010000');
  for (const id of [newId(), 'x']) {
    assertProblem(await post({ workshopId: id, customerPhone: newPhone() }), 404, '030001');
    assertProblem(await post({ customerId: id }), 404, '040001');
    assertProblem(await post({ customerId: mine.customerId, lastBookingId: id }), 404, '060001');
  }
  assertProblem(await post({ customerPhone: newPhone() }, undefined, stranger), 404, '030001');
  assertProblem(await post({ customerId: foreign.customerId, lastBookingId: foreign.id }), 404, '060001');
  assertProblem(await post({ customerId: mine.customerId, lastBookingId: theirs.id }), 400, '060001');
  assertProblem(await post({ customerPhone: newPhone(), lastBookingId: theirs.id }), 400, '060001');
  assert.deepEqual(await rows(), before);
});

test('403 for a feature, link or inbox that is off; existing reminders can be read', async () => {
  const { serviceReminder } = await remind();
  const sendAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
  const later = (await remind({ customerPhone: newPhone(), sendAt })).serviceReminder;
  const before = await rows();
  const { partnerId } = partner;
  const bodies = () => [{ customerPhone: newPhone() }, { customerPhone: newPhone(), sendAt }];
  await setFeature({ db, clock }, { partnerId, feature: 'messaging', enabled: false }, actors.operator);
  for (const body of bodies()) assertProblem(await post(body), 403, '000003');
  await setFeature({ db, clock }, { partnerId, feature: 'messaging', enabled: true }, actors.operator);
  await setLink({ db, clock }, { partnerId, workshopId, active: false }, actors.operator);
  for (const body of bodies()) assertProblem(await post(body), 403, '000004');
  assertProblem(await partner.call('POST', `/reminders/services/${later.id}/cancel`), 403, '000004');
  assert.equal((await partner.call('GET', `/reminders/services/${serviceReminder.id}`)).status, 200);
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  await setWorkshop({ db, clock }, workshopId, { inboxMessaging: 'off' }, actors.operator);
  for (const body of bodies()) assertProblem(await post(body), 403, '000004');
  await setWorkshop({ db, clock }, workshopId, { inboxMessaging: 'on' }, actors.operator);
  assert.deepEqual(await rows(), before);
});

test('404 080001 for an id that is not a reminder of this partner; a partner never sees another’s details (specification: Service reminders 8)', async () => {
  const name = 'Quentin Secret';
  const theirs = await book(
    { customerPhone: newPhone(), customerName: name, customerEmail: 'q@secret.example' },
    other,
  );
  const { serviceReminder } = await remind({ customerId: theirs.customerId });
  assert.equal(serviceReminder.customer.name, serviceReminder.customer.phone);
  assert.deepEqual(
    [serviceReminder.customer.email, serviceReminder.car, serviceReminder.lastBookingId],
    [null, null, null],
  );
  for (const by of [stranger, other]) {
    for (const path of [serviceReminder.id, serviceReminder.code]) {
      assertProblem(await by.call('GET', `/reminders/services/${path}`), 404, '080001');
      assertProblem(await by.call('POST', `/reminders/services/${path}/cancel`), 404, '080001');
    }
  }
  for (const path of [newId(), 'x', '%00', 'AAAAAAAA']) {
    assertProblem(await partner.call('GET', `/reminders/services/${path}`), 404, '080001');
  }
});

test('409 080002: only a scheduled reminder can be cancelled, once (specification: Service reminders 5)', async () => {
  const { serviceReminder } = await remind();
  assertProblem(
    await partner.call('POST', `/reminders/services/${serviceReminder.id}/cancel`),
    409,
    '080002',
  );
  const sendAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
  const { code } = (await remind({ customerPhone: newPhone(), sendAt })).serviceReminder;
  const cancel = () => partner.call('POST', `/reminders/services/${code.toLowerCase()}/cancel`, {});
  const answers = await Promise.all([cancel(), cancel()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  assert.equal(answers.find(({ status }) => status === 200)?.body.serviceReminder.status, 'cancelled');
  assertProblem(await cancel(), 409, '080002');
});
