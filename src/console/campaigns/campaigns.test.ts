/** Long because one world serves all its cases. */

/** The pages of blasts and automations: when, to whom, which text, how far; Pause, Resume and Stop; and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setAutomationStatus } from '#product/campaigns/automations/change.ts';
import { advanceBlasts } from '#product/campaigns/blasts/advance.ts';
import { changeBlast } from '#product/campaigns/blasts/change.ts';
import { triggerOwnBlast } from '#product/campaigns/blasts/own.ts';
import { unpublishTemplate } from '#product/templates/publish.ts';
import { updateTemplate } from '#product/templates/update.ts';
import { automationWorld } from '../../../test/fixtures/campaigns.ts';
import { openStream } from '../../../test/fixtures/event-stream.ts';
import { baseOf, fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const world = await automationWorld();
const { app, db, clock, context, workshopId, template, customers, blast, work, until, automation, trigger } =
  world;
const base = await baseOf(app, workshopId);
const owner = await signedInPerson(app, [workshopId]);
const colleague = await signedInPerson(app, [workshopId]);
const { operator } = actors;
const pathOf = (id: string) => `${base}/blasts/${id}`;
const start = (id: string, at?: string) => triggerOwnBlast(context, id, at, operator);
const textOf = async (path: string, by = owner) => (await by.get(path)).text;
const inWords = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const statusOf = async (id: string) =>
  (await db.query<{ status: string }>('SELECT status FROM blast WHERE id = $1', [id]))[0]?.status;
const changesOf = async (id: string) =>
  (
    await db.query<{ words: string }>(
      `SELECT split_part(actor, ' ', 1) || ' ' || (after ->> 'status') AS words FROM audit_entry
        WHERE subject_id = $1 AND action LIKE '%.changed' ORDER BY id`,
      [id],
    )
  ).map(({ words }) => words);

/** A blast to new customers alone, that has texted `sent` of them: the others wait for the morning. */
async function halfSent(count = 4, sent = 1) {
  const people = await customers(count);
  const tag = newId().slice(0, 12);
  await db.query('UPDATE customer SET tags = ARRAY[$2] WHERE id = ANY ($1::uuid[])', [people, tag]);
  const id = await blast({ name: `Winter ${tag}`, audience: JSON.stringify({ tags: [tag] }) });
  until(12);
  await start(id);
  await advanceBlasts(context);
  await changeBlast(context, id, 'pause', operator);
  await db.query(
    `UPDATE message SET state = 'accepted' WHERE id IN (
       SELECT id FROM message WHERE cause_id = $1 ORDER BY id LIMIT $2)`,
    [id, sent],
  );
  await db.query(
    'DELETE FROM queued_message q USING message m WHERE m.id = q.message_id AND m.cause_id = $1 AND m.state = $2',
    [id, 'accepted'],
  );
  await changeBlast(context, id, 'resume', operator);
  return { id, path: pathOf(id), people };
}

test('a blast says when, to whom in words, and which text; that of one that has begun stays as it was fixed', async () => {
  const templateId = await template('Winter tyres at {{ workshop.name }}, {{ customer.firstName }}.');
  const audience = {
    ...{ lastVisitBefore: '2026-03-03', serviceCategories: ['service', 'tyres'] },
    ...{ carYearFrom: 2010, carYearTo: 2015, tags: ['fleet'] },
  };
  const id = await blast({ template: templateId, name: 'Winter', audience: JSON.stringify(audience) });
  const words = 'Not here since 3 March 2026, Maintenance or Tyres, cars of 2010 to 2015, tag fleet';
  const draft = inWords(await textOf(pathOf(id)));
  assert.match(draft, /○ Draft.*It is a draft/);
  assert.ok(draft.includes(words));
  await start(id, '2035-05-01 09:00');
  const list = inWords(await textOf(`${base}/blasts`));
  assert.ok(list.includes(`Winter ◷ Scheduled From Tue 1 May 2035, 9:00 am · ${words}`), list);
  assert.match(list, /Winter tyres at \{\{ workshop\.name \}\}/);
  const scheduled = inWords(await textOf(pathOf(id)));
  assert.match(scheduled, /Send at Tue 1 May 2035, 9:00 am/);
  await changeBlast(context, id, 'cancel', operator);

  const all = await blast({ template: templateId });
  await start(all);
  await advanceBlasts(context);
  await updateTemplate({ db, clock }, templateId, { body: 'Summer tyres' }, operator);
  const begun = inWords(await textOf(pathOf(all)));
  assert.match(begun, /All customers.*Winter tyres at/);
  assert.doesNotMatch(begun, /Summer/);
});

