/** "Car is ready" by mistake: held, and undone before the customer gets the SMS. The booking never changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { listTrail } from '#platform/audit/read/store.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { holdMs, refused, undoWorld } from '../../../../test/fixtures/undo.ts';
import { changeWith } from '../../../../test/harness/change-with.ts';
import type { AttendanceState } from '../attendance/store.ts';
import { bookingRecord } from '../record.ts';
import { setAttendance } from '../staff/attendance.ts';
import { type MarkReady, markReady } from '../staff/ready.ts';

const world = await undoWorld();
const { app, context, db, person, workshopId, give, undo, row, published, fresh, sent } = world;

const mark = (bookingId: string, changes: Partial<MarkReady> = {}, by = context) =>
  markReady(by, { workshopId, bookingId, actor: person, tellCustomer: true, holdMs, ...changes });
const attend = (bookingId: string, state: AttendanceState) =>
  setAttendance(context, { workshopId, bookingId, state, actor: person });
const attendanceOf = async (id: string) => (await requireRecord(db, bookingRecord, id)).attendance;
const trail = async (id: string) =>
  (await listTrail(db, { workshopId, subjectId: id, before: null, limit: 50 }))
    .toReversed()
    .map(({ action, before, after }) => [action, before?.['attendance'], after?.['attendance']]);

test('held, then undone: nobody gets an SMS, the attendance is restored, and the booking is unchanged (specification: Taking a change back 1 and 7)', async () => {
  const { id } = await fresh();
  await attend(id, 'here');
  const before = await row(id);
  const marked = await mark(id);
  assert.ok(marked.heldUntil !== null);
  await app.drain();
  assert.deepEqual([await attendanceOf(id), sent()], ['ready', 0]);
  const undone = await undo(marked.eventId);
  assert.deepEqual([undone.version, undone.eventId, undone.undone], [1, null, 'booking.carReady']);
  await app.drain();
  assert.deepEqual([await attendanceOf(id), sent(), await world.heldEvents()], ['here', 0, []]);
  assert.deepEqual([await row(id), await published(id)], [before, ['1 bookingCreate']]);
  await assert.rejects(undo(marked.eventId), refused('alreadyUndone'));
  assert.deepEqual((await trail(id)).slice(1), [
    ['booking.attended', 'expected', 'here'],
    ['booking.carReady', 'here', 'ready'],
    ['booking.attended', 'ready', 'here'],
  ]);
  const again = await mark(id);
  assert.equal(again.notTold, null, 'who was told nothing is told now');
  await world.expire();
  await app.drain();
  assert.equal(sent(), 1);
  await assert.rejects(undo(again.eventId), refused('tooLate'));
});

test('it ends the hold of the previous change, and only the latest change can be undone', async () => {
  const { id } = await fresh();
  const confirmed = await give(id, 'confirmed');
  const marked = await mark(id);
  await app.drain();
  assert.ok(sent() > 0);
  assert.deepEqual(await published(id), ['1 bookingCreate', '2 bookingConfirmed']);
  assert.deepEqual(await world.heldEvents(), [{ eventId: marked.eventId }]);
  await assert.rejects(undo(confirmed.eventId), refused('tooLate'));
  await undo(marked.eventId);
  assert.equal(await attendanceOf(id), 'expected');
});

test('the attendance changed since: the SMS is sent, and the undo is refused (specification: Taking a change back 12)', async () => {
  const { id } = await fresh();
  const { eventId } = await mark(id);
  await attend(id, 'collected');
  await assert.rejects(undo(eventId), refused('changedMeanwhile'));
  await app.drain();
  assert.deepEqual([sent(), await attendanceOf(id)], [1, 'collected']);
});

test('a change of attendance ends the hold of a change of the booking too; a call that changes nothing does not (specification: Taking a change back 12)', async () => {
  const { id } = await fresh();
  const { eventId } = await give(id, 'confirmed');
  await attend(id, 'expected');
  await app.drain();
  assert.equal(sent(), 0);
  await attend(id, 'here');
  await assert.rejects(undo(eventId), refused('changedMeanwhile'));
});

test('of a concurrent undo and mark one happens, without a deadlock', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await fresh();
    const { eventId } = await mark(id);
    const [undone] = await Promise.allSettled([undo(eventId), attend(id, 'collected')]);
    assert.equal(await attendanceOf(id), 'collected', undone.status);
    await app.drain();
    if (undone.status === 'fulfilled') assert.equal(sent(), 0);
  }
});

test('a change around it sees the end of the hold; without an SMS, or without a person as actor, nothing is held (specification: Taking a change back 12)', async () => {
  const { id } = await fresh();
  const seen: (Date | null)[] = [];
  const seeing = (changes: Partial<MarkReady>) =>
    changeWith(
      context,
      (within) => mark(id, changes, within),
      async (_, { heldUntil }) => void seen.push(heldUntil),
    );
  const silent = await seeing({ tellCustomer: false });
  const told = await seeing({});
  assert.deepEqual([silent.eventId, seen], [null, [null, told.heldUntil]]);
  await assert.rejects(undo(told.eventId, { actor: actors.person(newId(), 'r-2') }), refused('notYours'));
  await assert.rejects(mark(id, { actor: actors.operator }), /only a change by a person/);
  await undo(told.eventId);
  assert.equal(await attendanceOf(id), 'ready', 'as it was before the text');
});
