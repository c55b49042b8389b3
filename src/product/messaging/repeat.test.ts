/**
 * Requests that repeat a referenceId: which checks are skipped, and which text another attempt sends (specification: Messages 13).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { unpublishTemplate } from '#product/templates/publish.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import {
  fromTemplate,
  messagingWorld,
  newPhone,
  refusedForNow,
  text,
} from '../../../test/fixtures/messaging.ts';

const { app, post, send, customer, book, template, read } = await messagingWorld();
const { db, clock } = app.context;

const noAnswer = { state: 'unknown', detail: 'No answer.' } as const;
const textsTo = (phone: string) => app.sms.to(phone).map(({ body }) => body);

test('a success is replayed although its template is a draft again', async () => {
  const { id, phone } = await customer();
  const templateId = await template('Hi {{ customer.firstName }}');
  const body = { customerId: id, referenceId: 'R', ...fromTemplate(templateId) };
  const first = await send(body);
  await unpublishTemplate({ db, clock }, templateId, actors.operator);
  assert.deepEqual(await send(body), first);
  assert.deepEqual(textsTo(phone), ['Hi Ava']);
});

test('always: the replay of a success skips the checks of booking and template', async () => {
  const { id, phone } = await customer();
  const first = await send({ customerId: id, referenceId: 'R' });
  const needsBooking = await template('Code {{ booking.code }}');
  for (const changes of [
    { bookingId: newId() },
    { bookingId: 'no-uuid' },
    { bookingId: await book(newPhone()) },
    fromTemplate(newId()),
    fromTemplate('no-uuid'),
    fromTemplate(needsBooking),
    { bookingId: newId(), ...fromTemplate(await template('x', { draft: true })) },
  ]) {
    assert.deepEqual(await send({ customerId: id, referenceId: 'R', ...changes }), first);
    await db.query('DELETE FROM message_rate');
  }
  assert.deepEqual(await send({ phone, bookingId: newId(), referenceId: 'R' }), first);
  assert.equal(app.sms.to(phone).length, 1);
});

test('always: every other repeat is checked: after a failure, with another referenceId, for another customer', async () => {
  const [one, two] = [await customer(), await customer()];
  await send({ customerId: one.id, referenceId: 'R' });
  app.sms.next(refusedForNow);
  await send({ customerId: two.id, referenceId: 'R' });
  const bad = { bookingId: newId() };
  assertProblem(await post({ customerId: two.id, referenceId: 'R', ...bad }), 404, '060001');
  assertProblem(await post({ customerId: one.id, referenceId: 'S', ...bad }), 404, '060001');
  assertProblem(await post({ customerId: one.id, ...bad }), 404, '060001');
  const draft = fromTemplate(await template('x', { draft: true }));
  const field = ['channels.sms.templateId'];
  assertProblem(await post({ customerId: two.id, referenceId: 'R', ...draft }), 400, '000001', field);
  assert.equal(app.sms.to(two.phone).length, 1);
});

test('after a certain failure the text of the new call is sent, and stored with the message', async () => {
  const { id, phone } = await customer();
  const bookingId = await book(phone);
  app.sms.next(refusedForNow, refusedForNow);
  const first = await send({ customerId: id, referenceId: 'R', ...text('As first sent') });
  await send({ customerId: id, referenceId: 'R', ...text('Longer '.repeat(60)) });
  const templateId = await template('Code {{ booking.code }}, ї');
  const third = await send({ customerId: id, referenceId: 'R', bookingId, ...fromTemplate(templateId) });
  assert.deepEqual([third.success, third.sms.messageId], [true, first.sms.messageId]);

  const sent = textsTo(phone).slice(-3);
  assert.deepEqual(sent.slice(0, 2), ['As first sent', 'Longer '.repeat(60).trim()]);
  assert.match(sent[2] ?? '', /^Code [0-9A-Z]{8}, ї$/);
  const stored = await read(first.sms.messageId);
  assert.deepEqual(
    [
      stored.body,
      stored.encoding,
      stored.segments,
      stored.templateId,
      stored.bookingId,
      stored.attempts.length,
    ],
    [sent[2], 'ucs2', 1, templateId, bookingId, 3],
  );
});

test('while an outcome is unknown the first text is sent, even when a later attempt has failed', async () => {
  const phone = newPhone();
  app.sms.next(noAnswer);
  const first = await send({ phone, referenceId: 'R', ...text('As first sent') });
  app.sms.setLookUp(app.sms.to(phone)[0]?.reference ?? '', { state: 'unknown', permanent: true });
  app.sms.next(refusedForNow);
  await send({ phone, referenceId: 'R', ...text('Second') });
  const third = await send({ phone, referenceId: 'R', ...text('Third') });
  assert.deepEqual([third.success, third.sms.messageId], [true, first.sms.messageId]);
  assert.deepEqual(textsTo(phone), ['As first sent', 'As first sent', 'As first sent']);
  assert.equal((await read(first.sms.messageId)).body, 'As first sent');
});

test('an attempt that timed out, and that the gateway does not have, is repeated with the first text', async () => {
  const phone = newPhone();
  app.sms.next(noAnswer);
  await send({ phone, referenceId: 'R', ...text('As first sent') });
  app.sms.setLookUp(app.sms.to(phone)[0]?.reference ?? '', { state: 'notFound' });
  app.sms.next(refusedForNow);
  await send({ phone, referenceId: 'R', ...text('Second') });
  assert.deepEqual(textsTo(phone), ['As first sent', 'As first sent']);
  // That attempt failed, and the previous one did not arrive either.
  await send({ phone, referenceId: 'R', ...text('Third') });
  assert.equal(textsTo(phone)[2], 'Third');
});

test('a message that an opt-out had stopped is sent after the opt-in, with the new text', async () => {
  const { id, phone } = await customer();
  await setOptedOut({ db, clock }, id, true, actors.operator);
  const first = await send({ customerId: id, referenceId: 'R', ...text('As first sent') });
  assert.equal(first.sms.reason, 'optedOut');
  await setOptedOut({ db, clock }, id, false, actors.operator);
  const second = await send({ customerId: id, referenceId: 'R', ...text('Second') });
  assert.deepEqual([second.success, second.sms.messageId], [true, first.sms.messageId]);
  assert.deepEqual(textsTo(phone), ['Second']);
});

test('of concurrent retries with different texts one is sent, and that text is stored', async () => {
  const phone = newPhone();
  app.sms.next(refusedForNow);
  const failed = await send({ phone, referenceId: 'R', ...text('As first sent') });
  const texts = ['A', 'B', 'C', 'D'];
  const results = await Promise.all(texts.map((one) => send({ phone, referenceId: 'R', ...text(one) })));
  for (const { success, sms } of results) {
    assert.deepEqual([success, sms.messageId], [true, failed.sms.messageId]);
  }
  const sent = textsTo(phone).slice(1);
  assert.equal(sent.length, 1);
  assert.ok(texts.includes(sent[0] ?? ''));
  assert.equal((await read(failed.sms.messageId)).body, sent[0]);
});

test('another attempt of a message whose first text retention has deleted sends the text of the call', async () => {
  const { id, phone } = await customer();
  app.sms.next(noAnswer);
  const first = await send({ customerId: id, referenceId: 'old', ...text('First') });
  app.sms.setLookUp(app.sms.to(phone)[0]?.reference ?? '', { state: 'unknown', permanent: true });
  await db.query("UPDATE message SET body = '' WHERE id = $1", [first.sms.messageId]);
  await send({ customerId: id, referenceId: 'old', ...text('Second') });
  assert.equal(textsTo(phone).at(-1), 'Second');
});