test('always: Stop says how many do not get it, sends them nothing more, and is done once, as the person (specification: Blasts 6)', async () => {
  const { id, path } = await halfSent(4, 1);
  const before = await textOf(path);
  assert.match(inWords(before), /3 customers have not had it, and will not get it/);
  const form = fieldsOf(before, `${path}/stop`);
  const answers = await Promise.all([owner.post(`${path}/stop`, form), owner.post(`${path}/stop`, form)]);
  for (const { status, location } of answers)
    assert.deepEqual([status, location], [303, `${path}?done=stopped`]);
  app.sms.clear();
  await work();
  assert.equal(app.sms.sent.length, 0);
  assert.deepEqual(
    (await changesOf(id)).filter((each) => each.startsWith('person')),
    ['person cancelled'],
  );
  const after = await textOf(`${path}?done=stopped`);
  assert.match(inWords(after), /Stopped: 3 customers will not get it/);
  assert.match(
    inWords(after),
    /✕ Stopped.*Customers 4.*Sent 1.*Left out 3.*3: it was stopped before their turn/,
  );
  assert.match(inWords(after), new RegExp(`${owner.name} stopped it`));
  assert.doesNotMatch(after, /<form method="post" action="[^"]*\/(pause|resume|stop)"/);
});

test('always: Pause holds what waits, and Resume, after a sign-in of the last 15 minutes, sends each once', async () => {
  const { id, path } = await halfSent(3, 1);
  assert.equal((await owner.submit(path, `${path}/pause`)).status, 303);
  app.sms.clear();
  await work();
  assert.deepEqual([await statusOf(id), app.sms.sent.length], ['paused', 0]);
  const paused = await textOf(path);
  assert.match(inWords(paused), /‖ Paused.*Nothing goes until it is resumed.*2 customers wait for it/);
  await db.query(
    `UPDATE session SET signed_in_at = clock_timestamp() - interval '16 minutes' WHERE person_id = $1`,
    [owner.personId],
  );
  const asked = await owner.post(`${path}/resume`, fieldsOf(paused, `${path}/resume`));
  assert.equal(asked.status, 303);
  assert.match(asked.location ?? '', /^\/console\/sign-in/);
  assert.equal(await statusOf(id), 'paused');
  await db.query('UPDATE session SET signed_in_at = clock_timestamp() WHERE person_id = $1', [
    owner.personId,
  ]);
  const form = fieldsOf(await textOf(path), `${path}/resume`);
  const resumed = await owner.post(`${path}/resume`, form);
  assert.deepEqual([resumed.status, resumed.location], [303, `${path}?done=resumed`]);
  // A key that was used answers the same, whatever the form says.
  assert.equal((await owner.post(`${path}/resume`, form)).location, `${path}?done=resumed`);
  await work();
  assert.deepEqual([await statusOf(id), app.sms.sent.length], ['completed', 2]);
  const done = inWords(await textOf(path));
  assert.match(done, /✓ Sent.*Customers 3 Sent 3.*Schedule completed it.*Schedule began to send it/);
});

test('always: who has not seen what another changed is told who changed what, and overwrites nothing (specification: Blasts 6)', async () => {
  const { id, path } = await halfSent();
  const page = await textOf(path);
  const stop = fieldsOf(page, `${path}/stop`);
  assert.equal((await colleague.submit(path, `${path}/pause`)).status, 303);
  const late = await owner.post(`${path}/stop`, stop);
  assert.equal(late.status, 422);
  assert.match(
    inWords(late.text),
    new RegExp(`Somebody changed this meanwhile.*${colleague.name} paused it`),
  );
  assert.equal(await statusOf(id), 'paused');
  // What was shown again carries what is true now.
  assert.equal((await owner.post(`${path}/stop`, fieldsOf(late.text, `${path}/stop`))).status, 303);
  assert.equal(await statusOf(id), 'cancelled');
  const again = await owner.post(`${path}/pause`, { ...fieldsOf(page, `${path}/pause`), key: newId() });
  assert.equal(again.status, 422);
  assert.match(inWords(again.text), /stopped it/);
});

