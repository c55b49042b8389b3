/** Long because one world serves all its cases. */

/** How a blast is sent: quiet hours, pause, resume, cancel, opt-outs in the middle, texts, counts. */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { sendDue } from '#product/sending/sender.ts';
import { createTemplate } from '#product/templates/create.ts';
import { unpublishTemplate } from '#product/templates/publish.ts';
import { updateTemplate } from '#product/templates/update.ts';
import { composers } from '#work.ts';
import { campaignWorld } from '../../../../test/fixtures/campaigns.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { makeAllDue } from '../../../../test/harness/sending.ts';
import { bookingBody } from '../../../../test/harness/world.ts';
import { advanceBlasts, purgeRecipients } from './advance.ts';
import { changeBlast } from './change.ts';
import { previewBlast } from './preview.ts';
import { queuedAtMost } from './queue.ts';

const world = await campaignWorld();
const { app, db, clock, context, workshopId, until, blast, read, trigger, work, customers, template } = world;
let people: string[] = [];

beforeEach(async () => {
  await work();
  await db.query('TRUNCATE blast_recipient, message, queued_message, send_hold CASCADE');
  await db.query("UPDATE blast SET status = 'cancelled', ended_at = updated_at WHERE ended_at IS NULL");
  await db.query('UPDATE customer SET opted_out_at = clock_timestamp() WHERE opted_out_at IS NULL');
  people = await customers(5);
  app.sms.clear();
  until(12);
});

const phoneOf = async (id: string) =>
  (await db.query<{ phone: string }>('SELECT phone FROM customer WHERE id = $1', [id]))[0]?.phone ?? '';
const countsOf = async (id: string) => (await read(id)).counts;
const change = (id: string, name: 'pause' | 'resume' | 'cancel') =>
  changeBlast(context, id, name, actors.operator);

/** The entries of the trail on a blast, by the schedule. */
const bySchedule = async (id: string) =>
  (
    await db.query<{ action: string }>(
      `SELECT action FROM audit_entry WHERE subject_id = $1 AND actor = 'schedule' ORDER BY id`,
      [id],
    )
  ).map(({ action }) => action);

test('scheduled: nothing before its time, then each once; audience and text are fixed when it begins (specification: Blasts 3 and 6)', async () => {
  const templateId = await template('At {{ workshop.name }}, {{ customer.firstName }}. Reply STOP to end.');
  const id = await blast({ template: templateId });
  const scheduledAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
  assert.equal((await trigger(id, { scheduledAt })).body.blast.scheduledAt, scheduledAt);
  await work();
  assert.deepEqual([(await read(id)).status, app.sms.sent.length], ['scheduled', 0]);
  const [late = ''] = await customers(1);
  app.advance(3_600);
  await advanceBlasts(context);
  assert.equal((await read(id)).status, 'sending');
  await customers(1);
  await updateTemplate({ db, clock }, templateId, { body: 'Other' }, actors.operator);
  await work();
  const { status, counts } = await read(id);
  assert.deepEqual([status, counts.recipients, counts.sent, counts.waiting], ['completed', 6, 6, 0]);
  assert.equal(new Set(app.sms.sent.map(({ to }) => to)).size, 6);
  assert.equal(app.sms.to(await phoneOf(late))[0]?.body, 'At Harbour Motors, C1. Reply STOP to end.');
  assert.deepEqual(await bySchedule(id), ['blast.begun', 'blast.completed']);
});

test('each text names the workshop and says how to stop', async () => {
  const id = await blast({ template: await template('Winter tyres, {{ customer.firstName }}!') });
  await trigger(id);
  await work();
  assert.match(app.sms.sent[0]?.body ?? '', /^Harbour Motors: Winter tyres, C\d!\nReply STOP to end$/);
});

