/** Closing over a span of days, once or repeated, and taking a series back (specification: The front desk 11 and 12). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { insertBlocks } from '#product/availability/blocks/store.ts';
import { assertRefused, at, placesWorld } from '../../../../test/fixtures/places.ts';
import { changeWith, failing } from '../../../../test/harness/change-with.ts';
import { testClock } from '../../../../test/harness/clock.ts';
import { findBlocks, unblockBays } from './block.ts';
import { type ClosingInput, closeSpan, closingSpans, countInClosing } from './close-span.ts';

const { app, workshop, book, booked } = await placesWorld();
const { db } = app.context;
const actor = actors.person(newId(), 'r-1');
const timezone = 'Australia/Melbourne';
const now = new Date(at('09:10', -1));
const spansOf = (input: Omit<ClosingInput, 'reason'>) => closingSpans(input, { timezone, now });
const local = ({ from, until }: { readonly from: Date; readonly until: Date }) =>
  [from, until].map((instant) =>
    instant.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDateTime().toString(),
  );
const reasonsOf = (input: Omit<ClosingInput, 'reason'>) =>
  spansOf(input).errors.map(({ field, message }) => `${field} ${message}`);

test('spans are local days and times: once, each week, each year, over changes of the clocks and leap days', () => {
  const of = (input: Omit<ClosingInput, 'reason'>) => {
    const { spans, errors } = spansOf(input);
    assert.deepEqual(errors, []);
    return spans.map(local);
  };
  assert.deepEqual(of({ from: '2027-12-20', to: '2028-01-02' }), [
    ['2027-12-20T00:00:00', '2028-01-03T00:00:00'],
  ]);
  assert.deepEqual(of({ from: '2027-12-24', to: '2027-12-27', begins: '12:00', ends: '09:30' }), [
    ['2027-12-24T12:00:00', '2027-12-27T09:30:00'],
  ]);
  // Clocks go back on 4 April 2027.
  const weekly = {
    from: '2027-03-31',
    begins: '12:00',
    ends: '17:00',
    repeat: 'weekly',
    until: '2027-04-14',
  };
  assert.deepEqual(
    of(weekly),
    ['03-31', '04-07', '04-14'].map((day) => [`2027-${day}T12:00:00`, `2027-${day}T17:00:00`]),
  );
  const hours = spansOf({ from: '2027-04-04', repeat: 'weekly', until: '2027-04-11' }).spans.map(
    ({ from, until }) => (until.getTime() - from.getTime()) / 3_600_000,
  );
  assert.deepEqual(hours, [25, 24]);
  // 02:30 comes twice: closed from the first on, and until the second.
  const [twice] = spansOf({ from: '2027-04-04', begins: '02:30', ends: '02:30' }).spans;
  assert.equal((twice?.until.getTime() ?? 0) - (twice?.from.getTime() ?? 0), 3_600_000);
  assert.deepEqual(
    of({ from: '2028-02-29', repeat: 'yearly', until: '2030-12-31' }).map(([from]) => from),
    ['2028-02-29', '2029-02-28', '2030-02-28'].map((day) => `${day}T00:00:00`),
  );
  assert.equal(of({ from: '2027-04-01', repeat: 'weekly', until: '2028-05-18' }).length, 60);
});

test('what is no span is refused, each fault at its field', () => {
  const from = '2027-04-01';
  for (const [input, fault] of [
    [{ from: 'soon' }, /^from must be today/],
    [{ from, to: '2027-02-30' }, /^to must be/],
    [{ from, to: '2027-03-31' }, /^to must not be before from/],
    [{ from, to: '2028-04-01' }, /^to must be at most 366 days/],
    [{ from: '2027-03-20', to: '2027-03-27' }, /^to is over/],
    [{ from, begins: '9 am' }, /^begins must be a time/],
    [{ from, begins: '10:00', ends: '10:00' }, /^ends must be after/],
    [{ from, repeat: 'daily' }, /^repeat must be one of/],
    [{ from, repeat: 'weekly' }, /^until is wanted/],
    [{ from, repeat: 'weekly', until: '2027-03-31' }, /^until must not be before/],
    [{ from, to: '2027-04-08', repeat: 'weekly', until: '2027-05-01' }, /^to is after it begins again/],
    [{ from, repeat: 'weekly', until: '2028-05-25' }, /^until makes too many closings: at most 60/],
    [{ from, repeat: 'weekly', until: '9999-12-31' }, /^until makes too many/],
    [{ from: '9999-12-31', repeat: 'yearly', until: '9999-12-31' }, /^from must be before 2200/],
    [{ from, to: '2200-01-01' }, /^to must be before 2200/],
  ] as const)
    assert.match(reasonsOf(input).join(), fault, JSON.stringify(input));
  assert.equal(reasonsOf({ from: 'x', to: 'y', begins: 'z', repeat: 'no' }).length, 4);
});

test('always: two weeks of holiday are one closing; bookings in it are counted before and after, and stay', async () => {
  const workshopId = await workshop({}, { bays: 2 });
  const other = await workshop();
  const here = { workshopId, timezone };
  const holiday = { from: '2027-03-29', to: '2027-04-11', bays: 'all' };
  const before = async (of = here) => countInClosing(app.context, of, holiday);
  assert.deepEqual(await before(), { closings: 1, bookings: 0 });
  const [first] = [await booked(workshopId, at('08:00')), await booked(workshopId, at('10:00', 11))];
  await booked(workshopId, at('10:00', 14));
  await booked(other, at('08:00'));
  assert.deepEqual(await before(), { closings: 1, bookings: 2 });
  assert.equal(await countInClosing(app.context, here, { from: 'soon' }), null);
  const made = await closeSpan(app.context, { ...holiday, workshopId, actor, reason: 'Holiday' });
  assert.deepEqual([made.blocks.length, made.bookings, made.blocks[0]?.seriesId], [1, 2, null]);
  assertRefused(await book(workshopId, at('09:00', 10)), 'full');
  await booked(workshopId, at('09:00', 14));
  await booked(other, at('09:00'));
  const [row] = await db.query<{ status: string }>('SELECT status FROM booking WHERE id = $1', [first?.id]);
  assert.equal(row?.status, 'pending');
  await assert.rejects(
    closeSpan(app.context, { from: 'x', workshopId, actor, reason: '', bays: '0' }),
    (error: unknown) =>
      error instanceof InvalidInput && error.errors.map(({ field }) => field).join() === 'from,bays,reason',
  );
});

test('always: a series is made whole or not at all, and taken back at once but for what is over; one of it alone too', async () => {
  const workshopId = await workshop();
  const weekly = {
    ...{ from: '2027-03-31', begins: '12:00', ends: '17:00', repeat: 'weekly', until: '2027-04-28' },
    ...{ workshopId, actor, reason: 'Training', bays: 'all' },
  };
  await assert.rejects(
    changeWith(app.context, (within) => closeSpan(within, weekly), failing('no key')),
    /no key/,
  );
  const left = async () => (await findBlocks(app.context, workshopId)).length;
  assert.equal(await left(), 0);
  const { blocks } = await closeSpan(app.context, weekly);
  assert.equal(new Set(blocks.map(({ seriesId }) => seriesId)).size, 1);
  assert.ok(blocks[0]?.seriesId);
  assert.equal(await left(), 5);
  assertRefused(await book(workshopId, at('13:00', 9)), 'full');
  await booked(workshopId, at('10:00', 9));
  await closeSpan(app.context, { ...weekly, from: '2027-05-05', until: '2027-05-12' });
  const one = (n: number, isSeries: boolean, of: string | null = workshopId, on = app.context) =>
    unblockBays(on, { workshopId: of, id: blocks[n]?.id ?? '', actor, isSeries });
  assert.equal(await one(1, false), 1);
  await booked(workshopId, at('13:00', 9));
  await assert.rejects(one(2, true, await workshop()), OperatorError);
  assert.equal(await left(), 6);
  // The first is over by then.
  const later = { ...app.context, clock: testClock(new Date(at('09:00', 5))) };
  const taken = await Promise.allSettled([one(2, true, workshopId, later), one(2, true, workshopId, later)]);
  assert.deepEqual(taken.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal(await left(), 3, 'what was over, and another series');
  const entries = await db.query<{ action: string; times: number | null }>(
    `SELECT action, coalesce(after->>'times', before->>'times')::integer AS times FROM audit_entry
      WHERE workshop_id = $1 AND action LIKE 'block.%' ORDER BY id`,
    [workshopId],
  );
  assert.deepEqual(
    entries.map(({ action, times }) => `${action} ${times}`),
    ['block.made 5', 'block.made 2', 'block.ended null', 'block.ended 3'],
  );
});

test('a workshop has at most 500 closings ahead, also of forms that are sent at once', async () => {
  const workshopId = await workshop();
  const block = { from: new Date(at('08:00')), until: new Date(at('09:00')), bays: 1, reason: 'x' };
  const many = Array.from({ length: 495 }, () => ({ ...block, id: newId(), seriesId: null }));
  await insertBlocks(db, workshopId, many, now);
  const input = { workshopId, actor, reason: 'x', from: '2027-04-01', repeat: 'weekly', until: '2027-04-15' };
  const sent = await Promise.allSettled([1, 2, 3].map(() => closeSpan(app.context, input)));
  assert.deepEqual(sent.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected']);
  const refusal = sent.find((each) => each.status === 'rejected');
  assert.match(String(refusal?.reason), /at most 500 closings ahead/);
});
