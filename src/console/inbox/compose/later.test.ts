/** Texts that go later, and texts that are sent again, in the browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { type Talk, talkWorld } from '../../../../test/fixtures/answering.ts';
import { fieldsOf, signedInPerson } from '../../../../test/fixtures/office.ts';
import { expectErrors } from '../../../../test/harness/log.ts';

const world = await talkWorld();
const { app, workshopId, kim, lee, talk, opened, bodies, answer, template, inDays, sms } = world;
const { context } = app;
const { db, clock } = context;

test('whoever may not see numbers gets none by a template, nor by what waits (specification: Answers of the workshop 4)', async () => {
  const of = await talk();
  const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
  const id = await template('{{ customer.phone }} {{ customer.email }} {{ workshop.phone }}', {
    name: 'Numbers',
  });
  const { text } = await blind.post(`${of.path}/preview`, { template: id, fill: 'yes' });
  assert.match(text, />\n\(03\) 5550 1234<\/textarea>/);
  assert.match(text, /Nothing is known for customer\.email, customer\.phone/);
  const form = { ...(await opened(kim, of)), ...inDays(2), answer: 'Ring 0491 570 156' };
  assert.equal((await kim.post(`${of.path}/later`, form)).status, 303);
  const page = (await blind.get(of.path)).text;
  assert.doesNotMatch(page, /0491 570 156|change=/);
  const now = await blind.submit(of.path, `${of.path}/later/now`);
  assert.equal(now.status, 303);
  assert.deepEqual(await bodies(of), ['Ring 0491 570 156']);
});

test('send later: shown in the talk, changed, sent now, cancelled; a time is needed, to come, and clocks must show it', async () => {
  const of = await talk();
  const later = async (more: Record<string, string>, from: string = of.path) =>
    kim.post(`${of.path}/later`, {
      ...fieldsOf((await kim.get(from)).text, `${of.path}/answer`),
      answer: 'Ready at five',
      ...more,
    });
  assert.match((await later({})).text, /Time is needed, and the date/);
  assert.match((await later(inDays(-1))).text, /Time is past: choose a time/);
  assert.match((await later(inDays(120))).text, /Time is too far ahead: at most 90 days/);
  const scheduled = await later(inDays(2));
  assert.deepEqual([scheduled.status, scheduled.location], [303, `${of.path}?done=scheduled`]);
  const { text } = await kim.get(of.path);
  assert.match(text, /<h2>To be sent later<\/h2>[\s\S]*12:00 pm<\/p><p class="message">Ready at five/);
  const [, change = ''] = /href="([^"#]*\?change=[^"#]*)#compose"/.exec(text) ?? [];
  const changing = await kim.get(change);
  assert.match(changing.text, />\nReady at five<\/textarea>[\s\S]*name="time" type="time" value="12:00"/);
  assert.equal((await later({ ...inDays(3), answer: 'Ready at six' }, change)).status, 303);
  await answer(of.phone, 'Thanks');
  const shown = (await kim.get(of.path)).text;
  assert.match(shown, /Ready at six<\/p><p class="notice bad">! The customer wrote since/);
  assert.doesNotMatch(shown, /Ready at five/);
  // Somebody changes it while another has it sent.
  const stale = fieldsOf(shown, `${of.path}/later/now`);
  assert.equal(
    (await lee.submit(of.path, `${of.path}/later/cancel`)).location,
    `${of.path}?done=textCancelled`,
  );
  const gone = await kim.post(`${of.path}/later/now`, stale);
  assert.equal(gone.status, 422);
  assert.match(gone.text, /does not wait any more/);
  assert.deepEqual(await bodies(of), []);
});

test('a text that was being changed when it ceased to wait is refused once; what was typed then goes', async () => {
  const of = await talk();
  await kim.post(`${of.path}/later`, { ...(await opened(kim, of)), ...inDays(2), answer: 'At five' });
  const [, change = ''] = /href="([^"]*\?change=[^"#]*)#compose"/.exec((await kim.get(of.path)).text) ?? [];
  const action = `${of.path}/answer`;
  const fields = fieldsOf((await kim.get(change)).text, action);
  assert.ok(fields['replaces']);
  await lee.submit(of.path, `${of.path}/later/cancel`);
  const refused = await kim.post(action, { ...fields, answer: 'At six' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /does not wait any more/);
  assert.match(refused.text, />\nAt six<\/textarea>/);
  const once = { ...fieldsOf(refused.text, action), answer: 'At six' };
  assert.equal((await kim.post(action, once)).status, 303);
  assert.deepEqual(await bodies(of), ['At six']);
});

test('Try again sends a text that failed again, once, whoever asks; one that may have arrived only knowingly (specification: Answers of the workshop 3)', async () => {
  const of = await talk();
  expectErrors(/a message is given up/);
  sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  await kim.post(`${of.path}/answer`, { ...(await opened(kim, of)), answer: 'At five' });
  await app.drain();
  const action = `${of.path}/again`;
  const forms = [
    fieldsOf((await kim.get(of.path)).text, action),
    fieldsOf((await lee.get(of.path)).text, action),
  ];
  const letters = async () =>
    (await db.query(`SELECT FROM dead_letter WHERE payload = $1`, [{ messageId: forms[0]?.['message'] }]))
      .length;
  assert.equal(await letters(), 1);
  const answers = await Promise.all([
    kim.post(action, forms[0]),
    kim.post(action, forms[0]),
    lee.post(action, forms[1]),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  assert.deepEqual(await bodies(of), ['At five', 'At five']);
  assert.equal(await letters(), 0, 'the operator has nothing left to try again');
  const [row] = await db.query<{ id: string }>(
    `UPDATE message SET state = 'unknown' WHERE cause_id = $1 RETURNING id`,
    [forms[0]?.['message']],
  );
  const form = { key: newId(), message: row?.id ?? '' };
  const unsure = await kim.post(action, form);
  assert.equal(unsure.status, 422);
  assert.match(unsure.text, /nobody knows whether the first one arrived/);
  assert.match(unsure.text, /it may arrive twice/);
  assert.equal((await kim.post(action, { ...form, twice: 'yes' })).status, 303);
  assert.equal((await bodies(of)).length, 3);
});

test('what arrived, is being tried, is a partner’s, a notice, or of another talk is not sent again (specification: Answers of the workshop 3)', async () => {
  const [of, other] = [await talk(), await talk()];
  const again = async (message: string, by: Talk = of) =>
    (await kim.post(`${by.path}/again`, { key: newId(), message, twice: 'yes' })).text;
  const { messageId } = await reply(context, of.conversationId, 'At five', actors.operator);
  assert.match(await again(messageId), /only a text of yours that did not arrive/);
  await db.query(`UPDATE message SET state = 'failed', reason = 'temporarilyRefused' WHERE id = $1`, [
    messageId,
  ]);
  assert.match(await again(messageId), /still being tried/);
  assert.match(await again(messageId, other), /has no message/);
  assert.match(await again('nothing'), /has no message/);
  for (const kind of ['partnerMessage', 'bookingNotice', 'blast', 'serviceReminder']) {
    await db.query(`UPDATE message SET kind = $2 WHERE id = $1`, [messageId, kind]);
    assert.match(await again(messageId), /only a text of yours/, kind);
  }
});

test('a time that clocks skip is refused, and of one that they show twice the form asks which', async () => {
  const of = await talk();
  // Melbourne: clocks go back on the first Sunday of April, and forward on the first of October.
  const sunday = (month: number, year: number) => {
    const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
    return `${year}-${String(month).padStart(2, '0')}-${String(1 + ((7 - first) % 7)).padStart(2, '0')}`;
  };
  const year = clock.now().getUTCFullYear() + 1;
  const back = sunday(4, year);
  app.advance((Date.parse(`${back}T00:00:00Z`) - clock.now().getTime()) / 1_000 - 20 * 86_400);
  const later = async (more: Record<string, string>) =>
    kim.post(`${of.path}/later`, {
      ...(await opened(kim, of)),
      answer: 'x',
      date: back,
      time: '02:30',
      ...more,
    });
  const asked = await later({});
  assert.equal(asked.status, 422);
  assert.match(asked.text, /name="which" value="second"/);
  assert.equal((await later({ which: 'second' })).status, 303);
  app.advance((Date.parse(`${sunday(10, year)}T00:00:00Z`) - clock.now().getTime()) / 1_000 - 20 * 86_400);
  const skipped = await later({ date: sunday(10, year) });
  assert.match(skipped.text, /is skipped that day/);
});
