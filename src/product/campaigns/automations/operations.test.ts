/** GET and POST of automations (specification: Automations 5): each success and each refusal. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { setFeature } from '#product/partners/features.ts';
import { setLink } from '#product/workshops/link.ts';
import { untilBlocked } from '../../../../test/fixtures/booking-api.ts';
import { automationWorld } from '../../../../test/fixtures/campaigns.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { setAutomationStatus } from './change.ts';

const world = await automationWorld();
const { app, db, clock, partner, workshopId, automations, automation, trigger, customers, work, template } =
  world;
const { partnerId } = partner;
const other = await signedInPartner(app, 'Other');
const otherWorkshop = await linkedWorkshop(app, [other]);
const [customerId = '', secondId = ''] = await customers(2);

async function refused(status: number, errorCode: string, answer: ReturnType<typeof trigger>) {
  const { status: got, body } = await answer;
  assert.deepEqual([got, body.errorCode], [status, errorCode], JSON.stringify(body));
  return body;
}
const customerCount = async () => (await db.query('SELECT FROM customer')).length;
const runCount = async () => (await db.query('SELECT FROM automation_run')).length;

async function book(phone: string, by = partner) {
  const body = bookingBody(workshopId, { customerPhone: phone, skipNotification: true });
  return (await by.call('POST', '/bookings', body)).body.booking;
}

test('automations are listed, page by page, with their quiet hours and conditions, even when the link is off', async () => {
  const ids = [
    await automation({ trigger: 'bookingCompleted', offsetMinutes: '120', serviceCategory: ['tyres'] }),
    await automation({ quietHours: 'off', minDaysSinceLastBooking: '30' }),
  ];
  await setLink({ db, clock }, { partnerId, workshopId, active: false }, actors.operator);
  const first = await partner.call('GET', `${automations}?limit=1`);
  assert.equal(first.status, 200);
  const { createdAt, updatedAt, templateId, ...rest } = first.body.automations[0];
  assert.deepEqual(rest, {
    id: ids[0],
    name: 'A',
    trigger: { type: 'bookingCompleted', offsetMinutes: 120 },
    conditions: { serviceCategories: ['tyres'] },
    quietHours: { from: '20:00', to: '08:00' },
    status: 'active',
  });
  assert.ok(createdAt === updatedAt && templateId !== null);
  const rest2 = await partner.call('GET', `/v1${automations}?cursor=${first.body.nextCursor}`);
  assert.deepEqual(
    rest2.body.automations.map(({ id, quietHours, conditions }: Record<string, unknown>) => [
      id,
      quietHours,
      conditions,
    ]),
    [[ids[1], null, { minDaysSinceLastBooking: 30 }]],
  );
  assert.equal(rest2.body.nextCursor, null);
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
});

test('400 names the field: no customer named, an invalid phone, a missing booking; nothing is written', async () => {
  const id = await automation();
  const before = [await customerCount(), await runCount()];
  const named = async (body: object, field: string, of = id) =>
    assert.equal((await refused(400, '000001', trigger(of, body))).errors[0].field, field);
  await named({}, 'phone');
  await named({ phone: '12' }, 'phone');
  await named({ customerId, referenceId: 'x'.repeat(256) }, 'referenceId');
  await named({ phone: '0491570201' }, 'bookingId', await automation({ trigger: 'beforeBooking' }));
  const needs = await automation({ template: await template('{{ booking.code }}') });
  await named({ phone: '0491570201' }, 'bookingId', needs);
  await refused(400, '000001', partner.call('GET', `${automations}?limit=0`));
  assert.deepEqual([await customerCount(), await runCount()], before);
});

test('401, 404: no token, another tenant, an unknown workshop, automation, customer, booking', async () => {
  const id = await automation();
  for (const [method, path] of [
    ['GET', automations],
    ['POST', `${automations}/${id}/trigger`],
  ] as const) {
    const body = method === 'POST' ? { customerId } : undefined;
    const options = { headers: { 'x-partner-id': partnerId }, ...(body && { body }) };
    assert.equal((await app.request(method, path, options)).status, 401);
    await refused(404, '030001', other.call(method, path, body));
    await refused(404, '030001', partner.call(method, path.replace(workshopId, newId()), body));
  }
  for (const unknown of [newId(), 'x']) {
    await refused(404, '090001', trigger(unknown, { customerId }));
    await refused(404, '040001', trigger(id, { customerId: unknown }));
    await refused(404, '060001', trigger(id, { customerId, bookingId: unknown }));
  }
  const path = `/workshops/${otherWorkshop}/automations/${id}/trigger`;
  await refused(404, '090001', other.call('POST', path, { customerId }));
  const [theirs = ''] = await customers(1, otherWorkshop);
  await refused(404, '040001', trigger(id, { customerId: theirs }));
  const second = await signedInPartner(app, 'Second');
  await setLink({ db, clock }, { partnerId: second.partnerId, workshopId, active: true }, actors.operator);
  const booking = await book('0491570202', second);
  await refused(404, '060001', trigger(id, { customerId: booking.customerId, bookingId: booking.id }));
  const own = await book('0491570203');
  await refused(400, '060001', trigger(id, { customerId, bookingId: own.id }));
});

test('403: the feature, then the link; a refused call creates no customer (specification: Automations 6)', async () => {
  const id = await automation();
  const before = await customerCount();
  await setFeature({ db, clock }, { partnerId, feature: 'campaigns', enabled: false }, actors.operator);
  await refused(403, '000003', trigger(id, { phone: '0491570204' }));
  await setFeature({ db, clock }, { partnerId, feature: 'campaigns', enabled: true }, actors.operator);
  await setLink({ db, clock }, { partnerId, workshopId, active: false }, actors.operator);
  await refused(403, '000004', trigger(id, { phone: '0491570204' }));
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  assert.equal(await customerCount(), before);
});

test('202: an unknown phone creates the customer; the run is sent, and its message can be read', async () => {
  const id = await automation({ template: await template('Hello from Harbour Motors') });
  const { status, body } = await trigger(id, { phone: '0491 570 205', customerId: null });
  assert.deepEqual(
    [status, body.success, body.run.status, body.run.sentAt, body.run.messageId],
    [202, true, 'scheduled', null, null],
  );
  await work();
  assert.equal(app.sms.to('+61491570205')[0]?.body, 'Hello from Harbour Motors\nReply STOP to end');
  const again = await trigger(id, { phone: '+61491570205' });
  assert.notEqual(again.body.run.id, body.run.id, 'without a referenceId each call is a run');
  assert.equal(again.body.run.customerId, body.run.customerId);
  await work();
  const [row] = await db.query<{ messageId: string }>(`SELECT message_id FROM automation_run WHERE id = $1`, [
    body.run.id,
  ]);
  const message = await partner.call('GET', `/workshops/${workshopId}/messages/${row?.messageId}`);
  assert.deepEqual([message.status, message.body.message.state], [200, 'accepted']);
});

test('repeats of a referenceId return the same run in its present state; for another customer it is another run', async () => {
  const id = await automation();
  const call = (body: object) => trigger(id, { customerId, referenceId: 'r-1', ...body });
  await trigger(id, { customerId });
  let calls: ReturnType<typeof call>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM attempt FOR UPDATE');
    calls = Array.from({ length: 6 }, () => call({}));
    // No call sees the run of another: one call has inserted it, and waits to be counted.
    await untilBlocked(app, 6);
  });
  const answers = await Promise.all(calls);
  assert.equal(new Set(answers.map(({ body }) => body.run.id)).size, 1);
  // Only the call that started the run counts.
  const counted = answers.flatMap(({ headers }) => headers.get('ratelimit') ?? []);
  assert.equal(counted.length, 1);
  assert.match(counted[0] ?? '', /^"automation-triggers";r=8;t=\d+$/);
  await work();
  const after = await call({ bookingId: newId() });
  assert.deepEqual(
    [after.status, after.body.run.id, after.body.run.status],
    [202, answers[0]?.body.run.id, 'sent'],
  );
  assert.ok(after.body.run.sentAt !== null && after.body.run.messageId !== null);
  assert.notEqual((await call({ customerId: secondId })).body.run.id, after.body.run.id);
});

test('ten runs an hour for one customer, also when started concurrently: then 429; repeats and refusals do not count', async () => {
  const id = await automation();
  const before = await runCount();
  await refused(404, '060001', trigger(id, { customerId, bookingId: newId() }));
  const answers = await Promise.all(
    Array.from({ length: 13 }, (_, n) => trigger(id, { customerId, referenceId: `fast ${n}` })),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [...Array(10).fill(202), ...Array(3).fill(429)]);
  assert.equal(await runCount(), before + 10);
  const over = answers[statuses.indexOf(429)];
  const wait = Number(over?.headers.get('retry-after'));
  assert.ok(wait > 3_500 && wait <= 3_600, `Retry-After: ${wait}`);
  assert.equal(over?.headers.get('ratelimit'), `"automation-triggers";r=0;t=${wait}`);
  assert.equal('errorCode' in over.body, false);
  const left = answers.map(({ headers }) => /;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);
  assert.deepEqual(left.toSorted(), [...'000', ...'0123456789']);
  const made = statuses.indexOf(202);
  const repeat = await trigger(id, { customerId, referenceId: `fast ${made}` });
  assert.deepEqual([repeat.status, repeat.body.run.id], [202, answers[made]?.body.run.id]);
  assert.equal((await trigger(id, { customerId: secondId })).status, 202);
  assert.equal((await trigger(await automation(), { customerId })).status, 202);
});

test('an Idempotency-Key replays the response, and two concurrent calls make one run', async () => {
  const id = await automation();
  const key = { 'idempotency-key': 'run-1' };
  const answers = await Promise.all([1, 2, 3].map(() => trigger(id, { customerId }, key)));
  assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.run.id}`)).size, 1);
  await refused(422, '000008', trigger(id, { customerId: secondId }, key));
});

test('a run that a partner triggered is skipped if the partner may not trigger it when it is due', async () => {
  const id = await automation({ offsetMinutes: '10' });
  const call = { customerId, referenceId: 'switched-off' };
  assert.equal((await trigger(id, call)).body.run.status, 'scheduled');
  await setLink({ db, clock }, { partnerId, workshopId, active: false }, actors.operator);
  app.advance(86_400);
  await work();
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  const { run } = (await trigger(id, call)).body;
  assert.deepEqual([run.status, run.reason], ['skipped', 'notPermitted']);
});

test('an empty text is an absent field', async () => {
  const id = await automation();
  const missing = await refused(400, '000001', trigger(id, { customerId: '', phone: '', referenceId: '' }));
  assert.deepEqual(missing.errors, [{ field: 'phone', message: 'is required when customerId is omitted' }]);
  const sent = { customerId: secondId, phone: '', bookingId: '', referenceId: '' };
  const { status, body } = await trigger(id, sent);
  assert.deepEqual([status, body.run.bookingId, body.run.referenceId], [202, null, null]);
  assert.notEqual((await trigger(id, sent)).body.run.id, body.run.id, 'without a key each is a run');
});

test('a paused automation returns a skipped run; so does a run whose time is past', async () => {
  const id = await automation();
  await setAutomationStatus({ db, clock }, id, 'paused', actors.operator);
  const { run } = (await trigger(id, { customerId })).body;
  assert.deepEqual([run.status, run.reason], ['skipped', 'paused']);
  const before = await automation({ trigger: 'beforeBooking', offsetMinutes: '527040' });
  const booking = await book('0491570206');
  await db.query(`UPDATE booking SET date = $2 WHERE id = $1`, [
    booking.id,
    new Date(clock.now().getTime() + 86_400_000),
  ]);
  const late = await trigger(before, { customerId: booking.customerId, bookingId: booking.id });
  assert.deepEqual([late.body.run.status, late.body.run.reason], ['skipped', 'tooLate']);
});

test('the runs of merged customers count as one customer’s', async () => {
  const [one = '', two = ''] = await customers(2);
  await mergeCustomers(app.context, {
    ...{ workshopId, both: [{ customerId: one }, { customerId: two }], actor: actors.operator },
  });
  const id = await automation();
  for (let n = 0; n < 10; n++) assert.equal((await trigger(id, { customerId: two })).status, 202);
  assert.equal((await trigger(id, { customerId: one })).status, 429);
});
