/**
 * Races of an undo with a relay, a partner, another click and a new booking: the first one wins, and the other gets the error. And
 * a crash.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayBatch } from '#platform/events/batch.ts';
import { reactions } from '#reactions.ts';
import { at } from '../../../../test/fixtures/places.ts';
import { isProblem, refused, undoWorld } from '../../../../test/fixtures/undo.ts';
import { changeWith } from '../../../../test/harness/change-with.ts';

const world = await undoWorld();
const { app, db, context, partner, workshopId, give, undo, row, published, fresh } = world;
const rounds = Array.from({ length: 12 });
const settled = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('always: a relay and an undo when the hold has just ended: one of them gets the event', async () => {
  const won = { relay: 0, undo: 0 };
  for (const [round] of rounds.entries()) {
    const { id } = await fresh({ skipNotification: true });
    const { eventId } = await give(id, 'cancelled');
    await db.query(`UPDATE held_event SET held_until = clock_timestamp() + $1 * interval '1 ms'`, [
      round / 2,
    ]);
    const relay = async () => {
      while ((await db.query('SELECT FROM held_event')).length > 0) await relayBatch(context, reactions);
    };
    const [error] = await Promise.all([settled(undo(eventId)), relay(), relay()]);
    await app.drain();
    const { version, columns } = await row(id);
    if (error === null) {
      won.undo++;
      assert.deepEqual([version, columns['status']], [3, 'pending']);
      assert.deepEqual(await published(id), ['1 bookingCreate', '3 bookingUpdated']);
    } else {
      won.relay++;
      refused('tooLate')(error);
      assert.deepEqual([version, columns['status']], [2, 'cancelled']);
      assert.deepEqual(await published(id), ['1 bookingCreate', '2 bookingCancelled']);
    }
  }
  assert.equal(won.relay + won.undo, rounds.length);
});

test('always: concurrent change by a partner and undo: no data of either is lost', async () => {
  for (const _ of rounds) {
    const { id } = await fresh({ skipNotification: true });
    const { eventId } = await give(id, 'confirmed');
    const [error, put] = await Promise.all([
      settled(undo(eventId)),
      partner.call('PUT', `/bookings/${id}`, { notes: 'Key under the mat' }),
    ]);
    assert.equal(put.status, 200);
    if (error !== null) refused('changedMeanwhile')(error);
    const { version, columns } = await row(id);
    const isUndone = error === null;
    assert.deepEqual(
      [version, columns['status'], columns['notes']],
      [isUndone ? 4 : 3, isUndone ? 'pending' : 'confirmed', 'Key under the mat'],
    );
    await app.drain();
    const first = isUndone ? '3 bookingUpdated' : '2 bookingConfirmed';
    const last = isUndone ? '4 bookingUpdated' : '3 bookingUpdated';
    assert.deepEqual(await published(id), ['1 bookingCreate', first, last]);
  }
});

test('always: three concurrent clicks undo once', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'completed');
  const errors = await Promise.all([1, 2, 3].map(() => settled(undo(eventId))));
  const refusals = errors.filter((error) => error !== null);
  assert.equal(refusals.length, 2);
  refusals.forEach(refused('alreadyUndone'));
  assert.equal((await row(id)).version, 3);
});

test('always: a new booking and an undo want the same place: one gets it', async () => {
  for (const _ of rounds.slice(6)) {
    const { id, day } = await fresh({ skipNotification: true });
    const { eventId } = await give(id, 'cancelled');
    const [error, made] = await Promise.all([
      settled(undo(eventId)),
      world.book(workshopId, at('09:00', day), { skipNotification: true }),
    ]);
    assert.equal(made.status, error === null ? 409 : 201);
    if (error !== null) assert.ok(isProblem('060003')(error), String(error));
    assert.equal((await row(id)).columns['status'], error === null ? 'pending' : 'cancelled');
  }
});

test('always: a crash during the undo loses nothing: the change stands, is held, and can still be undone', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'cancelled');
  const crash = async (tx: { query(text: string): Promise<unknown> }) => {
    await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
  };
  const crashing = (verb: (within: typeof context) => Promise<unknown>) =>
    settled(changeWith(context, verb, crash));
  assert.notEqual(await crashing((within) => undo(eventId, {}, within)), null);
  assert.equal((await row(id)).version, 2);
  await app.drain();
  assert.deepEqual(await published(id), ['1 bookingCreate']);
  await undo(eventId);
  assert.notEqual(await crashing((within) => give(id, 'confirmed', {}, within)), null);
  assert.equal((await row(id)).version, 3);
  assert.deepEqual(await db.query('SELECT FROM held_event WHERE record_id = $1', [id]), []);
});
