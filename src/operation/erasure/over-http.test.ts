/** Nothing is left of an erased person who was booked, texted and answered over HTTP: in no column, and in no response. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { purgeLeftCopies } from '#operation/sandbox/purge.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { purgeOldMessages } from '#product/sending/retention/purge.ts';
import { reactions } from '#reactions.ts';
import { publishedTemplate } from '../../../test/fixtures/templates.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { sandboxGateways } from '../../../test/harness/sandbox.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { eraseCustomer } from './erase-customer.ts';

const app = await startTestApp({ gateways: sandboxGateways });
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const other = await signedInPartner(app, 'Another Partner');
const workshopId = await linkedWorkshop(app, [partner, other]);

/** Marks of their personal details, in every form in which the product writes them. */
const marks = ['quentin', 'zephyrson', 'zephyr-mail', '491571266', '491 571 266', '491-571-266', 'qzmark'];
const phone = '+61491571266';
const person = {
  ...{
    customerName: 'Quentin Zephyrson',
    customerPhone: '0491 571 266',
    customerCompany: 'Zephyrson Pty Ltd',
  },
  ...{
    customerEmail: 'q@Zephyr-Mail.example',
    carRego: 'qzmark 1',
    carVin: 'VINQZMARK',
    notes: 'Call Quentin',
  },
  ...{ jobNotes: ['for QZMARK'], productNotes: ['by Zephyrson'] },
};

/** `schema.table.column` of every column of every table, arrays and JSON too, that holds a mark. */
async function columnsHolding(): Promise<string[]> {
  const columns = await db.query<{ schema: string; table: string; column: string }>(
    `SELECT table_schema AS schema, table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2, 3`,
  );
  const found: string[] = [];
  for (const { schema, table, column } of columns) {
    const { rows } = await db.pool.query<{ held: boolean }>(
      `SELECT EXISTS (SELECT FROM "${schema}"."${table}" WHERE "${column}"::text ILIKE ANY ($1)) AS held`,
      [marks.map((mark) => `%${mark}%`)],
    );
    if (rows[0]?.held) found.push(`${schema}.${table}.${column}`);
  }
  return found;
}

const reads: { by: typeof partner; path: string }[] = [];
let customerId = '';

