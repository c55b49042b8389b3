/** Bookings that staff make against the rules (specification: The workshop's own bookings 5 and 6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { listTrail } from '#platform/audit/read/store.ts';
import { type ChangeContext, change as inChange } from '#platform/change/change.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { PlaceTaken } from '#product/availability/places/again.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { eventsOf } from '../../../../test/fixtures/booking-api.ts';
import { assertRefused, at, placesWorld } from '../../../../test/fixtures/places.ts';
import { bookingRecord } from '../record.ts';
import { unlessConflicting } from './conflict.ts';
import { createOwnBooking } from './create.ts';
import { freeTimes } from './free-times.ts';
import { changeOwn } from './update.ts';

const { app, partner, workshop, setUp, book, booked, change } = await placesWorld();
const { db } = app.context;
const options = { notify: false, actor: actors.operator } as const;
const reason = 'She waits for it';
const local = (time: string, day = 0) =>
  `2027-${day < 3 ? '03' : '04'}-${day < 3 ? 29 + day : `0${day - 2}`} ${time}`;

const make = (workshopId: string, time: string, why: string | null = reason, more: object = {}) =>
  createOwnBooking(
    app.context,
    workshopId,
    { customerName: 'Wendy', bookingTime: local(time), ...more },
    { ...options, anyway: why },
  );
const move = (id: string, to: string, anyway: string | null = null) =>
  changeOwn(app.context, id, { to }, { ...options, anyway });
const refused = { errorCode: '060003' };
const reasonOf = async (id: string) => (await requireRecord(db, bookingRecord, id)).anywayReason;
const findings = async (workshopId: string) => {
  const all = (await examine(app.context, { repair: false })).findings;
  return all
    .filter((each) => each.workshopId === workshopId)
    .map(({ kind, message }) => `${kind}: ${message}`);
};
/** How many more bookings fit into each slot of that Monday, by local time. */
async function left(workshopId: string): Promise<Record<string, number>> {
  const path = `/workshops/${workshopId}/availabilities?from=2027-03-29&to=2027-03-29`;
  const { body, status } = await partner.call('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  const slots: { localTime: string; remaining: number }[] = body.days.flatMap(
    ({ slots: some }: { slots: never[] }) => some,
  );
  return Object.fromEntries(slots.map(({ localTime, remaining }) => [localTime, remaining]));
}

test('booked anyway: it counts for other bookings like any other, and availability never goes below 0', async () => {
  const id = await workshop({}, { bays: 2 });
  await booked(id, at('08:00'));
  await assert.rejects(make(id, '06:00', null), refused);
  for (let n = 0; n < 3; n++) await make(id, '08:00');
  const times = await left(id);
  assert.equal(times['08:00'], undefined);
  assert.ok(
    Object.values(times).every((remaining) => remaining > 0),
    JSON.stringify(times),
  );
  const here = await requireWorkshop(db, id);
  const [day] = await freeTimes(app.context, here, { day: '2027-03-29' });
  assert.equal(day?.slots[0]?.localTime, '08:30');
  assertRefused(await book(id, at('08:00')), 'full');
  await assert.rejects(make(id, '08:00', null), refused);
  await make(id, '08:30');
  assert.equal((await left(id))['08:30'], 1);
});

test("a later change of time or services is checked by the rules; without such a change the place stays (specification: The workshop's own bookings 19)", async () => {
  const id = await workshop({
    services: [{ catalogCode: 'long', title: 'Long', category: 'service', durationMinutes: 60 }],
  });
  const theirs = await booked(id, at('08:00'));
  await booked(id, at('08:30'));
  await move(theirs.id, local('08:30'), reason);
  assert.equal(await reasonOf(theirs.id), reason);
  // Notes, and sending the present time, need no new place.
  for (const body of [{ notes: 'x' }, { date: at('08:30') }, { serviceCategory: 'tyres' }])
    assert.equal((await change(theirs, body)).status, 200);
  assert.equal(await reasonOf(theirs.id), reason);
  await booked(id, at('09:00'));
  assertRefused(await change(theirs, { services: [{ catalogCode: 'long' }] }), 'full');
  assertRefused(await change(theirs, { date: at('09:00') }), 'full');
  await assert.rejects(move(theirs.id, local('09:00')), refused);
  // A free time on its own day and on another day, where the booking has no exempt place.
  assert.equal((await change(theirs, { date: at('10:00') })).status, 200);
  assert.equal((await change(theirs, { date: at('10:00', 1) })).status, 200);
  assert.equal(await reasonOf(theirs.id), null);
  const own = await make(id, '09:00');
  await assert.rejects(move(own.id, local('08:30')), refused);
  await move(own.id, local('08:30'), 'Once more');
  assert.equal(await reasonOf(own.id), 'Once more');
});

