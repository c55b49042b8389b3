/** Nobody gets anything twice: what waited when the backup was made is not sent by the database that it is restored into. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { retryDeadLetter } from '#dead-letters.ts';
import { migrate } from '#platform/db/migrate.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { insertProviderOptIns } from '#product/customers/provider-opt-in/store.ts';
import { insertScheduled } from '#product/messaging/inbox/later/store.ts';
import { printCode } from '#product/people/codes/print.ts';
import { insertAccountEmail } from '#product/people/emails/store.ts';
import { schedule } from '#work.ts';
import { backUpToMemory, restoreFromMemory } from '../../../test/fixtures/backup.ts';
import { workContext } from '../../../test/fixtures/booking-events.ts';
import { automationWorld } from '../../../test/fixtures/campaigns.ts';
import { signedInPerson } from '../../../test/fixtures/office.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { drain } from '../../../test/harness/drain.ts';
import { bookingBody } from '../../../test/harness/world.ts';
import { readTables } from './store.ts';

const world = await automationWorld();
const { app, db, partner, workshopId } = world;
const sending = [
  'sweepSending',
  'sendDueReminders',
  'sendDueTexts',
  'enqueueInboxDigests',
  'runAutomations',
  'advanceBlasts',
  'notifyOfDisablement',
  'sendAccountEmails',
];
/** What is due in each of the ways in which something is sent. */
const counts = {
  events: 2,
  messages: 2,
  automationRuns: 1,
  blasts: 1,
  reminders: 1,
  scheduledTexts: 1,
  answers: 1,
  disablements: 1,
  sessions: 1,
};

async function post(path: string, body: object) {
  const { status, body: answer } = await partner.call('POST', path, body);
  assert.ok(status < 300, JSON.stringify(answer));
  return answer;
}

/** Everything is waiting: no worker has looked at it yet. */
const waiting = await (async () => {
  const [customer = ''] = await world.customers(1);
  const created = (await post('/bookings', bookingBody(workshopId, { customerPhone: '0491 570 110' })))
    .booking;
  await app.drain();
  app.sms.clear();
  app.email.clear();
  // Events that are not relayed yet: of this, and of the reminder.
  await post(`/bookings/${created.id}/confirmed`, { notifyCustomer: true });
  const runId = await world.automation();
  const run = await world.trigger(runId, { customerId: customer, referenceId: 'r1' });
  assert.equal(run.status, 202, JSON.stringify(run.body));
  const blastId = await world.blast({ template: await world.template('Winter is near.') });
  await post(`${world.blasts}/${blastId}/trigger`, {});
  const sendAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const reminder = await post('/reminders/services', {
    ...{ workshopId, customerPhone: '0491 570 112', customerName: 'Kim Lee', carRego: 'KIM001', sendAt },
  });
  await insertScheduled(
    db,
    {
      ...{
        id: newId(),
        workshopId,
        customerId: customer,
        personId: newId(),
        bookingId: null,
        body: 'At six',
        seen: null,
      },
      dueAt: new Date(sendAt),
    },
    app.clock.now(),
  );
  app.advance(120);
  await db.query('UPDATE business_clock SET advance_seconds = $1', [app.clock.advanceSeconds()]);
  // A reply that waits, and one that is being handed over; an answer that no digest has reported; an endpoint that was disabled.
  const talk = await db.query<{ id: string; customer: string; phone: string }>(
    `SELECT v.id, c.id AS customer, c.phone FROM conversation v JOIN customer c ON c.id = v.customer_id WHERE c.phone = '+61491570110'`,
  );
  const [{ id: conversationId, customer: customerId, phone } = assert.fail()] = talk;
  for (const inFlight of [false, true]) await queueReply({ conversationId, customerId, phone, inFlight });
  await db.query(
    `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, notice_due, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'inbound', 'inbound', '+61400000000', 'When?', 'gsm7', 1, 'received', true, $5, $5)`,
    [newId(), workshopId, conversationId, customerId, app.clock.now()],
  );
  await db.query(
    `INSERT INTO webhook (id, partner_id, url, method, actions, status, disabled_reason, notice_id, notice_due_at, created_at, updated_at)
     VALUES ($1, $2, 'https://it.example/', 'POST', '{bookingCreate}', 'disabled', 'gone', $3, clock_timestamp(), $4, $4)`,
    [newId(), partner.partnerId, newId(), app.clock.now()],
  );
  await db.query(`UPDATE partner SET email = 'it@partner.example'`);
  await insertProviderOptIns(db, [customerId], null, app.clock.now());
  // Somebody who is signed in, with an invitation and a code under way.
  const { email } = await signedInPerson(app, [workshopId]);
  const of = { email, workshopId, partnerId: null, codeId: null };
  await insertAccountEmail(db, { ...of, id: newId(), kind: 'invitation' });
  await printCode(app.context, actors.operator, email);
  return { reminderId: reminder.serviceReminder.id, blastId, phone };
})();

async function queueReply(given: {
  conversationId: string;
  customerId: string;
  phone: string;
  inFlight: boolean;
}) {
  const { conversationId, customerId, phone, inFlight } = given;
  const [id, attemptId] = [newId(), inFlight ? newId() : null];
  await db.query(
    `INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, kind, recipient, body, encoding, segments, state, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'outbound', 'reply', $5, 'At five', 'gsm7', 1, 'sending', $6, $6)`,
    [id, workshopId, conversationId, customerId, phone, app.clock.now()],
  );
  if (inFlight)
    await db.query(
      `INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at, business_started_at)
       VALUES ($1, $2, 1, 'recorded', 'sending', clock_timestamp(), $3)`,
      [attemptId, id, app.clock.now()],
    );
  await db.query(
    `WITH queued AS (
       INSERT INTO queued_message (message_id, workshop_id, channel, class, due_at, attempt_id, in_flight, tries, recipient, created_at, expires_at)
       VALUES ($1, $2, 'sms', 0, clock_timestamp(), $3, $4, $5, $6, clock_timestamp(), clock_timestamp() + interval '1 day'))
     INSERT INTO send_wake (workshop_id, channel, class, due_at) VALUES ($2, 'sms', 0, clock_timestamp())`,
    [id, workshopId, attemptId, inFlight, inFlight ? 1 : 0, phone],
  );
}