test('always: quiet hours: nothing between 20:00 and 08:00, including messages queued before', async () => {
  until(19, 59);
  const id = await blast();
  await trigger(id);
  await advanceBlasts(context);
  assert.equal((await countsOf(id)).waiting, 5);
  app.advance(60);
  await work();
  assert.deepEqual([app.sms.sent.length, (await read(id)).status], [0, 'sending']);
  until(7, 59);
  await makeAllDue(db);
  await work();
  assert.equal(app.sms.sent.length, 0);
  app.advance(61);
  await makeAllDue(db);
  await work();
  assert.deepEqual([app.sms.sent.length, (await read(id)).status], [5, 'completed']);
});

test('always: a blast that is triggered in quiet hours begins, and queues in the morning', async () => {
  until(23);
  const id = await blast();
  await trigger(id);
  await work();
  assert.deepEqual([(await read(id)).status, await db.query('SELECT FROM queued_message')], ['sending', []]);
  until(8);
  await work();
  assert.equal(app.sms.sent.length, 5);
});

test('always: pause in the middle: queued messages and retries wait; a resume sends each once', async () => {
  const id = await blast();
  const down = { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'x' } as const;
  app.sms.next(down, down);
  await trigger(id);
  await advanceBlasts(context);
  await sendDue(context, composers);
  assert.deepEqual(await countsOf(id), {
    ...{ recipients: 5, waiting: 2, sent: 3, delivered: 0, failed: 0, unknown: 0, skipped: 0 },
  });
  assert.equal((await change(id, 'pause')).status, 'paused');
  await app.drain({ retries: false });
  await makeAllDue(db);
  await sendDue(context, composers);
  const waits = await db.query<{ endless: boolean }>(
    'SELECT expires_at IS NULL AS endless FROM queued_message',
  );
  assert.deepEqual([app.sms.sent.length, waits], [5, [{ endless: true }, { endless: true }]]);
  await assert.rejects(change(id, 'pause'), /is paused; one can pause a blast that is scheduled, sending/);
  assert.equal((await change(id, 'resume')).status, 'sending');
  await makeAllDue(db);
  await work();
  assert.deepEqual([(await read(id)).status, (await countsOf(id)).sent], ['completed', 5]);
  assert.equal(app.sms.sent.length, 7, 'two were tried twice');
  await assert.rejects(change(id, 'cancel'), /is completed/);
});

test('always: a blast that is paused before it begins returns to its schedule', async () => {
  const id = await blast();
  await trigger(id);
  await change(id, 'pause');
  await work();
  assert.deepEqual([(await read(id)).status, app.sms.sent.length], ['paused', 0]);
  assert.equal((await change(id, 'resume')).status, 'scheduled');
  await work();
  assert.equal(app.sms.sent.length, 5);
});

test('always: cancel in the middle: nothing more is sent, and the counts show it', async () => {
  const id = await blast();
  await trigger(id);
  await advanceBlasts(context);
  // One message is handed over.
  await db.query(
    `DELETE FROM queued_message WHERE message_id <> (SELECT message_id FROM queued_message ORDER BY message_id LIMIT 1)`,
  );
  await db.query(`UPDATE blast_recipient SET state = 'waiting'`);
  await sendDue(context, composers);
  const cancelled = await change(id, 'cancel');
  assert.ok(cancelled.endedAt !== null);
  await work();
  assert.equal(app.sms.sent.length, 1);
  const { status, counts } = await read(id);
  assert.deepEqual(
    [status, counts.recipients, counts.sent, counts.skipped, counts.waiting],
    ['cancelled', 5, 1, 4, 0],
  );
});

test('cancel: queued messages end with the reason cancelled', async () => {
  const id = await blast();
  await trigger(id);
  await advanceBlasts(context);
  await change(id, 'cancel');
  await work();
  assert.deepEqual(await db.query('SELECT DISTINCT state, reason FROM message'), [
    { state: 'failed', reason: 'cancelled' },
  ]);
  const { counts } = await read(id);
  assert.deepEqual([counts.skipped, counts.waiting, app.sms.sent.length], [5, 0, 0]);
  assert.deepEqual(await db.query('SELECT FROM queued_message'), []);
});

