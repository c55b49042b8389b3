import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setLink } from '#product/workshops/link.ts';
import { messagingWorld, newPhone, text, written } from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, post, send, customer, book, read } = await messagingWorld();
const { db } = app.context;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const customerWith = async (phone: string) =>
  (await db.query('SELECT id, name, first_name, email FROM customer WHERE phone = $1', [phone])) as {
    id: string;
    name: string;
  }[];

test('the response is the SMS result, with every field (specification: Messages 7)', async () => {
  const { id } = await customer();
  const answer = await post({ customerId: id, referenceId: 'READY-1' });
  assert.equal(answer.status, 200);
  const { messageId, conversationId } = answer.body.sms;
  for (const made of [messageId, conversationId]) assert.match(made, uuid);
  assert.deepEqual(answer.body, {
    success: true,
    referenceId: 'READY-1',
    sms: { sent: true, message: 'The SMS was sent.', messageId, conversationId, reason: null },
  });
});

test('referenceId is null when the caller sent none', async () => {
  assert.equal((await send({ phone: newPhone() })).referenceId, null);
  assert.equal((await send({ phone: newPhone(), referenceId: null })).referenceId, null);
});

test('always: one SMS is sent, to the customer, with the text of the request, and no e-mail (specification: Messages 1)', async () => {
  const { id, phone } = await customer();
  const { sms } = await send({ customerId: id, ...text('Fertig: 20 € – schönes Auto') });
  const [sent, ...more] = app.sms.to(phone);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [sent?.body, sent?.from, sent?.messageId],
    ['Fertig: 20 € – schönes Auto', null, sms.messageId],
  );
  await app.drain();
  assert.equal(app.email.sent.length, 0);
  assert.equal(app.sms.to(phone).length, 1);
});

test('it works without /v1 too', async () => {
  const answer = await partner.call('POST', `/v1/workshops/${workshopId}/messages`, {
    phone: newPhone(),
    ...text('Hi'),
  });
  assert.deepEqual([answer.status, answer.body.success], [200, true]);
});

test('the sender of the workshop is in the response if it has one', async () => {
  const phone = newPhone();
  await db.query(`UPDATE workshop SET sms_sender = 'HARBOUR' WHERE id = $1`, [workshopId]);
  await send({ phone });
  await db.query('UPDATE workshop SET sms_sender = NULL WHERE id = $1', [workshopId]);
  assert.equal(app.sms.to(phone)[0]?.from, 'HARBOUR');
});

test('an unknown phone creates the customer, with the phone as name, once (specification: Messages 9)', async () => {
  const phone = newPhone();
  const first = await send({ phone });
  const second = await send({ phone });
  const made = await customerWith(phone);
  assert.deepEqual(made, [{ id: made[0]?.id, name: phone, firstName: null, email: null }]);
  assert.equal(second.sms.conversationId, first.sms.conversationId);
  assert.notEqual(second.sms.messageId, first.sms.messageId);
});

test('a customer who was created from a phone gets a name with the first booking (specification: Messages 9)', async () => {
  const phone = newPhone();
  const { sms } = await send({ phone });
  await book(phone);
  const [known] = await customerWith(phone);
  assert.equal(known?.name, 'Sam Taylor');
  assert.equal((await read(sms.messageId)).customerId, known?.id);
});

test('always: concurrent messages to one unknown phone create one customer and one conversation', async () => {
  const phone = newPhone();
  const results = await Promise.all(Array.from({ length: 5 }, () => send({ phone })));
  assert.equal(new Set(results.map(({ sms }) => sms.conversationId)).size, 1);
  assert.equal(new Set(results.map(({ sms }) => sms.messageId)).size, 5);
  assert.equal((await customerWith(phone)).length, 1);
  assert.equal(app.sms.to(phone).length, 5);
});