/** A worker over the restored database: what it hands over. */
async function workOn(target: typeof db) {
  const ctx = { ...workContext(target), clock: app.clock };
  for (let round = 0; round < 3; round++) {
    for (const { name, run } of schedule) if (sending.includes(name)) await run(ctx);
    await drain(ctx, { retries: true });
  }
  return ctx;
}

test('nothing that waited goes out after a restore, and all of it can be found', async () => {
  const { file } = await backUpToMemory(db);
  const { db: target } = await createTestDatabase();
  const { heldBack } = await restoreFromMemory(target, file, { clock: app.clock });
  assert.deepEqual(heldBack, counts);
  const ctx = await workOn(target);
  assert.deepEqual([ctx.sms.sent, ctx.email.sent], [[], []]);
  assert.deepEqual(await target.query('SELECT FROM sign_in_code UNION ALL SELECT FROM account_email'), []);
  assert.deepEqual(await target.query('SELECT FROM session WHERE ended_at IS NULL'), []);

  const letters = await listDeadLetters(target);
  assert.deepEqual(letters.map(({ job, reason }) => [job, reason]).sort(), [
    ['relay', 'restored'],
    ['relay', 'restored'],
    ['send', 'restored'],
    ['send', 'restored'],
  ]);
  const states = await target.query(
    `SELECT DISTINCT state, reason FROM message WHERE kind = 'reply' ORDER BY 1`,
  );
  assert.deepEqual(states, [
    { state: 'failed', reason: 'heldBack' },
    { state: 'unknown', reason: 'unknownOutcome' },
  ]);
  const [blast] = await target.query('SELECT status FROM blast WHERE id = $1', [waiting.blastId]);
  const [reminder] = await target.query('SELECT status FROM service_reminder WHERE id = $1', [
    waiting.reminderId,
  ]);
  const [run] = await target.query('SELECT status, reason FROM automation_run');
  assert.deepEqual(
    [blast, reminder, run],
    [{ status: 'paused' }, { status: 'cancelled' }, { status: 'skipped', reason: 'restored' }],
  );

  const [optIn] = await target.query('SELECT state, due_at FROM provider_opt_in');
  assert.deepEqual(optIn, { state: 'refused', dueAt: null }, 'no provider hears of it');

  // A person decides: each goes out once.
  for (const { id } of letters) assert.equal(await retryDeadLetter(ctx, actors.operator, id), true);
  await drain(ctx, { retries: true });
  assert.equal(ctx.sms.sent.filter(({ body }) => body === 'At five').length, 2);
  assert.ok(ctx.email.sent.length > 0, 'the confirmation of the booking');
});

test('a backup of an older release, whose events have no actor: held back as well', async () => {
  // Events had neither actor nor request then.
  const { db: old } = await createTestDatabase();
  await old.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await migrate(old, undefined, '0042_old_queue.sql');
  const columns = new Map((await readTables(old)).map((table) => [table.name, table.columns.join(', ')]));
  const copied: Readonly<Record<string, string>> = {
    ...{ partner: 'true', workshop: 'true', link: 'true' },
    ...{
      customer: `name = 'Kim Lee'`,
      car: `rego = 'KIM001'`,
      service_reminder: `id = '${waiting.reminderId}'`,
    },
  };
  for (const [table, which] of Object.entries(copied)) {
    const [{ rows } = assert.fail()] = await db.query<{ rows: string }>(
      `SELECT json_agg(t)::text AS rows FROM (SELECT ${columns.get(table)} FROM ${table} WHERE ${which}) AS t`,
    );
    await old.query(
      `INSERT INTO ${table} (${columns.get(table)}) SELECT ${columns.get(table)} FROM json_populate_recordset(NULL::${table}, $1)`,
      [rows],
    );
  }
  const advance = app.clock.advanceSeconds();
  await old.query('UPDATE business_clock SET advance_seconds = $1', [advance]);

  const { file } = await backUpToMemory(old);
  const { db: target } = await createTestDatabase();
  await target.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const { heldBack, applied } = await restoreFromMemory(target, file, { clock: app.clock });
  assert.equal(heldBack?.reminders, 1);
  assert.ok(applied.includes('0043_event_actor.sql'));
  const changes = await target.query('SELECT kind, actor FROM event');
  assert.deepEqual(changes, [{ kind: 'serviceReminder.cancelled', actor: 'operator' }]);
});

test('--send-waiting: all of it goes out, once', async () => {
  const { file } = await backUpToMemory(db);
  const { db: target } = await createTestDatabase();
  const { heldBack } = await restoreFromMemory(target, file, { clock: app.clock, sendWaiting: true });
  assert.equal(heldBack, null);
  const ctx = await workOn(target);
  const texts = Map.groupBy(ctx.sms.sent, ({ to, body }) => `${to} ${body}`);
  for (const [text, all] of texts) assert.equal(all.length, text.endsWith('At five') ? 2 : 1, text);
  assert.ok(texts.has(`${waiting.phone} At five`));
  assert.ok(ctx.email.to('it@partner.example').length === 1);
  assert.deepEqual(await listDeadLetters(target), []);
});
