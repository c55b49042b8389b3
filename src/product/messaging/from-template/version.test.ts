/** Rendering one version of a template for many customers, and which version a message was rendered from. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { updateTemplate } from '#product/templates/update.ts';
import { fromTemplate, messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { bookingBody, linkedWorkshop } from '../../../../test/harness/world.ts';
import { renderVersion } from './version.ts';

const { app, partner, workshopId, send, customer, book, template, read } = await messagingWorld();
const { db, clock } = app.context;

test('each recipient gets a text or a reason, in the order of the input', async () => {
  const [mia, zoe] = [await customer({ firstName: 'Mia' }), await customer({ firstName: 'Zoe' })];
  const stranger = await customer({ workshopId: await linkedWorkshop(app, [partner]) });
  const templateId = await template('Hi {{ customer.firstName }}');
  await updateTemplate({ db, clock }, templateId, { body: '{{ customer.company }}' }, actors.operator);
  await updateTemplate(
    { db, clock },
    templateId,
    { body: 'Hi {{ customer.firstName }}: {{ car.rego }}' },
    actors.operator,
  );
  const bookingId = await book(mia.phone, { customerName: 'Mia Lee', carRego: 'MIA1' });
  const texts = async (version: number, recipients: [string, string | null][]) =>
    (
      await renderVersion(
        db,
        { workshopId, templateId, version },
        recipients.map(([id, booking]) => ({ customerId: id, bookingId: booking })),
      )
    )?.map(({ text, reason }) => text ?? reason);
  assert.deepEqual(
    await texts(1, [
      [zoe.id, null],
      [stranger.id, null],
      [mia.id, bookingId],
      [zoe.id, null],
      [newId(), null],
    ]),
    ['Hi Zoe', 'unknownCustomer', 'Hi Mia', 'Hi Zoe', 'unknownCustomer'],
  );
  assert.deepEqual(await texts(2, [[zoe.id, null]]), ['empty']);
  // A booking of another customer does not count.
  assert.deepEqual(
    await texts(3, [
      [mia.id, bookingId],
      [mia.id, null],
      [zoe.id, bookingId],
    ]),
    ['Hi Mia: MIA1', 'needsBooking', 'needsBooking'],
  );
  assert.equal(await texts(4, [[mia.id, null]]), undefined);
  const elsewhere = { workshopId: stranger.id, templateId, version: 1 };
  assert.equal(await renderVersion(db, elsewhere, []), null);
});

test('a message names the version it was rendered from, also when it is sent again', async () => {
  const templateId = await template('One');
  const versionOf = async (messageId: string) => {
    const { templateId: id, templateVersion, body } = await read(messageId);
    assert.equal(id, templateId);
    return [templateVersion, body];
  };
  const phone = newPhone();
  const first = await send({ phone, ...fromTemplate(templateId) });
  await updateTemplate({ db, clock }, templateId, { body: 'Two' }, actors.operator);
  app.sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'Barred' });
  const again = { phone: newPhone(), ...fromTemplate(templateId), referenceId: 'R' };
  const second = await send(again);
  assert.deepEqual(
    [await versionOf(first.sms.messageId), await versionOf(second.sms.messageId)],
    [
      [1, 'One'],
      [2, 'Two'],
    ],
  );
  await updateTemplate({ db, clock }, templateId, { body: 'Three' }, actors.operator);
  const retried = await send(again);
  assert.equal(retried.sms.messageId, second.sms.messageId);
  assert.deepEqual(await versionOf(second.sms.messageId), [3, 'Three']);
  const plain = await send({ phone, channels: { sms: { message: 'Free text' } } });
  assert.equal((await read(plain.sms.messageId)).templateVersion, null);
});

test('a message stored by the previous release counts as rendered from the first version', async () => {
  const templateId = await template('One');
  const { sms } = await send({ phone: newPhone(), ...fromTemplate(templateId) });
  await updateTemplate({ db, clock }, templateId, { body: 'Two' }, actors.operator);
  await db.query('UPDATE message SET template_version = NULL WHERE id = $1', [sms.messageId]);
  assert.equal((await read(sms.messageId)).templateVersion, 1);
});

test('a notice with the workshop’s own text names its version', async () => {
  const at = await linkedWorkshop(app, [partner]);
  const purpose = 'bookingCreated.customer.sms';
  const templateId = await template('Booked: {{ booking.code }}', { purpose, workshopId: at });
  await updateTemplate(
    { db, clock },
    templateId,
    { body: 'Booked, {{ customer.firstName }}' },
    actors.operator,
  );
  const { status, body } = await partner.call('POST', '/bookings', bookingBody(at));
  assert.equal(status, 201);
  await app.drain();
  const notices = await db.query(
    `SELECT audience, channel, template_id AS id, template_version AS version FROM message
      WHERE booking_id = $1 AND (template_id IS NOT NULL OR audience = 'customer') ORDER BY channel`,
    [body.booking.id],
  );
  assert.deepEqual(notices, [
    { audience: 'customer', channel: 'email', id: null, version: null },
    { audience: 'customer', channel: 'sms', id: templateId, version: 2 },
  ]);
});
