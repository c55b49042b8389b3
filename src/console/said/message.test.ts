/** **Message** of a booking and of a customer: a template is filled in, and a text goes later, as in the inbox. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { sendDueTexts } from '#product/messaging/inbox/later/send-due.ts';
import { talkWorld } from '../../../test/fixtures/answering.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';

const world = await talkWorld();
const { app, workshopId, base, kim, customer, book, template, inDays, bodies } = world;
const { context } = app;

const inFuture = (days: number) => new Date(context.clock.now().getTime() + days * 86_400_000).toISOString();

test('a template is filled in with the booking that the message is about, on a customer’s page with the next one (specification: Answers of the workshop 4)', async () => {
  const { id, phone } = await customer();
  const quietly = { skipNotification: true };
  await book(phone, { ...quietly, bookingTime: inFuture(2), notes: 'the next' });
  const bookingId = await book(phone, { ...quietly, bookingTime: inFuture(9), notes: 'a later one' });
  const templateId = await template('About {{ booking.notes }}', { name: 'Is here' });
  for (const [page, its] of [
    [`${base}/customers/${id}`, 'the next'] as const,
    [`${base}/bookings/${bookingId}`, 'a later one'] as const,
  ]) {
    const action = `${page}/message`;
    assert.match((await kim.get(action)).text, /<label for="template">Template/);
    const fields = { ...fieldsOf((await kim.get(action)).text, action), message: 'Hello' };
    const filled = await kim.post(`${action}/preview`, { ...fields, template: templateId, fill: 'yes' });
    assert.match(filled.text, new RegExp(`>\nHello\nAbout ${its}</textarea>`), page);
    assert.match(filled.text, /aria-label="Preview"/);
  }
  assert.deepEqual(await bodies({ phone, customerId: id, conversationId: '', path: '' }), []);
});

test('always: who may not text in their own words, or is of another workshop, schedules and previews nothing', async () => {
  const { id, phone } = await customer();
  const bookingId = await book(phone, { skipNotification: true });
  const mute = await signedInPerson(app, [workshopId], 'adviser', { mayText: false });
  const stranger = await signedInPerson(app, []);
  for (const page of [`${base}/customers/${id}`, `${base}/bookings/${bookingId}`])
    for (const to of ['preview', 'later']) {
      const form = { key: newId(), message: 'x', ...inDays(2) };
      assert.equal((await mute.post(`${page}/message/${to}`, form)).status, 403);
      assert.equal((await stranger.post(`${page}/message/${to}`, form)).status, 404);
    }
});

/** The booking that the customer's newest text is about. */
async function aboutOf(customerId: string): Promise<string | null> {
  const [row] = await context.db.query<{ bookingId: string | null }>(
    'SELECT booking_id FROM message WHERE customer_id = $1 ORDER BY id DESC LIMIT 1',
    [customerId],
  );
  return row?.bookingId ?? null;
}

// Booked before the clock is moved, which ends the partner's token.
const early = await (async () => {
  const { id: customerId, phone } = await customer();
  return { customerId, phone, bookingId: await book(phone, { skipNotification: true }) };
})();

test('always: a text of a booking or customer that goes later is stored once, shown there and in the inbox, and goes once', async () => {
  const { id: customerId, phone } = await customer();
  const bookingId = await book(phone, { skipNotification: true });
  for (const page of [`${base}/customers/${customerId}`, `${base}/bookings/${bookingId}`]) {
    app.sms.clear();
    const action = `${page}/message`;
    const shown = (await kim.get(action)).text;
    assert.match(shown, /<summary>Send later<\/summary>/);
    const form = { ...fieldsOf(shown, action), message: 'Ready at five' };
    const wrong = await kim.post(`${action}/later`, form);
    assert.match(wrong.text, /Time is needed, and the date/);
    assert.match(wrong.text, />\nReady at five<\/textarea>/);
    const later = { ...form, ...inDays(2) };
    for (const { status, location } of await Promise.all(
      [1, 2].map(() => kim.post(`${action}/later`, later)),
    ))
      assert.deepEqual([status, location], [303, `${page}?done=scheduled`]);
    const after = (await kim.get(action)).text;
    assert.equal(after.split('<p class="message">Ready at five').length, 2, page);
    const [, talk = ''] = /action="([^"]*\/inbox\/[^"]*)\/later\/cancel"/.exec(after) ?? [];
    assert.match((await kim.get(talk)).text, /To be sent later[\s\S]*Ready at five/);
    app.advance(3 * 86_400);
    await sendDueTexts(context);
    await app.drain();
    assert.deepEqual(
      app.sms.to(phone).map(({ body }) => body),
      ['Ready at five'],
    );
    assert.equal(await aboutOf(customerId), page.endsWith(bookingId) ? bookingId : null);
  }
});

test('a text about a booking that waits is still about it once it is changed, sent now or held back', async () => {
  const { customerId, phone, bookingId } = early;
  const action = `${base}/bookings/${bookingId}/message`;
  const scheduled = async (message: string) => {
    const form = { ...fieldsOf((await kim.get(action)).text, action), message, ...inDays(2) };
    assert.equal((await kim.post(`${action}/later`, form)).status, 303);
    const shown = (await kim.get(action)).text;
    const [, talk = ''] = /action="([^"]*\/inbox\/[^"]*)\/later\/cancel"/.exec(shown) ?? [];
    const [, waiting = ''] = /name="waiting" value="([^"]*)"/.exec(shown) ?? [];
    return { talk, waiting, seen: /name="seen" value="([^"]*)"/.exec(shown)?.[1] ?? '' };
  };
  const first = await scheduled('At five');
  const now = { key: newId(), waiting: first.waiting, seen: first.seen };
  assert.equal((await kim.post(`${first.talk}/later/now`, now)).status, 303);
  assert.equal(await aboutOf(customerId), bookingId);

  const second = await scheduled('At six');
  const change = `${second.talk}?change=${second.waiting}`;
  const typed = { ...fieldsOf((await kim.get(change)).text, `${second.talk}/answer`), answer: 'At seven' };
  const later = await kim.post(`${second.talk}/later`, { ...typed, ...inDays(3) });
  assert.equal(later.status, 303, later.text);
  await inboundWorld(app).answer(phone, 'Wait');
  app.advance(4 * 86_400);
  await sendDueTexts(context);
  const [held] = await context.db.query<{ body: string; bookingId: string }>(
    `SELECT body, booking_id FROM message WHERE customer_id = $1 AND reason = 'heldBack'`,
    [customerId],
  );
  assert.deepEqual(held, { body: 'At seven', bookingId });
});
