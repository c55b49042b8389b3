/** Every action is delivered, and verified by the public library of Standard Webhooks (specification: Webhooks 2 and 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { type EventKind, recordEvent } from '#platform/events/record.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { assertSigned, type Received, startReceiver, webhookWorld } from '../../../test/fixtures/webhooks.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { actionNames, actionOf, actions } from './actions.ts';
import { withPublication } from './publish.ts';

const world = await webhookWorld();
const { app, partner, workshopId, book, change, register, log } = world;
const { context } = app;
const { answer } = inboundWorld(app);
const other = await signedInPartner(app, 'Another Partner');
const shared = await linkedWorkshop(app, [partner, other]);

test('a booking’s life: each change arrives signed, with the booking at that version', async () => {
  const receiver = await startReceiver();
  const { webhook, secret } = await register(receiver.url);
  const made = await book({ notes: 'first' });
  await app.drain();
  const changed = await change(made.id, { notes: 'second' });
  await app.drain();
  for (const status of ['confirmed', 'completed'])
    await partner.call('POST', `/bookings/${made.id}/${status}`);
  await app.drain();
  const gone = await book();
  await partner.call('POST', `/bookings/${gone.id}/cancelled`, { reason: 'Sold the car' });
  await app.drain();
  const byAction = new Map(receiver.received.map((got) => [got.body.action, got]));
  assert.deepEqual(
    [...byAction.keys()].sort(),
    ['bookingCancelled', 'bookingCompleted', 'bookingConfirmed', 'bookingCreate', 'bookingUpdated'].sort(),
  );
  for (const got of receiver.received) assertSigned(got, secret);
  const [first, update] = receiver.received;
  assert.deepEqual(first?.body.booking, { ...made, version: 1 });
  assert.deepEqual(update?.body.booking, { ...changed, version: 2 });
  assert.equal(byAction.get('bookingConfirmed')?.body.booking.version, 3);
  assert.equal(byAction.get('bookingCancelled')?.body.booking.cancelReason, 'Sold the car');
  assert.equal(receiver.received.length, 6);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size, 6);

  const [last] = await log(webhook.id);
  assert.equal(last?.status, 'delivered');
  assert.deepEqual(
    last?.attempts.map(({ responseStatus, error }) => [responseStatus, error]),
    [[200, null]],
  );
  assert.equal(last?.nextAttemptAt, null);
  const same = receiver.received.find(({ headers }) => headers['x-request-id'] === last?.id);
  assert.equal(same?.headers['webhook-id'], last?.eventId);
});

test('messages: received, delivered and failed go to the partner of the conversation; an opt-out to partners that know the customer', async () => {
  const receiver = await startReceiver();
  const { secret } = await register(receiver.url);
  const theirs = await startReceiver();
  const registered = await other.call('POST', '/webhooks', { url: theirs.url, actions: actionNames });
  assert.equal(registered.status, 201);

  const phone = '0491 570 156';
  const send = (body: string) =>
    partner.call('POST', `/workshops/${shared}/messages`, { phone, channels: { sms: { message: body } } });
  assert.equal((await send('Ready')).body.success, true);
  app.sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No such number' });
  assert.equal((await send('Ready?')).body.success, false);
  await answer('+61491570156', 'Thanks');
  const reference = app.sms.to('+61491570156')[0]?.reference ?? '';
  await recordReport({ db: context.db, clock: app.clock }, 'recorded', {
    reference,
    state: 'delivered',
    detail: null,
  });
  await app.drain();
  const by = (action: string) => receiver.received.filter(({ body }) => body.action === action);
  assert.equal(by('messageReceived')[0]?.body.message.body, 'Thanks');
  assert.equal(by('messageReceived')[0]?.body.message.direction, 'inbound');
  assert.equal(by('messageFailed')[0]?.body.message.reason, 'refused');
  assert.equal(by('messageDelivered')[0]?.body.message.state, 'delivered');
  assert.ok(by('messageDelivered')[0]?.body.message.version > 1);

  const customerId = String(by('messageReceived')[0]?.body.message.customerId);
  await setOptedOut(context, customerId, true, actors.operator);
  await app.drain();
  assert.deepEqual(by('customerOptedOut')[0]?.body.customer, {
    ...{ id: customerId, phone: '+61491570156', workshopId: shared, version: 1 },
  });
  for (const got of receiver.received) assertSigned(got, secret);
  assert.equal(theirs.received.length, 0, 'another partner of the workshop hears of none of it');

  await setOptedOut(context, customerId, false, actors.operator);
  assert.equal(
    (await other.call('POST', '/bookings', bookingBody(shared, { customerPhone: phone }))).status,
    201,
  );
  await app.drain();
  await setOptedOut(context, customerId, true, actors.operator);
  await app.drain();
  assert.deepEqual(
    theirs.received.map(({ body }) => body.action),
    ['bookingCreate', 'customerOptedOut'],
  );
});

test('every action of the page is delivered and verified, through the events that it names', async () => {
  const receiver = await startReceiver();
  const { secret } = await register(receiver.url);
  const names = new Map<string, string>();
  for (const name of actionNames) {
    const { events, key } = actions[name];
    for (const kind of (events as readonly string[]).filter((each) => each !== 'customer.optedOut')) {
      const [id, subjectId] = [newId(), newId()];
      names.set(id, name);
      await context.db.query(
        `INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at) VALUES ($1, $2, $3, $4, $5, 7, $6, $7)`,
        [id, kind, partner.partnerId, workshopId, subjectId, { [key]: { id: subjectId } }, app.clock.now()],
      );
    }
  }
  const kinds = actionNames.flatMap((name) => actions[name].events);
  const all = Object.fromEntries(kinds.map((kind) => [kind, []])) as never;
  await app.drain({ reactions: withPublication(all) });
  const got = receiver.received.filter(({ body }) => names.has(body.id));
  assert.equal(got.length, names.size);
  for (const each of got) {
    assertSigned(each, secret);
    const name = names.get(each.body.id) ?? '';
    assert.equal(each.body.action, name);
    const { key } = actions[name as keyof typeof actions];
    assert.equal(each.body[key].version, 7);
  }
});

test('which events publish which action', () => {
  assert.deepEqual(
    actionNames.map((name) => [name, actions[name].events.length, actions[name].key]),
    [
      ['bookingCreate', 1, 'booking'],
      ['bookingUpdated', 1, 'booking'],
      ['bookingConfirmed', 1, 'booking'],
      ['bookingCompleted', 1, 'booking'],
      ['bookingCancelled', 1, 'booking'],
      ['messageReceived', 1, 'message'],
      ['messageDelivered', 1, 'message'],
      ['messageFailed', 1, 'message'],
      ['customerOptedOut', 1, 'customer'],
      ['quoteUpdated', 5, 'quote'],
      ['callLeadUpdated', 2, 'callLead'],
      ['serviceReminderUpdated', 5, 'serviceReminder'],
    ],
  );
  assert.equal(actionOf('callLead.missed'), null, 'it stands beside the lead’s own event');
  assert.equal(actionOf('message.accepted'), null);
});

test('an endpoint gets only what it subscribes to, only of its workshop, by its method; a disabled one gets nothing', async () => {
  const [one, two, off] = [await startReceiver(), await startReceiver(), await startReceiver()];
  await register(one.url, { actions: ['bookingCancelled'], method: 'PUT' });
  await register(two.url, { workshopId: shared, method: 'PATCH' });
  const { webhook } = await register(off.url);
  await partner.call('PATCH', `/webhooks/${webhook.id}`, { status: 'disabled' });
  const { id } = await book();
  await book({ workshopId: shared });
  await partner.call('POST', `/bookings/${id}/cancelled`);
  await app.drain();
  const shown = (all: readonly Received[]) => all.map(({ method, body }) => [method, body.action]);
  assert.deepEqual(shown(one.received), [['PUT', 'bookingCancelled']]);
  assert.deepEqual(shown(two.received), [['PATCH', 'bookingCreate']]);
  assert.deepEqual(off.received, []);
});

test('an event that is relayed twice is delivered once', async () => {
  const receiver = await startReceiver();
  await register(receiver.url, { actions: ['bookingCreate'] });
  await book();
  await app.drain();
  await context.db.query(`UPDATE event SET relayed_at = NULL WHERE kind = 'booking.created'`);
  await app.drain();
  assert.equal(receiver.received.length, 1);
});

test('a body stays under 64 KB: the largest fields are left out, and listed', async () => {
  const receiver = await startReceiver();
  await register(receiver.url, { actions: ['bookingCreate'] });
  const jobNotes = Array.from({ length: 90 }, () => 'ä'.repeat(1_000));
  const { id } = await book({ jobNotes, notes: 'kept' });
  await app.drain();
  const [got] = receiver.received;
  assert.ok(got && Buffer.byteLength(got.text) < 64 * 1024);
  assert.deepEqual(got.body.omittedFields, ['jobNotes']);
  assert.deepEqual(
    [got.body.booking.id, got.body.booking.notes, got.body.booking.jobNotes],
    [id, 'kept', []],
  );
});

test('an erased person’s details are not delivered after the erasure', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, { actions: ['bookingCreate'] });
  receiver.answersWith(500);
  const { customerId } = await book({ customerPhone: '0491 571 804', customerName: 'Erin Erased' });
  await app.drain();
  await eraseCustomer(context, customerId, actors.operator);
  receiver.answersWith(200);
  await partner.call('POST', `/webhooks/${webhook.id}/replay`, { since: '2020-01-01T00:00:00Z' });
  await app.drain();
  const [before, after] = receiver.received;
  assert.equal(before?.body.booking.customer.name, 'Erin Erased');
  assert.equal(after?.body.booking.customer.name, 'Erased');
  assert.doesNotMatch(after?.text ?? '', /Erin|571804/);
});

test('a partner gets only its own events: a workshop’s own booking is published to nobody', async () => {
  const before = await context.db.query('SELECT FROM partner_event');
  const kind: EventKind = 'booking.created';
  await context.db.transaction((tx) =>
    recordEvent(tx, {
      ...{ id: newId(), kind, partnerId: null, workshopId, subjectId: newId(), version: 1 },
      payload: { booking: { id: 'x' }, notifyCustomer: false, notifyWorkshop: false },
      occurredAt: app.clock.now(),
      actor: actors.operator,
    }),
  );
  await context.db.query(
    `UPDATE event SET relayed_at = clock_timestamp() WHERE kind <> 'booking.created' AND relayed_at IS NULL`,
  );
  await relayBatch(context, withPublication({ 'booking.created': [] } as never));
  assert.equal((await context.db.query('SELECT FROM partner_event')).length, before.length);
});
