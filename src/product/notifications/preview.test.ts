/** The preview of a notice equals the sent notice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { acceptQuote } from '#product/quotes/accept.ts';
import { priceQuote } from '#product/quotes/price.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { quoteBody } from '../../../test/fixtures/quote-api.ts';
import { previewNotice, smsNotices } from './preview.ts';

const { app, partner, workshopId, customer, book, template } = await messagingWorld();

const ofBookings = smsNotices.filter((name) => name.startsWith('booking'));
const ofQuotes = smsNotices.filter((name) => name.startsWith('quote'));

test('the preview of each notice of a booking equals the sent one', async () => {
  const { phone } = await customer();
  const bookingId = await book(phone);
  assert.deepEqual([ofBookings.length, ofQuotes.length, smsNotices.length], [8, 4, 12]);
  for (const notice of ofBookings) {
    const { encoding, segments, parts, tooLong, warnings } = await previewNotice(
      app.context,
      notice,
      bookingId,
    );
    assert.deepEqual([encoding, parts.length, tooLong, warnings], ['gsm7', segments, false, []], notice);
  }
  await app.drain();
  const shown = await previewNotice(app.context, 'bookingCreated.customer.sms', bookingId);
  assert.equal(shown.text, app.sms.to(phone)[0]?.body);
});

test('the preview of each notice of a quote equals the sent one', async () => {
  const phone = newPhone();
  const { status, body } = await partner.call(
    'POST',
    '/quotes',
    quoteBody(workshopId, { customerPhone: phone }),
  );
  assert.equal(status, 201);
  const quoteId = body.quote.id;
  await priceQuote(app.context, {
    quoteId,
    lines: ['Brake pads:2:94.50'],
    validDays: '14',
    message: undefined,
    actor: actors.operator,
  });
  await app.drain();
  const shown = await previewNotice(app.context, 'quoteQuoted.customer.sms', quoteId);
  assert.match(shown.text, /: your quote for ABC123 is \$189\.00, valid until /);
  assert.equal(shown.text, app.sms.to(phone)[0]?.body);
  const start = new Date(app.context.clock.now().getTime() + 7 * 86_400_000);
  const date = start.toISOString().slice(0, 10);
  const days = await partner.call('GET', `/workshops/${workshopId}/availabilities?from=${date}`);
  const slot = days.body.days.flatMap(({ slots }: { slots: { time: string }[] }) => slots)[0];
  await acceptQuote(app.context, quoteId, slot.time, actors.customerByLink(newId()));
  await app.drain();
  const accepted = await previewNotice(app.context, 'quoteAccepted.workshop.sms', quoteId);
  assert.match(accepted.text, /^Quote \w{10} accepted \(\$189\.00\): booking [0-9A-Z]{8} for ABC123 on /);
  assert.ok(app.sms.sent.some(({ body: sent }) => sent === accepted.text));
  for (const notice of ofQuotes) {
    const { encoding, segments, parts, tooLong, warnings } = await previewNotice(
      app.context,
      notice,
      quoteId,
    );
    assert.deepEqual([encoding, parts.length, tooLong, warnings], ['gsm7', segments, false, []], notice);
  }
});

test("the workshop's own text, with warnings about its faults", async () => {
  const bookingId = await book((await customer()).phone);
  const purpose = 'bookingConfirmed.customer.sms';
  await template('See https://a.example/{{ booking.code }}.', { purpose });
  const own = await previewNotice(app.context, purpose, bookingId);
  assert.match(own.text, /^See https:\/\/a\.example\/\w{8}\.$/);
  assert.match(own.warnings[0] ?? '', /ends with \./);
  await template('{% for i in (1..900) %}word {% endfor %}', { purpose });
  const long = await previewNotice(app.context, purpose, bookingId);
  assert.deepEqual(
    [long.segments, long.tooLong, long.warnings],
    [10, false, ["the workshop's text is too long, and was shortened"]],
  );
});

test('the notice and its record must exist', async () => {
  const bookingId = await book((await customer()).phone);
  for (const notice of [
    'bookingCreated.customer.email',
    'bookingConfirmed.workshop.sms',
    'x',
    '',
    'a.b.sms',
  ]) {
    await assert.rejects(previewNotice(app.context, notice, bookingId), InvalidInput, notice);
  }
  for (const id of [newId(), 'x']) {
    await assert.rejects(
      previewNotice(app.context, 'bookingCreated.customer.sms', id),
      /there is no booking/,
    );
  }
  // A notice of quotes can't be previewed with a booking.
  await assert.rejects(
    previewNotice(app.context, 'quoteQuoted.customer.sms', bookingId),
    /there is no quote/,
  );
});