async function call(by: typeof partner, method: string, path: string, body: object, headers = {}) {
  const answer = await by.call(method, path, body, { headers });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

before(async () => {
  const early = { workshopId, callerPhone: phone, calledAt: '2030-02-19T01:10:00Z', outcome: 'answered' };
  await call(partner, 'POST', '/leads/calls', { ...early, notes: 'Zephyrson' }, { 'idempotency-key': 'E' });
  const settings = {
    workshopId,
    name: 'T',
    body: 'Hi {{ customer.name }}, {{ car.rego }} {{ booking.notes }}',
  };
  const templateId = await publishedTemplate({ db, clock }, settings);
  const messages = `/workshops/${workshopId}/messages`;
  for (const by of [partner, other]) {
    const key = { 'idempotency-key': 'K' };
    const { booking } = await call(by, 'POST', '/bookings', bookingBody(workshopId, person), key);
    customerId = booking.customerId;
    await call(by, 'PUT', `/bookings/${booking.id}`, {
      date: '2030-04-01T00:00:00Z',
      customerName: 'Quentin X Zephyrson',
    });
    const sms = { bookingId: booking.id, channels: { sms: { templateId } } };
    const sent = await call(by, 'POST', messages, { phone, ...sms, referenceId: 'R' });
    reads.push({ by, path: `/bookings/${booking.id}` }, { by, path: `${messages}/${sent.sms.messageId}` });
  }
  await call(partner, 'POST', messages, {
    customerId,
    channels: { sms: { message: 'Quentin, it is ready' } },
  });
  // Other forms of names: one word, three, and an e-mail that a later booking brings.
  const one = bookingBody(workshopId, { ...person, customerName: 'Zephyrson', carRego: 'qzmark 2' });
  const { booking } = await call(partner, 'POST', '/bookings', one);
  reads.push({ by: partner, path: `/bookings/${booking.id}` });
  await app.drain();
  const inbound = await app.request('POST', '/sandbox/inbound', {
    body: { from: phone, body: 'Quentin here' },
  });
  assert.equal(inbound.status, 200, JSON.stringify(inbound.body));
  await app.drain();
  // Calls from before there was a customer, and of one who is known.
  const called = { workshopId, calledAt: '2030-02-20T01:10:00Z', outcome: 'missed', externalId: 'C' };
  const told = {
    customerName: 'Quentin',
    notes: 'QZMARK again',
    recordingUrl: 'https://calls.example/zephyrson.mp3',
  };
  for (const by of [partner, other]) {
    const body = { ...called, ...told, callerPhone: '0491 571 266' };
    const { callLead } = await call(by, 'POST', '/leads/calls', body, { 'idempotency-key': 'C' });
    reads.push({ by, path: `/leads/calls/${callLead.id}` });
  }
  for (const by of [partner, other]) {
    const body = { workshopId, customerPhone: phone, customerName: 'Quentin Zephyrson', carRego: 'qzmark 1' };
    const { serviceReminder } = await call(by, 'POST', '/reminders/services', body, {
      'idempotency-key': 'R',
    });
    reads.push({ by, path: `/reminders/services/${serviceReminder.id}` });
  }
  // Notices that wait to be sent.
  await call(partner, 'POST', '/bookings', bookingBody(workshopId, { ...person, carRego: 'qzmark 3' }));
  await relayBatch(app.context, reactions);
});

test('no text, JSON or array of any table holds a mark of the person (specification: Erasure and retention 1)', async () => {
  const held = await columnsHolding();
  for (const column of [
    'first_name',
    'last_name',
    'email',
    'phone',
    'vin',
    'notes',
    'job_notes',
    'product_notes',
  ]) {
    assert.ok(
      held.some((name) => name.endsWith(column)),
      `the test leaves nothing in a column ${column}`,
    );
  }
  for (const table of [
    'event',
    'idempotency',
    'call_lead',
    'service_reminder',
    'message',
    'queued_message',
    'sandbox_message',
    'message_rate',
  ]) {
    assert.ok(
      held.some((name) => name.startsWith(`public.${table}.`)),
      `the test leaves nothing in ${table}`,
    );
  }
  for (const { by, path } of reads) {
    const { body } = await by.call('GET', path);
    assert.ok(
      marks.some((mark) => JSON.stringify(body).toLowerCase().includes(mark)),
      path,
    );
  }
  await eraseCustomer({ db, clock }, customerId, actors.operator);
  assert.deepEqual(await columnsHolding(), []);
});

test('no response shows a mark: bookings, messages, the sandbox, a replay', async () => {
  const answers = [];
  for (const { by, path } of reads) answers.push(await by.call('GET', path));
  answers.push(await app.request('GET', '/sandbox/messages?limit=1000'));
  for (const { status, body } of answers) {
    assert.equal(status, 200);
    const text = JSON.stringify(body).toLowerCase();
    for (const mark of marks) assert.ok(!text.includes(mark), `${mark} in ${text}`);
  }
  const replayed = await partner.call('POST', '/bookings', bookingBody(workshopId, person), {
    headers: { 'idempotency-key': 'K' },
  });
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  const text = JSON.stringify(replayed.body).toLowerCase();
  for (const mark of marks) assert.ok(!text.includes(mark), `${mark} in ${text}`);
});

test('a call keeps its customer and its booking', async () => {
  const { callLeads } = (await partner.call('GET', '/leads/calls')).body;
  assert.equal(callLeads.length, 2);
  for (const lead of callLeads) {
    assert.deepEqual([lead.customerId, lead.callerPhone, lead.notes], [customerId, null, null]);
  }
});

test('messages that are queued at the erasure hold nothing of the person', async () => {
  const { booking } = await call(partner, 'POST', '/bookings', bookingBody(workshopId, person));
  await eraseCustomer({ db, clock }, booking.customerId, actors.operator);
  await app.drain({ retries: true });
  assert.deepEqual(await columnsHolding(), []);
});

test('the sandbox’s copies go with their messages, and left-overs of earlier versions by a purge of their own', async () => {
  const copies = () => db.query('SELECT FROM sandbox_message');
  const booked = () => call(partner, 'POST', '/bookings', bookingBody(workshopId, person));
  await app.drain({ retries: true });
  await db.query('DELETE FROM sandbox_message');
  const { booking } = await booked();
  await app.drain({ retries: true });
  assert.equal((await copies()).length, 4);
  const over = { ...app.context.config, noticesKeptDays: -1, messagesKeptDays: -1 };
  await purgeOldMessages({ ...app.context, config: over });
  assert.deepEqual(await copies(), []);
  await eraseCustomer({ db, clock }, booking.customerId, actors.operator);
  assert.deepEqual(await columnsHolding(), []);

  const later = await booked();
  await app.drain({ retries: true });
  await db.query(`INSERT INTO sandbox_message (id, reference, message_id, channel, outcome, recipient, sender, body, created_at)
    SELECT ${newIdSql}, ${newIdSql}, ${newIdSql}, channel, outcome, recipient, sender, body, created_at FROM sandbox_message`);
  await purgeLeftCopies(app.context);
  assert.equal((await copies()).length, 8, 'they are young');
  await purgeLeftCopies({ ...app.context, config: over });
  assert.equal((await copies()).length, 4);
  await eraseCustomer({ db, clock }, later.booking.customerId, actors.operator);
  assert.deepEqual(await columnsHolding(), []);
});
