/** Previews show each notice as it would be sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#operator-error.ts';
import { newId } from '#values/id.ts';
import { messagingWorld } from '../../test/fixtures/messaging.ts';
import { previewNotice, smsNotices } from './preview.ts';

const { app, customer, book, template } = await messagingWorld();
const { db } = app.context;

test('each notice is shown as it is sent', async () => {
  const { phone } = await customer();
  const bookingId = await book(phone);
  assert.equal(smsNotices.length, 7);
  for (const notice of smsNotices) {
    const { encoding, segments, parts, tooLong, warnings } = await previewNotice(db, notice, bookingId);
    assert.deepEqual([encoding, parts.length, tooLong, warnings], ['gsm7', segments, false, []], notice);
  }
  await app.drain();
  const shown = await previewNotice(db, 'bookingCreated.customer.sms', bookingId);
  assert.equal(shown.text, app.sms.to(phone)[0]?.body);
});

test("the workshop's own text, with warnings about its faults", async () => {
  const bookingId = await book((await customer()).phone);
  const purpose = 'bookingConfirmed.customer.sms';
  await template('See https://a.example/{{ booking.code }}.', { purpose });
  const own = await previewNotice(db, purpose, bookingId);
  assert.match(own.text, /^See https:\/\/a\.example\/\w{8}\.$/);
  assert.match(own.warnings[0] ?? '', /ends with \./);
  await template('{% for i in (1..900) %}word {% endfor %}', { purpose });
  const long = await previewNotice(db, purpose, bookingId);
  assert.deepEqual(
    [long.segments, long.tooLong, long.warnings],
    [10, false, ["the workshop's text is too long, and was shortened"]],
  );
});

test('the notice and the booking must exist', async () => {
  const bookingId = await book((await customer()).phone);
  for (const notice of [
    'bookingCreated.customer.email',
    'bookingConfirmed.workshop.sms',
    'x',
    '',
    'a.b.sms',
  ]) {
    await assert.rejects(previewNotice(db, notice, bookingId), InvalidInput, notice);
  }
  for (const id of [newId(), 'x']) {
    await assert.rejects(previewNotice(db, 'bookingCreated.customer.sms', id), /there is no booking/);
  }
});
