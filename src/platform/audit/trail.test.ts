/** The audit trail: what an event says of its change, one entry for each however often it is relayed, and who changed a record meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { relayAgain, relayBatch } from '#platform/events/batch.ts';
import type { Reactions } from '#platform/events/reaction.ts';
import { setAsideEvents } from '#platform/events/store.ts';
import { changeStatus } from '#product/bookings/status.ts';
import { updateBooking } from '#product/bookings/update.ts';
import { reactions } from '#reactions.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { copyMissedEvents } from './purge.ts';
import { changesSince, listTrail, type TrailEntry } from './read/store.ts';

const app = await startTestApp();
const { context } = app;
const { db, clock } = context;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const personId = newId();
const person = actors.person(personId, 'asked-1');

let phones = 491_570_100;
async function book(changes: object = {}) {
  const customerPhone = `0${++phones}`;
  const { status, body } = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { customerPhone, ...changes }),
  );
  assert.equal(status, 201, JSON.stringify(body));
  return body.booking;
}
const put = async (id: string, body: object) =>
  assert.equal((await partner.call('PUT', `/bookings/${id}`, body)).status, 200);
const cancelledBy = (actor: Parameters<typeof changeStatus>[1]['actor'], bookingId: string) =>
  changeStatus(context, {
    ...{ actor, bookingId, status: 'cancelled', reason: 'Sold', notify: false },
  });
const trailOf = (subjectId: string, more: Partial<Parameters<typeof listTrail>[1]> = {}) =>
  listTrail(db, { workshopId, subjectId, before: null, limit: 50, ...more });
const kept = (id: string) =>
  db.query<{ action: string }>('SELECT action FROM audit_entry WHERE subject_id = $1 ORDER BY id', [id]);
const told = ({ action, actor, version, before, after }: TrailEntry) => ({
  action,
  actor,
  version,
  before,
  after,
});

test('a booking’s trail has who changed which fields, before and after, also before it is relayed (specification: Audit trail 1 and 2)', async () => {
  const { id, customerId, date } = await book({ notes: 'Squeaks' });
  const later = '2030-04-02T01:30:00.000Z';
  await put(id, { date: later, notes: null, customerName: 'Kim Lee', carRego: 'xyz 789' });
  await cancelledBy(person, id);
  const expected = [
    {
      ...{ action: 'booking.cancelled', actor: `person ${personId}`, version: 3 },
      ...{
        before: { status: 'pending', cancelReason: null },
        after: { status: 'cancelled', cancelReason: 'Sold' },
      },
    },
    {
      ...{ action: 'booking.updated', actor: partner.appKey, version: 2 },
      before: {
        date,
        notes: 'Squeaks',
        customerName: bookingBody(workshopId)['customerName'],
        carRego: 'ABC123',
      },
      after: { date: later, notes: null, customerName: 'Kim Lee', carRego: 'XYZ789' },
    },
    { action: 'booking.created', actor: partner.appKey, version: 1, before: null, after: null },
  ];
  assert.deepEqual(await kept(id), []);
  assert.deepEqual((await trailOf(id)).map(told), expected);
  await app.drain();
  assert.deepEqual((await trailOf(id)).map(told), expected);
  assert.equal((await kept(id)).length, 3);
  const [newest] = await trailOf(id);
  assert.deepEqual(
    [newest?.requestId, newest?.partner, newest?.subjectKind, newest?.workshopId],
    ['asked-1', 'Example Fleet', 'booking', workshopId],
  );
  assert.ok(Math.abs((newest?.recordedAt.getTime() ?? 0) - clock.machineNow().getTime()) < 60_000);
  assert.equal(newest?.occurredAt.toISOString().slice(0, 10), clock.now().toISOString().slice(0, 10));

  const moved = await book();
  await put(moved.id, { customerPhone: '0491 570 313' });
  const [change] = await trailOf(moved.id);
  assert.equal(change?.before?.['customerId'], moved.customerId);
  assert.ok(
    change?.after?.['customerId'] !== customerId && change?.after?.['customerPhone'] === '+61491570313',
  );
});

test('what changes nothing leaves nothing (specification: Audit trail 5)', async () => {
  const { id } = await book({ notes: 'Squeaks' });
  await put(id, { notes: 'Squeaks' });
  assert.equal((await trailOf(id)).length, 1);
});

test('an event is copied once, however often it is relayed; one whose planner throws is, too, and so are those of a restore (specification: Audit trail 2)', async () => {
  await app.drain();
  const [poison, fine] = [await book(), await book()];
  const [event] = await db.query<{ id: string }>('SELECT id FROM event WHERE subject_id = $1', [poison.id]);
  const failing: Reactions = {
    ...reactions,
    'booking.created': [
      async (_tx, events) => {
        if (events.some(({ subjectId }) => subjectId === poison.id)) throw new Error('cannot plan this');
      },
    ],
  };
  expectErrors(/cannot plan this/);
  while ((await relayBatch(context, failing)) > 0);
  for (const { id } of [poison, fine]) assert.deepEqual(await kept(id), [{ action: 'booking.created' }]);
  await relayAgain(context, reactions, event?.id ?? '');
  await db.query('UPDATE event SET relayed_at = NULL WHERE subject_id = $1', [fine.id]);
  await app.drain();
  for (const { id } of [poison, fine]) {
    assert.equal((await kept(id)).length, 1);
    assert.equal((await trailOf(id)).length, 1);
  }
  const restored = await book();
  await db.transaction((tx) => setAsideEvents(tx, clock.now()));
  assert.equal((await kept(restored.id)).length, 1);
});

test('changes since a version: of the workshop’s subject alone, in their order, relayed or not', async () => {
  const { id } = await book();
  await put(id, { notes: 'One' });
  await app.drain();
  await updateBooking(context, {
    ...{ actor: person, bookingId: id, body: { notes: 'Two' }, phone: null },
  });
  const since = (version: number, of = workshopId) =>
    changesSince(db, { workshopId: of, subjectId: id, version });
  assert.deepEqual(
    (await since(1)).map(({ version, actor, after }) => [version, actor, after?.['notes']]),
    [
      [2, partner.appKey, 'One'],
      [3, `person ${personId}`, 'Two'],
    ],
  );
  assert.deepEqual(
    (await since(2)).map(({ version }) => version),
    [3],
  );
  assert.deepEqual(await since(3), []);
  assert.deepEqual(await since(1, newId()), []);
});

test('what a process of the previous release has relayed, without a trail, is in it within the hour, once', async () => {
  const { id } = await book();
  const { id: waitingId } = await book();
  await db.query('UPDATE event SET relayed_at = clock_timestamp() WHERE subject_id = $1', [id]);
  assert.deepEqual([await kept(id), await trailOf(id)], [[], []]);
  for (let times = 0; times < 2; times++) {
    await copyMissedEvents(context);
    assert.deepEqual(await kept(id), [{ action: 'booking.created' }]);
    assert.deepEqual((await trailOf(id)).map(told), [
      { action: 'booking.created', actor: partner.appKey, version: 1, before: null, after: null },
    ]);
    assert.deepEqual(await kept(waitingId), []);
  }
});
