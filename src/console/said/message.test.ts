/** **Message** of a booking and of a customer: a template is filled in, and a text goes later, as in the inbox. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { sendDueTexts } from '#product/messaging/inbox/later/send-due.ts';
import { talkWorld } from '../../../test/fixtures/answering.ts';
import { fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';

const world = await talkWorld();
const { app, workshopId, base, kim, customer, book, template, inDays, bodies } = world;
const { context } = app;

const inFuture = (days: number) => new Date(context.clock.now().getTime() + days * 86_400_000).toISOString();

test('a template is filled in with the booking that the message is about, on a customer’s page with the next one', async () => {
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
  }
});
