/** GET /workshops/{id}/messages/{messageId} (specification: Messages 14). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import {
  accepted,
  fromTemplate,
  holdNext,
  messagingWorld,
  newPhone,
  refusedForNow,
  text,
} from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, send, customer, book, template, read } = await messagingWorld();
const { db, clock } = app.context;
const other = await signedInPartner(app, 'Another Partner');
await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actors.operator);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const get = (messageId: string, at = workshopId, by = partner, prefix = '') =>
  by.call('GET', `${prefix}/workshops/${at}/messages/${messageId}`);

test('every field of a message is present, set or null', async () => {
  const { id, phone } = await customer();
  const { sms } = await send({ customerId: id, ...text('Grüße: 5 €') });
  const { status, body } = await get(sms.messageId);
  assert.equal(status, 200);
  const { createdAt, updatedAt, attempts } = body.message;
  for (const at of [createdAt, updatedAt, attempts[0].startedAt, attempts[0].finishedAt])
    assert.match(at, instant);
  assert.deepEqual(body, {
    success: true,
    message: {
      id: sms.messageId,
      workshopId,
      conversationId: sms.conversationId,
      customerId: id,
      bookingId: null,
      templateId: null,
      templateVersion: null,
      referenceId: null,
      direction: 'outbound',
      phone,
      body: 'Grüße: 5 €',
      encoding: 'gsm7',
      segments: 1,
      state: 'accepted',
      reason: null,
      detail: null,
      attempts: [
        {
          number: 1,
          state: 'accepted',
          reason: null,
          detail: null,
          repeatsUnknown: false,
          startedAt: attempts[0].startedAt,
          finishedAt: attempts[0].finishedAt,
        },
      ],
      createdAt,
      updatedAt,
    },
  });
});

test('the booking, template and referenceId of the request are in the response', async () => {
  const phone = newPhone();
  const [bookingId, templateId] = [await book(phone), await template('Schön 你好')];
  const { sms } = await send({ phone, bookingId, referenceId: 'R', ...fromTemplate(templateId) });
  const stored = await read(sms.messageId);
  assert.deepEqual(
    [stored.bookingId, stored.templateId, stored.referenceId, stored.encoding],
    [bookingId, templateId, 'R', 'ucs2'],
  );
});

test('the state during sending, after a failure, and with an unknown outcome', async () => {
  const phone = newPhone();
  const held = holdNext(app);
  const sending = send({ phone });
  await held.begun;
  const { messageId = '' } = app.sms.to(phone)[0] ?? {};
  const meanwhile = await read(messageId);
  assert.deepEqual([meanwhile.state, meanwhile.attempts[0].finishedAt], ['sending', null]);
  held.answer(accepted);
  await sending;

  app.sms.next(refusedForNow, { state: 'unknown', detail: 'No answer.' });
  const failed = await read((await send({ phone })).sms.messageId);
  assert.deepEqual([failed.state, failed.reason, failed.detail], ['failed', 'temporarilyRefused', 'Later.']);
  assert.deepEqual(
    [failed.attempts[0].state, failed.attempts[0].reason, failed.attempts[0].detail],
    ['failed', 'temporarilyRefused', 'Later.'],
  );
  const unknown = await read((await send({ phone })).sms.messageId);
  assert.deepEqual([unknown.state, unknown.reason], ['unknown', 'unknownOutcome']);
});

test('updatedAt follows the message’s changes, in business time', async () => {
  const phone = newPhone();
  app.sms.next(refusedForNow);
  const { sms } = await send({ phone, referenceId: 'R' });
  const before = await read(sms.messageId);
  app.advance(3_600);
  await send({ phone, referenceId: 'R' });
  const after = await read(sms.messageId);
  assert.equal(after.createdAt, before.createdAt);
  assert.ok(Date.parse(after.updatedAt) - Date.parse(before.updatedAt) >= 3_600_000);
});

test('it works without /v1, and with ids in capitals', async () => {
  const { sms } = await send({ phone: newPhone() });
  assert.equal((await get(sms.messageId, workshopId, partner, '/v1')).status, 200);
  assert.equal((await get(sms.messageId.toUpperCase(), workshopId.toUpperCase())).status, 200);
});

test('it can be read when the link is switched off', async () => {
  const at = await linkedWorkshop(app, [partner]);
  const path = `/workshops/${at}/messages`;
  const { body } = await partner.call('POST', path, { phone: newPhone(), ...text('Hi') });
  await setLink(
    { db, clock },
    { partnerId: partner.partnerId, workshopId: at, active: false },
    actors.operator,
  );
  assert.equal((await get(body.sms.messageId, at)).status, 200);
});

test("404 120001 for a message that is unknown, not a UUID, another partner's, or of another workshop", async () => {
  const theirs = await send({ phone: newPhone() }, other);
  const at = await linkedWorkshop(app, [partner]);
  const path = `/workshops/${at}/messages`;
  const elsewhere = await partner.call('POST', path, { phone: newPhone(), ...text('Hi') });
  for (const id of [newId(), 'no-uuid', theirs.sms.messageId, elsewhere.body.sms.messageId]) {
    assertProblem(await get(id), 404, '120001');
  }
});

test('404 030001 for a workshop that is unknown, not a UUID or not linked, whatever the message', async () => {
  const { sms } = await send({ phone: newPhone() });
  const unlinked = await linkedWorkshop(app, [other]);
  for (const at of [newId(), 'no-uuid', unlinked]) assertProblem(await get(sms.messageId, at), 404, '030001');
});

test('401 010000 without a token', async () => {
  assertProblem(await app.request('GET', `/workshops/${workshopId}/messages/${newId()}`), 401, '010000');
});
