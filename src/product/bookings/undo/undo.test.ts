/** A person undoes their change while its event is held: nobody is notified, and only the version has changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { workBacklog } from '#platform/work/store.ts';
import { assertRefused, at } from '../../../../test/fixtures/places.ts';
import { refused, undoWorld } from '../../../../test/fixtures/undo.ts';
import { changeWith, failing } from '../../../../test/harness/change-with.ts';
import { restoredColumns } from '../columns.ts';

const world = await undoWorld();
const { app, context, db, partner, person, workshopId, give, move, undo, row, published, fresh, sent } =
  world;

for (const status of ['confirmed', 'completed', 'cancelled'] as const) {
  test(`${status} by mistake: held, undone, and nobody is notified; the version rises (specification: Taking a change back 1 and 3)`, async () => {
    const { id } = await fresh();
    const before = await row(id);
    const made = await give(id, status, { reason: status === 'cancelled' ? 'Wrong line' : undefined });
    assert.equal(made.version, 2);
    assert.ok(made.heldUntil !== null && made.eventId !== null);
    await app.drain();
    assert.deepEqual([sent(), await published(id)], [0, ['1 bookingCreate']]);
    assert.equal((await partner.call('GET', `/bookings/${id}`)).body.booking.status, status);
    const undone = await undo(made.eventId);
    assert.deepEqual(
      [undone.version, undone.undone, undone.booking.status],
      [3, `booking.${status}`, 'pending'],
    );
    const after = await row(id);
    assert.deepEqual(after.columns, before.columns);
    await app.drain();
    assert.deepEqual([sent(), await published(id)], [0, ['1 bookingCreate', '3 bookingUpdated']]);
    const [event] = await db.query<{ payload: Record<string, unknown>; actor: string }>(
      'SELECT payload, actor FROM event WHERE id = $1',
      [undone.eventId],
    );
    assert.deepEqual(
      [event?.payload['notifyCustomer'], event?.payload['notifyWorkshop'], event?.payload['dateChanged']],
      [false, false, false],
    );
    assert.equal(event?.actor, `person ${person.personId}`);
    assert.deepEqual(await world.heldEvents(), []);
  });
}

test('undoing a change from confirmed restores confirmed, not pending; a cancelled one loses its reason (specification: Taking a change back 3)', async () => {
  const { id } = await fresh();
  await give(id, 'confirmed', { holdMs: 0 });
  await app.drain();
  const { eventId } = await give(id, 'cancelled', { reason: 'Ill' });
  assert.equal((await row(id)).columns['cancel_reason'], 'Ill');
  const { booking } = await undo(eventId);
  assert.deepEqual([booking.status, booking.cancelReason], ['confirmed', null]);
});

test('a moved booking is back at its time and place, and the customer gets no notice (specification: Taking a change back 1, 3 and 11)', async () => {
  const { id, day } = await fresh({ pickupTime: at('16:00', 5) });
  const before = await row(id);
  const { eventId } = await move(id, { to: at('14:00', day), notes: 'Later', pickupTime: '' });
  assert.equal((await row(id)).columns['date'] === before.columns['date'], false);
  const undone = await undo(eventId);
  assert.deepEqual((await row(id)).columns, before.columns);
  const [event] = await db.query<{ payload: Record<string, unknown> }>(
    'SELECT payload FROM event WHERE id = $1',
    [undone.eventId],
  );
  const was = event?.payload['previousDate'];
  assert.deepEqual([event?.payload['dateChanged'], was], [true, at('14:00', day)]);
  await app.drain();
  assert.equal(sent(), 0);
  assertRefused(await world.book(workshopId, at('09:00', day)), 'full');
  assert.equal((await world.book(workshopId, at('14:00', day))).status, 201);
});

test('without an undo the event is relayed right after the hold, and the change stays (specification: Taking a change back 2)', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'cancelled');
  await app.drain();
  assert.equal(sent(), 0);
  await world.expire();
  await app.drain();
  assert.deepEqual([sent() > 0, await published(id)], [true, ['1 bookingCreate', '2 bookingCancelled']]);
  await assert.rejects(undo(eventId), refused('tooLate'));
  assert.equal((await row(id)).columns['status'], 'cancelled');
});

test('after the hold a change can’t be undone, even before the event is relayed (specification: Taking a change back 10)', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'cancelled');
  await world.expire();
  await assert.rejects(undo(eventId), refused('tooLate'));
  await app.drain();
});

test('without a hold time, on the command line, and through the API nothing is held (specification: Taking a change back 1 and 8)', async () => {
  const { id } = await fresh();
  const made = await give(id, 'confirmed', { holdMs: undefined });
  assert.deepEqual([made.version, made.heldUntil], [2, null]);
  await app.drain();
  assert.ok(sent() > 0);
  await assert.rejects(undo(made.eventId), refused('tooLate'));
  await assert.rejects(give(id, 'cancelled', { actor: actors.operator }), /only a change by a person/);
  await assert.rejects(give(id, 'cancelled', { holdMs: 60_001 }), RangeError);
  assert.deepEqual((await row(id)).columns['status'], 'confirmed');
  const again = await give(id, 'confirmed');
  assert.deepEqual([again.eventId, again.version], [null, 2]);
});

test('a change of customer or car is not held, because these are stored apart from the booking (specification: Taking a change back 8)', async () => {
  const { id } = await fresh();
  for (const input of [
    { customerName: 'Sam Smith' },
    { carRego: 'XYZ 999' },
    { customerPhone: '0491 570 157' },
  ]) {
    const made = await move(id, input);
    assert.deepEqual([made.heldUntil, typeof made.eventId], [null, 'string']);
    await assert.rejects(undo(made.eventId), refused('tooLate'));
  }
});

test('a change around it is one commit: its error rolls back the change, or the undo', async () => {
  const { id } = await fresh();
  const giveIn = (within: typeof context) => give(id, 'cancelled', {}, within);
  await assert.rejects(changeWith(context, giveIn, failing('no')), /^Error: no$/);
  assert.deepEqual([(await row(id)).version, await world.heldEvents()], [1, []]);
  const seen: unknown[] = [];
  const { eventId } = await changeWith(context, giveIn, async (_, made) => void seen.push(made.eventId));
  assert.deepEqual(seen, [eventId]);
  const undoIn = (within: typeof context) => undo(eventId, {}, within);
  await assert.rejects(changeWith(context, undoIn, failing('no')), /^Error: no$/);
  assert.equal((await row(id)).columns['status'], 'cancelled');
  await undo(eventId);
});

test('an erasure ends the hold, and keeps no earlier values', async () => {
  const { eraseCustomer } = await import('#operation/erasure/erase-customer.ts');
  const { id } = await fresh({ customerPhone: '0491 570 158', notes: 'Ask for Quentin' });
  const { eventId } = await move(id, { notes: 'Ask for Robin' });
  const { customer_id: customerId } = (await row(id)).columns;
  await eraseCustomer({ db, clock: app.clock }, String(customerId), actors.operator);
  const held = await db.query<{ text: string }>('SELECT to_jsonb(h)::text AS text FROM held_event h');
  assert.doesNotMatch(held.map(({ text }) => text).join(), /Quentin|Robin/);
  await assert.rejects(undo(eventId), refused('changedMeanwhile'));
  await app.drain();
  assert.deepEqual(await world.heldEvents(), []);
});

test('held events do not count as backlog; events whose hold has ended do', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'confirmed');
  assert.deepEqual(
    [(await workBacklog(db)).eventsWaiting, (await workBacklog(db)).oldestEventSeconds],
    [0, 0],
  );
  await world.expire();
  const late = await workBacklog(db);
  assert.equal(late.eventsWaiting, 1);
  assert.ok(late.oldestEventSeconds >= 1 && late.oldestEventSeconds < 60, String(late.oldestEventSeconds));
  await app.drain();
  await assert.rejects(undo(eventId), refused('tooLate'));
});

test('every column of a booking is restored, or is never written by a held change', async () => {
  const stay =
    'id code partner_id workshop_id customer_id car_id external_id created_at version updated_at changed_in';
  const place = 'occupied_from occupied_until counted_services counted_categories place_version held_to';
  const known = [...restoredColumns, ...stay.split(' '), ...place.split(' ')];
  const columns = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'booking'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  assert.deepEqual(columns.map(({ name }) => name).toSorted(), known.toSorted());
});