test('always: an opt-out in the middle takes effect at once, queued or not; an erased customer gets no text (specification: Blasts 3)', async () => {
  const id = await blast();
  await trigger(id);
  await setOptedOut({ db, clock }, people[0] ?? '', true, actors.operator);
  await advanceBlasts(context);
  assert.equal((await countsOf(id)).recipients, 4, 'who has opted out is no recipient');
  await setOptedOut({ db, clock }, people[1] ?? '', true, actors.operator);
  await eraseCustomer({ db, clock }, people[2] ?? '', actors.operator);
  await work();
  assert.equal(app.sms.sent.length, 2);
  const { status, counts } = await read(id);
  assert.deepEqual([status, counts.sent, counts.skipped], ['completed', 2, 2]);
});

test('opted out or erased after the audience was fixed and before their turn: skipped', async () => {
  const id = await blast();
  await trigger(id);
  until(21);
  await advanceBlasts(context);
  await setOptedOut({ db, clock }, people[1] ?? '', true, actors.operator);
  await eraseCustomer({ db, clock }, people[2] ?? '', actors.operator);
  until(9);
  await work();
  const { counts } = await read(id);
  assert.deepEqual([counts.recipients, counts.sent, counts.skipped, app.sms.sent.length], [5, 3, 2, 3]);
});

test('always: counts follow the outcomes: refused, unknown, delivered; no dead letters, and nothing is repeated (specification: Blasts 4)', async () => {
  const id = await blast();
  const [first, second] = [await phoneOf(people[0] ?? ''), await phoneOf(people[1] ?? '')];
  app.sms.always(first, { state: 'refused', permanent: true, reason: 'invalidNumber', detail: 'x' });
  app.sms.always(second, { state: 'unknown', detail: 'no answer' });
  await trigger(id);
  await work();
  await db.query(`UPDATE message_attempt SET started_at = started_at - interval '2 minutes'`);
  await makeAllDue(db);
  await work();
  const expected = { recipients: 5, waiting: 0, sent: 3, delivered: 0, failed: 1, unknown: 1, skipped: 0 };
  assert.deepEqual([(await read(id)).status, await countsOf(id)], ['completed', expected]);
  assert.deepEqual(await db.query('SELECT FROM dead_letter'), []);
  assert.equal(app.sms.to(second).length, 1);
  const third = app.sms.to(await phoneOf(people[2] ?? ''))[0]?.reference ?? '';
  await recordReport({ db, clock }, 'recorded', { reference: third, state: 'delivered', detail: null });
  assert.deepEqual(await countsOf(id), { ...expected, delivered: 1 });
  // The recipients of old blasts are deleted, and the counts stay.
  app.advance((context.config.noticesKeptDays + 1) * 86_400);
  await purgeRecipients(context);
  assert.deepEqual(await db.query('SELECT FROM blast_recipient'), []);
  assert.deepEqual(await countsOf(id), { ...expected, delivered: 1 });
});

const abroad = (id: string, phone: string) =>
  db.query('UPDATE customer SET phone = $2 WHERE id = $1', [id, phone]);