test('always: that sending began or ended by itself keeps nobody from stopping it; what has ended says so (specification: Blasts 6)', async () => {
  const [one] = await customers(1);
  await db.query(`UPDATE customer SET tags = ARRAY['begins'] WHERE id = $1`, [one]);
  const id = await blast({ audience: '{"tags":["begins"]}' });
  const path = pathOf(id);
  until(12);
  await start(id);
  const shown = await textOf(path);
  await advanceBlasts(context);
  assert.equal(await statusOf(id), 'sending');
  assert.equal((await owner.post(`${path}/pause`, fieldsOf(shown, `${path}/pause`))).status, 303);
  await changeBlast(context, id, 'resume', operator);
  const sending = await textOf(path);
  await work();
  assert.equal(await statusOf(id), 'completed');
  const late = await owner.post(`${path}/stop`, fieldsOf(sending, `${path}/stop`));
  assert.equal(late.status, 422);
  assert.match(inWords(late.text), /It has ended: everybody had their turn/);
});

test('a blast that could not begin says why it is paused', async () => {
  const templateId = await template();
  const id = await blast({ template: templateId });
  until(12);
  await start(id);
  await unpublishTemplate({ db, clock }, templateId, operator);
  await advanceBlasts(context);
  const page = inWords(await textOf(pathOf(id)));
  assert.match(page, /It was paused because the template of its text is not published/);
  assert.match(page, /Schedule paused it .* reason: the template of its text is not published/);
});

test('always: a preview counts whom it shows and hides phones from who may not see them; one that has begun has none', async () => {
  const people = await customers(2);
  await db.query(`UPDATE customer SET tags = ARRAY['seen'], phone = '+64211234567' WHERE id = $1`, [
    people[0],
  ]);
  await db.query(`UPDATE customer SET tags = ARRAY['seen'] WHERE id = $1`, [people[1]]);
  const id = await blast({ audience: '{"tags":["seen"]}' });
  const path = pathOf(id);
  const page = await textOf(`${path}/preview`);
  const [row] = await db.query<{ phone: string; name: string }>(
    'SELECT phone, name FROM customer WHERE id = $1',
    [people[1]],
  );
  assert.match(
    inWords(page),
    /Would get it 1 customer Left out 1 customer: the number is of another country/,
  );
  assert.ok(page.includes(`tel:${row?.phone}`));
  assert.match(inWords(page), /Harbour Motors: Hi C\d, come by\. ?Reply STOP to end 1 segment/);
  const counted = await db.query<{ customerId: string }>(
    'SELECT customer_id FROM shown_customer WHERE person_id = $1',
    [owner.personId],
  );
  assert.deepEqual(
    counted.map(({ customerId }) => customerId),
    [people[1]],
  );
  const blind = await signedInPerson(app, [workshopId], 'owner', { seesPhones: false });
  const masked = await textOf(`${path}/preview`, blind);
  assert.match(masked, /aria-label="hidden"/);
  assert.ok(!masked.includes(row?.phone.slice(4) ?? ''));
  until(12);
  await start(id);
  await advanceBlasts(context);
  assert.equal((await owner.get(`${path}/preview`)).location, path);
});

test('an open page hears of a change by the command line, and of a beginning by its time', async () => {
  const id = await blast({ audience: '{"neverVisited":false}' });
  assert.match(await textOf(pathOf(id)), /data-live="settings message clock"/);
  const stream = await openStream(app.url, owner.cookie, `${base}/changes`);
  await start(id);
  await stream.hears('settings', workshopId);
  stream.close();
});