test('a known phone finds the customer, in any form in which people write it', async () => {
  const { id, phone } = await customer();
  const [digits, before] = [phone.slice(3), await written(app)];
  const forms = [
    `0${digits}`,
    `+61 ${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`,
    ` (0${digits.slice(0, 3)}) ${digits.slice(3)} `,
    `0011 61 ${digits}`,
    phone,
  ];
  for (const form of forms) {
    const { sms } = await send({ phone: form });
    assert.equal((await read(sms.messageId)).customerId, id, form);
  }
  assert.equal(app.sms.to(phone).length, forms.length);
  const after = await written(app);
  assert.equal(after['customers'], before['customers']);
  assert.equal(after['conversations'], Number(before['conversations']) + 1);
});

test('always: a phone is read in the country of the workshop', async () => {
  const nz = await linkedWorkshop(app, [partner], {
    country: 'NZ',
    timezone: 'Pacific/Auckland',
    phone: '09 300 1234',
  });
  const answer = await partner.call('POST', `/workshops/${nz}/messages`, {
    phone: '021 123 4567',
    ...text('Kia ora'),
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(app.sms.to('+64211234567').length, 1);
});

test('always: a landline is a valid number: the gateway decides whether it gets an SMS (specification: Phone numbers 2)', async () => {
  assert.equal((await send({ phone: '03 5550 9876' })).success, true);
  assert.equal(app.sms.to('+61355509876').length, 1);
});

test('the same phone in two workshops is two customers', async () => {
  const phone = newPhone();
  const other = await linkedWorkshop(app, [partner]);
  const first = await send({ phone });
  const second = await partner.call('POST', `/workshops/${other}/messages`, { phone, ...text('Hi') });
  assert.notEqual(second.body.sms.conversationId, first.sms.conversationId);
  assert.equal((await customerWith(phone)).length, 2);
});

test('always: with customerId the phone is ignored, whatever its value (specification: Messages 9)', async () => {
  const { id, phone } = await customer();
  const another = await customer();
  for (const ignored of ['no phone at all', '', '12', another.phone, null]) {
    assert.equal((await send({ customerId: id, phone: ignored })).success, true, String(ignored));
  }
  assert.equal(app.sms.to(phone).length, 5);
  assert.equal(app.sms.to(another.phone).length, 0);
});

test('always: an id in capitals is the same id', async () => {
  const { id, phone } = await customer();
  const path = `/workshops/${workshopId.toUpperCase()}/messages`;
  const answer = await partner.call('POST', path, { customerId: id.toUpperCase(), ...text('Hi') });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(app.sms.to(phone).length, 1);
});

test('bookingId may be sent with free text, and is stored with the message', async () => {
  const phone = newPhone();
  const bookingId = await book(phone);
  const { sms } = await send({ phone, bookingId });
  assert.equal((await read(sms.messageId)).bookingId, bookingId);
});

test('partners of one workshop share its conversation with a customer (specification: Partners and workshops 7)', async () => {
  const other = await signedInPartner(app, 'Another Partner');
  await setLink(
    { db, clock: app.clock },
    { partnerId: other.partnerId, workshopId, active: true },
    actors.operator,
  );
  const { id } = await customer();
  const mine = await send({ customerId: id });
  const theirs = await send({ customerId: id }, other);
  assert.equal(theirs.sms.conversationId, mine.sms.conversationId);
});

test('null means the same as an absent field, and unknown fields are ignored', async () => {
  const phone = newPhone();
  const channels = { sms: { message: 'Hi', templateId: null, sender: 'X' } };
  assert.equal(
    (await send({ customerId: null, phone, bookingId: null, referenceId: null, channels, extra: 1 })).success,
    true,
  );
  assert.equal(app.sms.to(phone)[0]?.body, 'Hi');
});

test('texts are trimmed and normalised to NFC', async () => {
  const phone = newPhone();
  const { referenceId } = await send({ phone, referenceId: '  R-1 ', ...text('  Cafe\u0301 \n') });
  assert.deepEqual([app.sms.to(phone)[0]?.body, referenceId], ['Café', 'R-1']);
});