test('the doctor: bookings over capacity with a reason are no fault, one without a reason is', async () => {
  const limited = { categories: [{ code: 'tyres', dailyLimit: 1 }] };
  const id = await workshop(limited);
  await booked(id, at('08:00'), { serviceCategory: 'tyres' });
  const [second, third] = [
    await make(id, '08:00', reason, { serviceCategory: 'tyres' }),
    await make(id, '08:00', reason, { serviceCategory: 'tyres' }),
  ];
  assert.deepEqual(await findings(id), []);
  const forget = (booking: { id: string }) =>
    db.query('UPDATE booking SET anyway_reason = NULL WHERE id = $1', [booking.id]);
  await forget(second);
  assert.deepEqual((await findings(id)).toSorted(), [
    'limit: 3 bookings count for category tyres, whose daily limit is 1',
    'overbooked: 3 bookings where 1 bays are',
  ]);
  // Over capacity because of a smaller set-up, without a reason.
  await forget(third);
  const two = await workshop({}, { bays: 2 });
  for (const time of ['08:00', '08:00']) await booked(two, at(time));
  await make(two, '08:00');
  assert.deepEqual(await findings(two), []);
  await setUp(two, { settings: { enforceAvailability: true, bays: 1 } });
  assert.deepEqual(await findings(two), ['overbooked: 3 bookings where 1 bays are']);
});

test('no response, webhook or feed of the API contains the reason', async () => {
  const id = await workshop();
  const { id: bookingId } = await booked(id, at('08:00'));
  await booked(id, at('08:30'));
  await move(bookingId, local('08:30'), 'Secret why');
  const since = encodeURIComponent('2020-01-01T00:00:00Z');
  const paths = [`/bookings/${bookingId}`, `/bookings?updatedSince=${since}`, '/bookings', '/events'];
  for (const path of paths) {
    const { status, text } = await partner
      .call('GET', path)
      .then((answer) => ({ status: answer.status, text: JSON.stringify(answer.body) }));
    assert.equal(status, 200, path);
    assert.ok(!/Secret why|anyway/i.test(text), path);
  }
  // The payload that webhooks and notices are rendered from.
  assert.ok(
    !/Secret why|anyway/i.test(
      JSON.stringify((await eventsOf(app, bookingId)).map(({ payload }) => payload)),
    ),
  );
});

test('a reason has no effect when no place was taken, or the change did not affect the place', async () => {
  const id = await workshop();
  const past = await createOwnBooking(
    app.context,
    id,
    { carRego: 'PAST1', bookingTime: '2020-01-01 09:00' },
    { ...options, anyway: reason },
  );
  assert.deepEqual(past.warnings, ['This time has begun already']);
  const { id: bookingId } = await booked(id, at('08:00'));
  await changeOwn(app.context, bookingId, { notes: 'x' }, { ...options, anyway: reason });
  assert.equal(await reasonOf(bookingId), null);
  assert.deepEqual(await findings(id), []);
});

test('the trail contains the reason, for a new booking and for a moved one', async () => {
  const id = await workshop({}, { bays: 1 });
  const { id: made } = await make(id, '06:00');
  await move(made, local('08:00'));
  await move(made, local('06:30'), 'They wait outside');
  const entries = await listTrail(db, { workshopId: id, subjectId: made, before: null, limit: 9 });
  assert.deepEqual(
    entries.toReversed().map(({ action, after }) => [action, after?.['anywayReason']]),
    [
      ['booking.created', undefined],
      ['booking.bookedAnyway', reason],
      ['booking.updated', undefined],
      ['booking.updated', 'They wait outside'],
    ],
  );
});

test("where nothing is enforced a form’s day that is past needs a reason; a time earlier today is only said, and so is any without a form (specification: The workshop's own bookings 9)", async () => {
  const id = await workshop({}, { enforceAvailability: false });
  // It is Sunday the 28th, 09:10.
  const past = '2027-03-27 10:00';
  const ask = (anyway: string | null) => ({ ...options, anyway, asksPastDay: true });
  const write = (bookingTime: string, why: string | null = null) =>
    createOwnBooking(app.context, id, { customerName: 'Wendy', bookingTime }, ask(why));
  const to = (booking: string, time: string, why: string | null = null) =>
    changeOwn(app.context, booking, { to: time }, ask(why));
  await assert.rejects(write(past), refused);
  const own = await write(past, reason);
  assert.equal(await reasonOf(own.id), reason);
  const today = await write('2027-03-28 08:00');
  assert.deepEqual([today.against, today.warnings], ['past', ['This time has begun already']]);
  await assert.rejects(to(today.id, '2027-03-27 23:59'), refused);
  await to(today.id, '2027-03-28 00:00');
  await to(today.id, '2027-03-27 23:59', reason);
  assert.equal((await make(id, '', null, { bookingTime: past })).against, 'past');
  // What changes no time is free of it.
  assert.deepEqual(
    (await changeOwn(app.context, today.id, { notes: 'Came by train' }, { ...options, anyway: null }))
      .warnings,
    [],
  );
});

test("always: a place that others take at each attempt is refused in words for staff, in the change of a caller too (specification: The workshop's own bookings 9)", async () => {
  let attempts = 0;
  const lose = async (): Promise<never> => {
    attempts++;
    throw new PlaceTaken(null);
  };
  const asked = { conflict: null, anyway: null, timezone: 'Australia/Melbourne' };
  const verb = (context: ChangeContext) => unlessConflicting(asked, () => inChange(context, lose));
  const inWords = { ...refused, message: 'No bay is free then' };
  await assert.rejects(verb(app.context), inWords);
  await assert.rejects(
    inChange(app.context, ({ within }) => verb(within)),
    inWords,
  );
  assert.equal(attempts, 12);
});
