/** The Idempotency-Key of a reminder works like a referenceId (specification: Service reminders 4). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setLink } from '#product/workshops/link.ts';
import { keepSignedIn, reminderWorld } from '../../../test/fixtures/reminder-api.ts';
import { signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, newPhone, post, remind } = await reminderWorld();
const { db } = app.context;
const other = await signedInPartner(app, 'Other');
await keepSignedIn(app);
await setLink(
  { db, clock: app.clock },
  { partnerId: other.partnerId, workshopId, active: true },
  actors.operator,
);

const refused = { state: 'refused', reason: 'refused', detail: 'No route', permanent: true } as const;
const count = async () => (await db.query('SELECT FROM service_reminder')).length;

test('always: a success is replayed, whatever the body is, and nothing is sent or created again', async () => {
  const customerPhone = newPhone();
  const first = await post({ customerPhone }, 'K-1');
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null]);
  const before = await count();
  app.advance(40 * 86_400);
  for (const body of [{ customerPhone }, { customerPhone, carRego: 'NEW1', externalId: 'X' }]) {
    const again = await post(body, 'K-1');
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
    assert.deepEqual(again.body, first.body);
  }
  assert.equal(await count(), before);
  assert.equal(app.sms.to(customerPhone).length, 1);
  assert.deepEqual(await db.query(`SELECT FROM car WHERE rego = 'NEW1'`), []);
});

test('always: a repeat after retention deleted the SMS returns the reminder, and sends nothing', async () => {
  const customerPhone = newPhone();
  const first = await remind({ customerPhone }, 'K-OLD');
  app.sms.next(refused);
  const failed = await remind({ customerPhone: newPhone() }, 'K-OLD');
  // The same deletion as the purge of messages.
  await db.query('DELETE FROM message WHERE cause_id = ANY ($1::uuid[])', [
    [first.serviceReminder.id, failed.serviceReminder.id],
  ]);
  const again = await post({ customerPhone }, 'K-OLD');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
  assert.deepEqual(again.body, { ...first, sms: null });
  const failedAgain = await post({ customerId: failed.serviceReminder.customerId }, 'K-OLD');
  assert.deepEqual(failedAgain.body, { ...failed, sms: null });
  assert.equal(app.sms.to(customerPhone).length, 1);
});

test('a failure is sent again: the same reminder, code and message', async () => {
  const customerPhone = newPhone();
  app.sms.next(refused);
  const first = await remind({ customerPhone }, 'K-2');
  assert.deepEqual([first.success, first.serviceReminder.status], [false, 'failed']);
  const second = await post({ customerPhone }, 'K-2');
  assert.equal(second.headers.get('idempotent-replayed'), null);
  const { success, serviceReminder, sms } = second.body;
  assert.deepEqual([success, serviceReminder.status, sms.sent], [true, 'sent', true]);
  assert.deepEqual(
    [serviceReminder.id, serviceReminder.code, sms.messageId],
    [first.serviceReminder.id, first.serviceReminder.code, first.sms?.messageId],
  );
  const texts = app.sms.to(customerPhone).map(({ body }) => body);
  assert.equal(texts.length, 2);
  assert.ok(texts.every((text) => text.includes(serviceReminder.code)));
});

test('always: two concurrent calls send one SMS, five as well', async () => {
  for (const times of [2, 5]) {
    const customerPhone = newPhone();
    const answers = await Promise.all(
      Array.from({ length: times }, () => post({ customerPhone }, `RACE-${times}`)),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual([body.success, body.serviceReminder.id], [true, answers[0]?.body.serviceReminder.id]);
    }
    assert.equal(app.sms.to(customerPhone).length, 1);
  }
});

test('always: an unknown outcome: failed, and the next call looks the attempt up before it sends again', async () => {
  const customerPhone = newPhone();
  app.sms.next({ state: 'unknown', detail: 'No answer' });
  const first = await remind({ customerPhone }, 'K-3');
  assert.deepEqual([first.success, first.sms?.reason], [false, 'unknownOutcome']);
  assert.equal(first.serviceReminder.status, 'failed');
  app.sms.setLookUp(app.sms.to(customerPhone)[0]?.reference ?? '', { state: 'accepted', gatewayId: 'g' });
  const second = await remind({ customerPhone }, 'K-3');
  assert.deepEqual([second.success, second.serviceReminder.status], [true, 'sent']);
  assert.equal(app.sms.to(customerPhone).length, 1);
});

test('always: a key belongs to partner and customer: the same key for another one is another reminder', async () => {
  const [one, two] = [newPhone(), newPhone()];
  const made = [
    await remind({ customerPhone: one }, 'SHARED'),
    await remind({ customerPhone: two }, 'SHARED'),
    (await post({ customerPhone: one }, 'SHARED', other)).body,
  ];
  assert.equal(new Set(made.map(({ serviceReminder }) => serviceReminder.id)).size, 3);
  // The same text as a message's referenceId is unrelated.
  const text = {
    phone: one,
    referenceId: 'SHARED',
    channels: { sms: { message: 'Hello' } },
  };
  const { body } = await partner.call('POST', `/workshops/${workshopId}/messages`, text);
  assert.equal(body.sms.sent, true);
  assert.equal(app.sms.to(one).length, 3);
});

test('a scheduled reminder is replayed in its present state', async () => {
  const customerPhone = newPhone();
  const sendAt = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
  const [first, raced] = await Promise.all([
    remind({ customerPhone, sendAt }, 'L-1'),
    remind({ customerPhone, sendAt }, 'L-1'),
  ]);
  assert.equal(raced.serviceReminder.id, first.serviceReminder.id);
  const again = await post({ customerPhone }, 'L-1');
  assert.deepEqual(again.body, { success: true, serviceReminder: first.serviceReminder, sms: null });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  await partner.call('POST', `/reminders/services/${first.serviceReminder.id}/cancel`);
  const cancelled = await remind({ customerPhone, sendAt }, 'L-1');
  assert.equal(cancelled.serviceReminder.status, 'cancelled');
  assert.deepEqual(app.sms.to(customerPhone), []);
});
