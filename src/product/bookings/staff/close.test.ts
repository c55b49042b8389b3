/** Closing in one step, and the notes of a day. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { purgePastDays } from '#product/availability/places/purge.ts';
import { setDayNote } from '#product/workshops/day-notes/set.ts';
import { readDayNotes } from '#product/workshops/day-notes/store.ts';
import { assertRefused, at, placesWorld } from '../../../../test/fixtures/places.ts';
import { changeWith, failing } from '../../../../test/harness/change-with.ts';
import { testClock } from '../../../../test/harness/clock.ts';
import { findBlocks, unblockBays } from './block.ts';
import { closeBays, fullToday } from './close.ts';

const { app, workshop, book, booked } = await placesWorld();
const { db } = app.context;
const actor = actors.person(newId(), 'r-1');
/** The same database at another time. */
const when = (iso: string) => ({ ...app.context, clock: testClock(new Date(iso)) });
const span = ({ block }: { readonly block: { readonly from: Date; readonly until: Date } }) =>
  [block.from, block.until].map((time) => time.toISOString());

test('full today: the rest of today is not offered until the close of business; repeating it changes nothing; it can be undone (specification: The front desk 4 and 16)', async () => {
  const workshopId = await workshop({}, { bays: 2 });
  const { code } = await booked(workshopId, at('15:00'));
  const now = when(at('10:05'));
  const made = await Promise.all([1, 2, 3].map(() => fullToday(now, { workshopId, actor })));
  assert.equal(new Set(made.map(({ block }) => block.id)).size, 1);
  const [first] = made;
  assert.ok(first !== undefined);
  assert.deepEqual(span(first), [at('10:05'), at('17:00')]);
  assert.deepEqual(
    first.bookings.map((each) => each.code),
    [code],
  );
  const later = await fullToday(when(at('11:00')), { workshopId, actor });
  assert.equal(later.block.id, first.block.id);
  assertRefused(await book(workshopId, at('10:00')), 'full');
  assertRefused(await book(workshopId, at('16:30')), 'full');
  await booked(workshopId, at('08:00'));
  await booked(workshopId, at('08:00', 1));
  await unblockBays(app.context, { workshopId, id: first.block.id, actor });
  await booked(workshopId, at('16:30'));
  for (const time of [at('17:00'), at('23:00'), at('10:00', -1)])
    await assert.rejects(fullToday(when(time), { workshopId, actor }), /closed by now/);
});

test('bays are closed from now on, or for a whole day, one after the other (specification: The front desk 4 and 16)', async () => {
  const workshopId = await workshop({}, { bays: 2 });
  const now = when(at('10:05'));
  const close = (changes: object = {}) => closeBays(now, { workshopId, actor, reason: 'Hoist', ...changes });
  assert.deepEqual(span(await close()), [at('10:05'), at('17:00')]);
  await booked(workshopId, at('16:00'));
  assertRefused(await book(workshopId, at('16:00')), 'full');
  assert.deepEqual(span(await close({ day: 'tomorrow', bays: 'all' })), [at('00:00', 1), at('00:00', 2)]);
  assertRefused(await book(workshopId, at('08:00', 1)), 'full');
  for (const bad of [
    { reason: ' ' },
    { bays: '0' },
    { bays: 'x' },
    { day: 'someday' },
    { day: '2027-03-28' },
  ])
    await assert.rejects(close(bad), InvalidInput, JSON.stringify(bad));
  const asked = { workshopId, actor, reason: 'Hoist' };
  for (const verb of [
    (within: typeof now) => closeBays(within, asked),
    (within: typeof now) => fullToday(within, asked),
  ])
    await assert.rejects(changeWith<typeof now, unknown>(now, verb, failing('no key')), /no key/);
  const blocks = await findBlocks(now, workshopId);
  assert.deepEqual(
    blocks.map(({ bays }) => bays),
    [1, null],
  );
});