test('always: of another workshop nothing is shown or changed', async () => {
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const stranger = await signedInPerson(app, [elsewhere]);
  const theirs = await baseOf(app, elsewhere);
  const { id } = await halfSent(2, 0);
  const ours = await automation();
  const key = newId();
  for (const path of [`blasts/${id}`, `blasts/${id}/preview`, `automations/${ours}`])
    assert.equal((await stranger.get(`${theirs}/${path}`)).status, 404, path);
  for (const path of [`blasts/${id}/stop`, `blasts/${id}/pause`, `automations/${ours}/pause`])
    assert.equal((await stranger.post(`${theirs}/${path}`, { key })).status, 404, path);
  assert.equal(await statusOf(id), 'sending');
  const of = { workshopId: elsewhere, seen: '' };
  await assert.rejects(changeBlast(context, id, 'pause', operator, of), { errorCode: '000002' });
  await assert.rejects(setAutomationStatus({ db, clock }, ours, 'paused', operator, of), {
    errorCode: '000002',
  });
});

test('an automation says when, how much later, for what and which text; Pause and Resume, once, and not over another change (specification: Automations 9)', async () => {
  const id = await automation({
    ...{ name: 'Thanks', trigger: 'bookingCompleted', offsetMinutes: '1530', quietHours: '21:00-07:30' },
    ...{ serviceCategory: ['tyres'], minDaysSinceLastBooking: '90' },
  });
  const path = `${base}/automations/${id}`;
  const page = await textOf(path);
  assert.match(inWords(page), /When A booking is completed Delay 1 day 1 hour 30 minutes after/);
  assert.match(inWords(page), /Only for Tyres, 90 days or more after their last other booking/);
  assert.match(inWords(page), /Quiet hours 21:00 to 07:30.*Hi \{\{ customer\.firstName \}\}, come by\./);
  assert.match(
    inWords(await textOf(`${base}/automations`)),
    /Thanks ✓ Active A booking is completed, 1 day 1 hour 30 minutes after · only for Tyres/,
  );
  const pause = fieldsOf(page, `${path}/pause`);
  const answers = await Promise.all([owner.post(`${path}/pause`, pause), owner.post(`${path}/pause`, pause)]);
  for (const { location } of answers) assert.equal(location, `${path}?done=paused`);
  assert.deepEqual(await changesOf(id), ['person paused']);
  app.advance(1);
  await setAutomationStatus({ db, clock }, id, 'active', operator);
  const late = await colleague.post(`${path}/pause`, { ...pause, key: newId() });
  assert.equal(late.status, 422);
  assert.match(inWords(late.text), /Somebody changed this meanwhile.*Command line resumed it/);
  assert.equal((await colleague.submit(path, `${path}/pause`)).status, 303);
  app.advance(1);
  assert.equal((await colleague.submit(path, `${path}/resume`)).status, 303);
  assert.deepEqual(await changesOf(id), [
    ...['person paused', 'operator active', 'person paused', 'person active'],
  ]);
});

test('runs with reasons in words, by state and a page at a time, with the customers that are counted', async () => {
  const id = await automation();
  const people = await customers(52);
  for (const customerId of people.slice(0, 2)) await trigger(id, { customerId });
  await work();
  await setAutomationStatus({ db, clock }, id, 'paused', operator);
  await trigger(id, { customerId: people[2] });
  await db.query(
    `INSERT INTO automation_run (id, workshop_id, automation_id, cause, customer_id, status, reason, due_at, created_at)
     SELECT gen_random_uuid(), $1, $2, 'test ' || its, its, 'skipped', 'tooLate', $4, $4 FROM unnest($3::uuid[]) AS its`,
    [workshopId, id, people.slice(3), clock.now()],
  );
  const path = `${base}/automations/${id}`;
  const kim = await signedInPerson(app, [workshopId]);
  const first = await textOf(path, kim);
  const next = /href="([^"]*before=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail();
  const second = await textOf(next, kim);
  const runs = (page: string) => page.split('<li id="run-').length - 1;
  assert.deepEqual([runs(first), runs(second)], [50, 2]);
  const both = inWords(first + second);
  assert.match(both, /– Left out: it was too late for it/);
  assert.match(both, /– Left out: the automation was paused/);
  const [counted] = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM shown_customer WHERE person_id = $1',
    [kim.personId],
  );
  assert.equal(counted?.count, 52);
  const sent = inWords(await textOf(`${path}?filter=sent`, kim));
  assert.equal(sent.match(/✓ Sent/g)?.length, 2);
  assert.doesNotMatch(sent, /– Left out/);
});
