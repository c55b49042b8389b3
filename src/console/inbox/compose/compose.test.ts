/** Answering in the browser: the form, its count and templates, and that no reply goes twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { optOut } from '#product/customers/opt-out.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { talkWorld } from '../../../../test/fixtures/answering.ts';
import { forgetRates } from '../../../../test/fixtures/messaging.ts';
import { fieldsOf, signedInPerson } from '../../../../test/fixtures/office.ts';

const world = await talkWorld();
const { app, workshopId, base, kim, lee, talk, opened, bodies, answer, send, customer, book, template } =
  world;
const { context } = app;
const { db, clock } = context;

test('an answer goes out and leads back to the talk; a second click gets the first’s answer', async () => {
  const of = await talk();
  const form = { ...(await opened(kim, of)), answer: 'At five' };
  const answers = await Promise.all([1, 2, 3].map(() => kim.post(`${of.path}/answer`, form)));
  for (const { status, location } of answers)
    assert.deepEqual([status, location], [303, `${of.path}?done=sent`]);
  // The back button brings the same form.
  assert.equal((await kim.post(`${of.path}/answer`, { ...form, answer: 'At six' })).status, 303);
  assert.deepEqual(await bodies(of), ['At five']);
  assert.match((await kim.get(`${of.path}?done=sent`)).text, /On its way\./);
});

test('two people at once: the second sees the first’s, keeps what was typed, and may send it then (specification: Answers of the workshop 1)', async () => {
  const of = await talk();
  const forms = [await opened(kim, of), await opened(lee, of)];
  const [one, other] = await Promise.all([
    kim.post(`${of.path}/answer`, { ...forms[0], answer: 'From Kim' }),
    lee.post(`${of.path}/answer`, { ...forms[1], answer: 'From Lee' }),
  ]);
  assert.deepEqual([one.status, other.status].sort(), [303, 422]);
  const [refused, by, theirs, mine, who] =
    one.status === 422
      ? [one, kim, 'From Lee', 'From Kim', lee.name]
      : [other, lee, 'From Kim', 'From Lee', kim.name];
  assert.match(refused.text, /The customer was answered meanwhile/);
  assert.match(refused.text, new RegExp(`${who}, [^<]*</p><p class="message">${theirs}`));
  assert.match(refused.text, new RegExp(`<textarea id="answer"[^>]*>\n${mine}</textarea>`));
  assert.deepEqual(await bodies(of), [theirs]);
  const again = await by.post(`${of.path}/answer`, {
    ...fieldsOf(refused.text, `${of.path}/answer`),
    answer: mine,
  });
  assert.equal(again.status, 303);
  assert.deepEqual(await bodies(of), [theirs, mine]);
});

test('two tabs of one person: the second, with a key of its own, sees the first', async () => {
  const of = await talk();
  const tabs = [await opened(kim, of), await opened(kim, of)];
  assert.notEqual(tabs[0]?.['key'], tabs[1]?.['key']);
  const sent = await kim.post(`${of.path}/answer`, { ...tabs[0], answer: 'At five' });
  const second = await kim.post(`${of.path}/answer`, { ...tabs[1], answer: 'At five' });
  assert.deepEqual([sent.status, second.status], [303, 422]);
  assert.match(second.text, /You, [^<]*<\/p><p class="message">At five/);
  assert.deepEqual(await bodies(of), ['At five']);
});

test('a partner’s text and a reply by e-mail count as answers; the customer’s own and one that failed do not (specification: Answers of the workshop 1)', async () => {
  const of = await talk();
  const answerWith = async (form: Record<string, string>) => {
    // Five a second are accepted for one customer.
    await forgetRates(app);
    const { status, text } = await kim.post(`${of.path}/answer`, { ...form, answer: 'At five' });
    assert.equal(status === 422, /answered meanwhile/.test(text));
    return status;
  };
  const first = await opened(kim, of);
  await send({ phone: of.phone, channels: { sms: { message: 'From the partner' } } });
  assert.equal(await answerWith(first), 422);
  const second = await opened(kim, of);
  await reply(context, of.conversationId, 'By e-mail', actors.operator);
  assert.equal(await answerWith(second), 422);
  const third = await opened(kim, of);
  await answer(of.phone, 'Hello?');
  app.sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  await send({ phone: of.phone });
  assert.equal(await answerWith(third), 303);
  // As one that had failed, and that the operator has tried again: it is still to arrive.
  await db.query(
    `UPDATE message SET state = 'failed', reason = 'refused' FROM queued_message q WHERE q.message_id = message.id`,
  );
  assert.equal(await answerWith({ ...third, key: newId() }), 422);
});

test('the Message form of a customer and of a booking asks the same', async () => {
  const of = await talk();
  const bookingId = await book(of.phone, { skipNotification: true });
  for (const page of [`${base}/customers/${of.customerId}`, `${base}/bookings/${bookingId}`]) {
    const action = `${page}/message`;
    const tabs = [await kim.get(action), await kim.get(action)].map(({ text }) => fieldsOf(text, action));
    const [one, other] = [
      await kim.post(action, { ...tabs[0], message: 'Come at five' }),
      await kim.post(action, { ...tabs[1], message: 'Come at five' }),
    ];
    assert.deepEqual([one.status, other.status], [303, 422], page);
    assert.match(other.text, /The customer was answered meanwhile/);
  }
});

test('without JavaScript the count, the cost and the parts are shown by Preview, which sends nothing', async () => {
  const of = await talk();
  const typed = `${'x'.repeat(160)}ї`;
  const { status, text } = await kim.post(`${of.path}/preview`, {
    ...(await opened(kim, of)),
    answer: typed,
  });
  assert.equal(status, 200);
  assert.match(
    text,
    /<p class="hint" data-segments>3 segments \(special characters\), 0\.237 AUD; 40 left<\/p>/,
  );
  assert.equal(text.match(/<li><p class="message">x+ї?<\/p>/g)?.length, 3);
  assert.doesNotMatch(text, /data-stream/, 'it would fetch itself, and lose the text');
  assert.match(text, /Segments are shorter with ї in them/);
  assert.match(text, new RegExp(`>\n${typed}</textarea>`));
  assert.deepEqual(await bodies(of), []);
  const long = await kim.post(`${of.path}/answer`, { ...(await opened(kim, of)), answer: 'x'.repeat(1_531) });
  assert.equal(long.status, 422);
  assert.match(long.text, /Answer is 11 SMS segments long/);
  const blank = await kim.post(`${of.path}/answer`, await opened(kim, of));
  assert.match(blank.text, /Answer must not be blank/);
});

test('a template is filled in for the customer and their next booking, to be changed; what has no value is said (specification: Answers of the workshop 4)', async () => {
  const of = await talk({ firstName: 'Mia' });
  await template('draft', { name: 'A draft', draft: true });
  const id = await template(
    'Hi {{ customer.firstName }}, {{ booking.dateTime }}: {{ car.rego }}{{ car.vin }}. {{ workshop.phone }}',
    { name: 'See you' },
  );
  const page = await kim.get(of.path);
  assert.match(page.text, /<option value="[^"]*">See you<\/option>/);
  assert.doesNotMatch(page.text, /A draft/);
  const fill = async (by = kim) =>
    by.post(`${of.path}/preview`, { ...(await opened(by, of)), template: id, fill: 'yes' });
  const without = (await fill()).text;
  assert.match(without, /Nothing is known for booking\.dateTime, car\.rego, car\.vin/);
  assert.match(without, />\nHi Mia, : \. \(03\) 5550 1234<\/textarea>/);
  const bookingTime = new Date(clock.now().getTime() + 3 * 86_400_000).toISOString();
  await book(of.phone, { customerName: 'Mia Lee', carRego: 'MIA1', bookingTime, skipNotification: true });
  const filled = (await fill()).text;
  assert.match(filled, />\nHi Mia, [A-Z][a-z]{2} .*: MIA1\. \(03\) 5550 1234<\/textarea>/);
  assert.match(filled, /Nothing is known for car\.vin:/);
  const both = await kim.post(`${of.path}/preview`, { fill: 'yes', template: id, answer: 'Thanks!' });
  assert.match(both.text, />\nThanks!\nHi Mia, /);
  assert.match(
    (await kim.post(`${of.path}/preview`, { fill: 'yes', template: newId() })).text,
    /Choose a template/,
  );
});

test('no form for a customer who has opted out, or has no number, and none for whoever may not text', async () => {
  const of = await talk();
  const muted = await signedInPerson(app, [workshopId], 'adviser', { mayText: false });
  assert.doesNotMatch((await muted.get(of.path)).text, /id="compose"|name="answer"/);
  assert.equal((await muted.post(`${of.path}/answer`, { answer: 'x' })).status, 403);
  const form = await opened(kim, of);
  const actor = actors.person(kim.personId, 'r-1');
  await optOut(context, { workshopId, customerId: of.customerId, actor });
  const { text } = await kim.get(of.path);
  assert.match(text, /The customer has opted out of SMS: nothing can be sent/);
  assert.doesNotMatch(text, /name="answer"/);
  const refused = await kim.post(`${of.path}/answer`, { ...form, answer: 'x' });
  assert.deepEqual([refused.status, await bodies(of)], [422, []]);
  const gone = await talk();
  await db.query('UPDATE customer SET phone = NULL WHERE id = $1', [gone.customerId]);
  assert.match((await kim.get(gone.path)).text, /The customer has no number: nothing can be sent/);
});

test('a first text asks why, and a number abroad an owner: the form asks, and keeps what was typed', async () => {
  const phone = '+6421123999';
  const { id } = await customer({ phone });
  const conversationId = newId();
  await db.query(
    'INSERT INTO conversation (id, workshop_id, customer_id, created_at) VALUES ($1, $2, $3, now())',
    [...[conversationId, workshopId, id]],
  );
  const path = `${base}/inbox/${conversationId}`;
  const of = { path, phone, customerId: id, conversationId };
  const asked = await lee.post(`${path}/answer`, { ...(await opened(lee, of)), answer: 'Hello' });
  assert.equal(asked.status, 422);
  assert.match(
    asked.text,
    /Why may this number be texted\?[\s\S]*Let this number of another country be texted/,
  );
  const form = { ...fieldsOf(asked.text, `${path}/answer`), answer: 'Hello' };
  const sent = await lee.post(`${path}/answer`, { ...form, reason: 'They rang us', allowAbroad: 'yes' });
  assert.equal(sent.status, 303);
  assert.deepEqual(await bodies(of), ['Hello']);
});
