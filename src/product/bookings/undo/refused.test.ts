/**
 * Changes that can't be undone: of another person, an older one, one that was changed since, and one whose previous place is taken.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { at } from '../../../../test/fixtures/places.ts';
import { isProblem, refused, undoWorld } from '../../../../test/fixtures/undo.ts';
import { UndoRefused } from './refused.ts';

const world = await undoWorld();
const { app, db, partner, workshopId, give, move, undo, row, published, fresh } = world;

test('a second click, another person, another workshop and an unknown event change nothing (specification: Taking a change back 1 and 6)', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'cancelled');
  const other = actors.person(newId(), 'request-2');
  await assert.rejects(undo(eventId, { actor: other }), refused('notYours'));
  await assert.rejects(undo(eventId, { workshopId: await world.workshop() }), isProblem('060001'));
  await assert.rejects(undo(newId()), isProblem('060001'));
  await assert.rejects(undo('x'), isProblem('060001'));
  assert.equal((await row(id)).version, 2);
  await undo(eventId);
  await assert.rejects(undo(eventId), refused('alreadyUndone'));
  assert.equal((await row(id)).version, 3);
});

test('an event of another kind of record is no change of a booking', async () => {
  const { id } = await fresh();
  const [made] = await db.query<{ id: string }>('SELECT id FROM event WHERE subject_id = $1', [id]);
  await assert.rejects(undo(made?.id ?? null), refused('tooLate'));
});

const others: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'its partner': (id) => partner.call('PUT', `/bookings/${id}`, { notes: 'Key under the mat' }),
  'its partner, who cancels it': (id) => partner.call('POST', `/bookings/${id}/cancelled`, {}),
  'the operator': (id) => give(id, 'completed', { actor: actors.operator, holdMs: 0, notify: false }),
  'themselves, later': (id) => move(id, { notes: 'Later' }),
};
for (const [who, change] of Object.entries(others)) {
  test(`a change by ${who} ends the hold: the held event is released first, and stays (specification: Taking a change back 4)`, async () => {
    const { id } = await fresh();
    const { eventId, version } = await give(id, 'confirmed');
    await change(id);
    await assert.rejects(undo(eventId), (error) => {
      assert.ok(refused('changedMeanwhile')(error) && error instanceof UndoRefused);
      assert.deepEqual([error.recordId, error.version], [id, version]);
      return true;
    });
    await app.drain();
    assert.deepEqual((await published(id)).slice(0, 2), ['1 bookingCreate', '2 bookingConfirmed']);
    await world.expire();
    await app.drain();
    assert.equal((await published(id)).length, 3);
    await assert.rejects(undo(eventId), refused('changedMeanwhile'));
  });
}

test('a change of an outdated version, from another tab, is refused with 412 and ends no hold (specification: Taking a change back 6)', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'confirmed', { seen: 1 });
  await assert.rejects(give(id, 'cancelled', { seen: 1 }), isProblem('000010'));
  await assert.rejects(move(id, { notes: 'x' }, { seen: 1 }), isProblem('000010'));
  await undo(eventId);
});

test('staff of another workshop get 404 060001', async () => {
  const { id } = await fresh();
  const elsewhere = { workshopId: await world.workshop() };
  await assert.rejects(give(id, 'confirmed', elsewhere), isProblem('060001'));
  await assert.rejects(move(id, { notes: 'x' }, elsewhere), isProblem('060001'));
  assert.equal((await row(id)).version, 1);
});

test('its previous place was taken: 409 060003 with reason and alternatives, and the change stands (specification: Taking a change back 5 and 9)', async () => {
  for (const take of ['cancel', 'move'] as const) {
    const { id, day } = await fresh();
    const { eventId } =
      take === 'cancel' ? await give(id, 'cancelled') : await move(id, { to: at('15:00', day) });
    assert.equal((await world.book(workshopId, at('09:00', day))).status, 201);
    const stands = await row(id);
    await assert.rejects(undo(eventId), (error) => {
      assert.ok(error instanceof Problem, String(error));
      const { reason, alternatives } = error.details as { reason: string; alternatives: string[] };
      assert.deepEqual([error.errorCode, reason, alternatives[0]], ['060003', 'full', at('09:30', day)]);
      assert.match(error.message, /No bay is free then; free next: /);
      return true;
    });
    assert.deepEqual(await row(id), stands);
    await world.expire();
    await app.drain();
    assert.equal((await published(id)).at(-1), take === 'cancel' ? '2 bookingCancelled' : '2 bookingUpdated');
  }
});

test('a notice period and changed hours do not stop an undo (specification: Taking a change back 9)', async () => {
  const own = await world.workshop();
  const booking = await world.booked(own, at('09:00', 21));
  const { eventId } = await give(booking.id, 'cancelled', { workshopId: own });
  await world.setUp(own, {
    settings: { leadTimeMinutes: 60 * 24 * 60 },
    hours: { monday: [{ from: '12:00', to: '13:00' }] },
  });
  const { booking: again } = await undo(eventId, { workshopId: own });
  assert.deepEqual([again.status, again.date], ['pending', at('09:00', 21)]);
  assert.notEqual((await row(booking.id)).columns['occupied_from'], null);
});
