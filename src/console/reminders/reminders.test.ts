/** The pages of reminders: filters by due date, Send now against the schedule and against itself, Stop, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { sendDueReminders } from '#product/reminders/schedule/send-due.ts';
import { sendReminderNow } from '#product/reminders/schedule/send-now.ts';
import { setLink } from '#product/workshops/link.ts';
import { baseOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { reminderWorld } from '../../../test/fixtures/reminder-api.ts';

const { app, partner, workshopId, newPhone, remind, readReminder, reminderEvents, sendDue } =
  await reminderWorld({ config: { staffSmsPerWorkshop: 8 } });
const { context } = app;
const { db, clock } = context;
const base = await baseOf(app, workshopId);
const reminders = `${base}/reminders`;
const { owner, adviser, technician, viewer } = await peopleOf(app, workshopId);

const { operator } = actors;
const day = 86_400_000;
async function scheduled(days = 30, changes: object = {}) {
  const phone = newPhone();
  const sendAt = new Date(clock.now().getTime() + days * day).toISOString();
  const { serviceReminder } = await remind({
    customerPhone: phone,
    sendAt,
    customerName: 'Sam Taylor',
    ...changes,
  });
  return { ...serviceReminder, phone, path: `${reminders}/${serviceReminder.id}` };
}
const kindsOf = async (id: string) => (await reminderEvents(id)).map(({ kind }) => kind.split('.')[1]);
const bodiesTo = (phone: string) => app.sms.to(phone).map(({ body }) => body);
const askedBy = async (id: string) =>
  (
    await db.query<{ actor: string }>(
      `SELECT actor FROM audit_entry WHERE subject_id = $1 AND action = 'serviceReminder.sendAsked'`,
      [id],
    )
  ).map(({ actor }) => actor);

test('Send now shows the text, sends it at once and once, as the person; it is sent no more when it is due (specification: Service reminders 9 and 11)', async () => {
  const { id, path, phone, dueDate } = await scheduled();
  const page = (await adviser.get(path)).text;
  const { status, location } = await adviser.submit(path, `${path}/send`);
  assert.deepEqual([status, location], [303, `${path}?done=sent`]);
  assert.match((await adviser.get(path)).text, /→ On its way|→ Sent/);
  await app.drain();
  await sendDue();
  const [body, ...more] = bodiesTo(phone);
  assert.deepEqual(more, []);
  assert.ok(page.includes(body?.slice(0, 40) ?? 'nothing'), 'the text was shown');
  const now = await readReminder(id);
  assert.deepEqual([now.status, now.dueDate], ['sent', dueDate]);
  assert.deepEqual(await kindsOf(id), ['scheduled', 'sent']);
  assert.deepEqual(await askedBy(id), [`person ${adviser.personId}`]);
  const after = (await adviser.get(path)).text;
  assert.match(after, /We, SMS, .*, sent.*is due for a service/s);
  assert.doesNotMatch(after, /action="[^"]*\/(send|stop)"/);
});

test('Send now against the schedule at the same instant, and twice by two people: one SMS, and one is told (specification: Service reminders 9 and 11)', async () => {
  const { id, path, phone } = await scheduled(1);
  app.advance(day / 1_000 + 1);
  const form = { version: '1' };
  const [one, other] = await Promise.all([
    owner.post(`${path}/send`, { ...form, key: newId() }),
    adviser.post(`${path}/send`, { ...form, key: newId() }),
    sendDueReminders(context),
    sendDueReminders(context),
  ]);
  await app.drain();
  await sendDue();
  assert.equal(bodiesTo(phone).length, 1);
  assert.deepEqual(await kindsOf(id), ['scheduled', 'sent']);
  const asked = await askedBy(id);
  assert.equal([one, other].filter(({ status }) => status === 303).length, asked.length);
  for (const { status, text } of [one, other])
    if (status !== 303) {
      assert.equal(status, 422);
      assert.match(text, /not scheduled any more, or is on its way|Somebody changed this meanwhile/);
    }
});

test('a double click sends once, and both get the first answer', async () => {
  const { path, phone } = await scheduled();
  const form = { version: '1', key: newId() };
  const sent = await Promise.all(Array.from({ length: 3 }, () => owner.post(`${path}/send`, form)));
  assert.deepEqual(
    sent.map(({ status, location }) => `${status} ${location}`),
    Array(3).fill(`303 ${path}?done=sent`),
  );
  await app.drain();
  assert.equal(bodiesTo(phone).length, 1);
});

test('Stop: never sent, its partner hears of it from the person; the second reads who was first (specification: Service reminders 9)', async () => {
  const { id, path, phone } = await scheduled(2);
  const seen = { version: '1', key: newId() };
  const stopped = await adviser.submit(path, `${path}/stop`);
  assert.deepEqual([stopped.status, stopped.location], [303, `${path}?done=stopped`]);
  await app.drain();
  for (const what of ['stop', 'send']) {
    const { status, text } = await owner.post(`${path}/${what}`, { ...seen, key: newId() });
    assert.equal(status, 422);
    assert.match(
      text,
      new RegExp(`Somebody changed this meanwhile.*<strong>${adviser.name}</strong> cancelled it`, 's'),
    );
  }
  app.advance((2 * day) / 1_000 + 1);
  await sendDue();
  assert.deepEqual(bodiesTo(phone), []);
  assert.deepEqual(await kindsOf(id), ['scheduled', 'cancelled']);
  const [event] = await db.query<{ actor: string }>(
    `SELECT actor FROM event WHERE subject_id = $1 AND kind = 'serviceReminder.cancelled'`,
    [id],
  );
  assert.equal(event?.actor, `person ${adviser.personId}`);
  assert.equal((await partner.call('POST', `/reminders/services/${id}/cancel`)).body.errorCode, '080002');
});

test('Send now against Stop: one of them happens', async () => {
  const { id, path, phone } = await scheduled();
  const answers = await Promise.all(
    ['send', 'stop'].map((what) => owner.post(`${path}/${what}`, { version: '1', key: newId() })),
  );
  await app.drain();
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 422]);
  const isSent = answers[0]?.status === 303;
  assert.equal(bodiesTo(phone).length, isSent ? 1 : 0);
  assert.deepEqual(await kindsOf(id), ['scheduled', isSent ? 'sent' : 'cancelled']);
});

test('who has opted out is shown and not texted, also where the page was older; a partner whose link is off sends nothing, and Stop works (specification: Service reminders 11)', async () => {
  const { id, path, phone, customerId } = await scheduled();
  const form = { version: '1', key: newId() };
  await setOptedOut({ db, clock }, customerId, true, operator);
  const page = (await owner.get(path)).text;
  assert.match(page, /✕ Opted out.*It can't be sent: the customer has opted out of SMS/s);
  assert.doesNotMatch(page, />Send now</);
  const refused = await owner.post(`${path}/send`, form);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /not sent: the customer has opted out of SMS/);
  const other = await scheduled();
  const link = { partnerId: partner.partnerId, workshopId };
  await setLink({ db, clock }, { ...link, active: false }, operator);
  assert.equal((await owner.post(`${other.path}/send`, { version: '1', key: newId() })).status, 422);
  assert.equal((await owner.submit(other.path, `${other.path}/stop`)).status, 303);
  await setLink({ db, clock }, { ...link, active: true }, operator);
  await app.drain();
  assert.deepEqual([bodiesTo(phone), bodiesTo(other.phone)], [[], []]);
  // What was refused waits as before.
  assert.equal((await readReminder(id)).status, 'scheduled');
  assert.deepEqual(await askedBy(id), []);
});

test('due ones by their due date, the others the latest first; pages meet; nothing follows one of elsewhere', async () => {
  for (let n = 0; n < 55; n++) await scheduled(100 + ((n * 7) % 11));
  const ids: string[] = [];
  for (let path: string | undefined = reminders; path !== undefined; ) {
    const { text } = await owner.get(path);
    ids.push(...[...text.matchAll(/reminders\/([0-9a-f-]{36})">[A-Z]/g)].map(([, id]) => id ?? ''));
    path = /href="([^"]+)">Next page</.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  const stored = await db.query<{ id: string }>(
    `SELECT id FROM service_reminder WHERE workshop_id = $1 AND status = 'scheduled' ORDER BY due_at, id`,
    [workshopId],
  );
  assert.ok(ids.length > 55);
  assert.deepEqual(
    ids,
    stored.map(({ id }) => id),
  );
  const sent = (await owner.get(`${reminders}?filter=sent`)).text;
  assert.match(sent, /→ Sent/);
  assert.doesNotMatch(sent, /○ Due/);
  assert.match((await owner.get(`${reminders}?filter=stopped`)).text, /✕ Stopped/);
  assert.match((await owner.get(`${reminders}?after=${newId()}`)).text, /No reminder is to be sent/);
});

test('owner and adviser alone; phones are masked in the text too for who may not see them', async () => {
  const { path, phone } = await scheduled();
  for (const by of [technician, viewer])
    for (const address of [reminders, path]) assert.equal((await by.get(address)).status, 403);
  const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
  for (const address of [reminders, path]) {
    const { text } = await blind.get(address);
    assert.ok(!text.replaceAll(/\D/g, '').includes(phone.slice(3)), address);
    assert.doesNotMatch(text, /tel:/);
  }
});

test('what a person has sent counts among the texts of people; what is refused for it stays scheduled (specification: Service reminders 9 and 11)', async () => {
  const send = (id: string) => sendReminderNow(context, { workshopId, reminderId: id, actor: operator });
  let sent = 0;
  for (; sent < 9; sent++) {
    const { id, path } = await scheduled();
    const isSent = await send(id).then(
      () => true,
      () => false,
    );
    if (isSent) continue;
    const { status, text } = await owner.submit(path, `${path}/send`);
    assert.equal(status, 422);
    assert.match(text, /the people of a workshop send at most 8 texts an hour/);
    assert.equal((await readReminder(id)).status, 'scheduled');
    break;
  }
  assert.ok(sent < 9);
  await assert.rejects(
    sendReminderNow(context, { workshopId: newId(), reminderId: newId(), actor: operator }),
    /not found/i,
  );
});