test('days of 25 and 23 hours are closed completely, and full until the workshop’s local closing time (specification: The front desk 4)', async () => {
  const sunday = [{ from: '01:00', to: '16:00' }];
  const workshopId = await workshop({ hours: { sunday } });
  const hours = ([from = '', until = '']: string[]) => (Date.parse(until) - Date.parse(from)) / 3_600_000;
  const now = when('2027-03-29T00:00:00Z');
  const close = async (day: string) =>
    hours(span(await closeBays(now, { workshopId, actor, reason: 'Holiday', day })));
  assert.deepEqual([await close('2027-04-04'), await close('2027-10-03')], [25, 23]);
  // 01:30 in Melbourne, before the clocks are changed at 03:00 and at 02:00.
  const rest = async (time: string) => hours(span(await fullToday(when(time), { workshopId, actor })));
  assert.equal(await rest('2027-04-03T14:30:00Z'), 15.5);
  assert.equal(await rest('2027-10-02T15:30:00Z'), 13.5);
});

test('a day note is read by range, replaced by version, cleared, and kept for 400 days (specification: The front desk 5 and 17; Audit trail 6)', async () => {
  const workshopId = await workshop();
  const other = await workshop();
  const set = (changes: object = {}, by = app.context) =>
    setDayNote(by, {
      ...{ workshopId, date: '2027-03-29', text: 'Sam is off\n', seen: 0, actor, ...changes },
    });
  const outdated = (error: unknown) => error instanceof Problem && error.status === 412;
  const range = (from: string, to: string) => readDayNotes(db, workshopId, { from, to });
  assert.deepEqual([(await set()).version, (await set({ date: '2027-03-31' })).version], [1, 1]);
  await assert.rejects(set({ text: 'Over it' }), outdated);
  await assert.rejects(set({ seen: 2 }), outdated);
  await assert.rejects(set({ date: '2027-05-01', seen: 1 }), outdated);
  const races = await Promise.allSettled(['A', 'B', 'C'].map((text) => set({ text, seen: 1 })));
  assert.equal(races.filter(({ status }) => status === 'fulfilled').length, 1);
  const cleared = await set({ text: ' ', seen: 2 });
  assert.deepEqual([cleared.text, cleared.version], ['', 3]);
  // A form that is older than the clearing does not restore the note.
  await assert.rejects(set({ seen: 1 }), outdated);
  await assert.rejects(set(), outdated);
  const notes = await range('2027-03-29', '2027-03-31');
  assert.deepEqual(
    notes.map(({ date, text, version }) => [date, text, version]),
    [
      ['2027-03-29', '', 3],
      ['2027-03-31', 'Sam is off', 1],
    ],
  );
  assert.equal(notes[0]?.actor, `person ${actor.personId}`);
  const entries = await db.query<{ note: string }>(
    `SELECT after->>'note' AS note FROM audit_entry WHERE workshop_id = $1 AND action = 'workshop.dayNoted' ORDER BY id`,
    [workshopId],
  );
  assert.deepEqual(
    entries.map(({ note }) => note),
    ['written', 'written', 'written', 'cleared'],
  );
  assert.deepEqual(await readDayNotes(db, other, { from: '2027-01-01', to: '2027-12-31' }), []);
  for (const bad of [{ text: 'x'.repeat(2_001) }, { date: '2027-02-30' }, { date: 'today' }])
    await assert.rejects(set(bad), InvalidInput);
  const rolledBack = changeWith(
    app.context,
    (within) => set({ date: '2027-04-01' }, within),
    failing('no key'),
  );
  await assert.rejects(rolledBack, /no key/);
  await purgePastDays(when('2028-05-02T12:00:00Z'));
  assert.equal((await range('2027-01-01', '2027-12-31')).length, 2);
  await purgePastDays(when('2028-05-04T12:00:00Z'));
  assert.deepEqual(
    (await range('2027-01-01', '2027-12-31')).map(({ date }) => date),
    ['2027-03-31'],
  );
});