test('numbers of other countries are left out, previewed and counted (specification: Blasts 5)', async () => {
  const [plain = '', wrote = '', booked = '', allowed = ''] = people;
  await abroad(plain, '+6421555001');
  await abroad(wrote, '+6421555002');
  await abroad(booked, '+6421555003');
  await abroad(allowed, '+6421555004');
  await inboundWorld(app).answer('+6421555002', 'When are you open?');
  const body = bookingBody(workshopId, { customerPhone: '+6421555003' });
  assert.equal((await world.partner.call('POST', '/bookings', body)).status, 201);
  await db.query(
    `INSERT INTO texting_ground (workshop_id, phone, customer_id, abroad_allowed, actor, at) VALUES ($1, '+6421555004', $2, true, 'x', now())`,
    [workshopId, allowed],
  );
  await app.drain();
  app.sms.clear();
  const id = await blast();
  const { recipients, otherCountry, examples } = await previewBlast(app.context, id);
  assert.deepEqual([recipients, otherCountry, examples.length], [5, 1, 4]);
  assert.ok(examples.every(({ customerId }) => customerId !== plain));
  await trigger(id);
  await work();
  const { status, counts } = await read(id);
  const exactly = { recipients: 5, waiting: 0, sent: 4, delivered: 0, failed: 0, unknown: 0, skipped: 1 };
  assert.deepEqual([status, counts, app.sms.to('+6421555001')], ['completed', exactly, []]);
  const [skipped] = await db.query(
    `SELECT customer_id, reason FROM blast_recipient WHERE blast_id = $1 AND state = 'skipped'`,
    [id],
  );
  assert.deepEqual(skipped, { customerId: plain, reason: 'otherCountry' });
});

test('a blast that says so goes to other countries too, and the answer of the API is as ever', async () => {
  await abroad(people[0] ?? '', '+6421555006');
  const id = await blast({ otherCountries: true });
  assert.equal((await previewBlast(app.context, id)).otherCountry, 0);
  const { body } = await trigger(id);
  assert.equal('otherCountries' in body.blast, false);
  await work();
  assert.deepEqual([(await countsOf(id)).sent, app.sms.to('+6421555006').length], [5, 1]);
  const [created] = await db.query<{ after: { otherCountries: boolean } }>(
    `SELECT after FROM audit_entry WHERE subject_id = $1 AND action = 'blast.created'`,
    [id],
  );
  assert.equal(created?.after.otherCountries, true);
});

test('a draft of a process of the previous release, which does not name the column, leaves them out', async () => {
  await abroad(people[0] ?? '', '+6421555007');
  const id = newId();
  await db.query(
    `INSERT INTO blast (id, workshop_id, name, template_id, audience, created_at, updated_at) VALUES ($1, $2, 'B', $3, '{}', $4, $4)`,
    [id, workshopId, await template(), clock.now()],
  );
  await trigger(id);
  await work();
  assert.deepEqual([(await countsOf(id)).sent, (await countsOf(id)).skipped], [4, 1]);
});

test('a template that is no longer published pauses the blast (specification: Blasts 6)', async () => {
  const { templateId } = await createTemplate(
    { db, clock },
    { workshopId, name: 'T', body: 'Hi' },
    actors.operator,
  );
  await assert.rejects(blast({ template: templateId }), /template: is a draft/);
  const published = await template('Hi');
  const id = await blast({ template: published });
  await trigger(id);
  await unpublishTemplate({ db, clock }, published, actors.operator);
  await work();
  assert.deepEqual([(await read(id)).status, app.sms.sent.length], ['paused', 0]);
  assert.deepEqual(await bySchedule(id), ['blast.changed']);
});

test('only a few messages of a large blast are queued at a time, and two processes queue each once', async () => {
  await customers(1_200);
  const id = await blast();
  await trigger(id);
  await Promise.all([advanceBlasts(context), advanceBlasts(context), advanceBlasts(context)]);
  const queued = await db.query('SELECT FROM queued_message');
  assert.ok(
    queued.length > queuedAtMost - 128 && queued.length <= queuedAtMost,
    `${queued.length} are queued`,
  );
  for (let round = 0; round < 100 && (await read(id)).status !== 'completed'; round++) {
    await Promise.all([work(), advanceBlasts(context)]);
  }
  assert.deepEqual([(await countsOf(id)).sent, app.sms.sent.length], [1_205, 1_205]);
  assert.equal(new Set(app.sms.sent.map(({ to }) => to)).size, 1_205);
});
