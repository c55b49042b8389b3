/** Places that the database holds together: those of one statement, and those of several that are written at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { deleteDay } from '#operation/doctor/store.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { refreshRules } from '#product/availability/places/rules.ts';
import { writeDay } from '#product/availability/places/store.ts';
import { blockedConnections } from '../../../test/fixtures/booking-api.ts';
import { constraintOf, type HeldWorld, span, takePlaces } from '../../../test/fixtures/held-places.ts';
import { occupantOf } from '../../../test/fixtures/occupied.ts';
import { at, placesWorld } from '../../../test/fixtures/places.ts';
import { watched } from '../../../test/fixtures/watched-database.ts';
import { bookingBody } from '../../../test/harness/world.ts';
import { createBooking } from './create.ts';

const { app, partner, workshop, setUp } = await placesWorld();
const { db } = app.context;

/** A workshop, with the rows of the Monday and the Tuesday. */
async function world(sections: object = {}, settings: object = {}): Promise<HeldWorld> {
  const occupant = await occupantOf(partner, await workshop(sections, settings));
  return { occupant, version: await writeDays(occupant.workshopId) };
}

async function writeDays(workshopId: string): Promise<number> {
  const rules = await refreshRules(db, workshopId);
  assert.ok(rules);
  for (const day of [0, 1]) {
    const plan = rules.dayOf(Date.parse(at('08:00', day)));
    await writeDay(db, workshopId, rules.version, rules.schedule.slotMinutes, plan);
  }
  return rules.version;
}

const outcome = (...taken: Parameters<typeof takePlaces>) => constraintOf(takePlaces(...taken));

async function clear({ occupant }: HeldWorld): Promise<void> {
  await db.query('DELETE FROM booking WHERE workshop_id = $1 AND held_to IS NOT NULL', [occupant.workshopId]);
}

async function bookingsFrom({ occupant }: HeldWorld): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*)::int FROM booking WHERE workshop_id = $1 AND held_to IS NOT NULL',
    [occupant.workshopId],
  );
  return row?.count ?? 0;
}

/** The first is written and not yet committed when the second begins; the outcome of the second, and whether it waited. */
async function oneAfterTheOther(
  first: (tx: Queryable) => Promise<unknown>,
  second: (to: Database) => Promise<unknown>,
): Promise<[string, boolean]> {
  let waited = false;
  let over = false;
  let later: Promise<string> | undefined;
  await db.transaction(async (tx) => {
    await first(tx);
    later = constraintOf(second(db)).finally(() => {
      over = true;
    });
    while (!over && !waited) waited = (await blockedConnections(app)) > 0;
  });
  return [(await later) ?? '', waited];
}

test('always: bookings of one statement: as many as there are bays, and one more fails all of them, of the other day too', async () => {
  const here = await world({}, { bays: 2 });
  const [slot, other] = [span('08:00', '08:30'), span('08:00', '08:30', 1)];
  assert.equal(await outcome(db, here, [slot, other, slot, slot]), 'booking_place');
  assert.equal(
    await outcome(db, here, [other, span('08:00', '09:00'), span('08:30', '09:30'), slot]),
    'written',
  );
  assert.equal(
    await outcome(db, here, [span('09:00', '10:00'), other, span('08:30', '09:00')]),
    'booking_place',
  );
  assert.equal(await outcome(db, here, [span('09:00', '10:00'), other]), 'written');
  assert.equal(await bookingsFrom(here), 6);
});

test('always: bookings of one statement under a daily limit', async () => {
  const here = await world({ categories: [{ code: 'tyres', dailyLimit: 2 }] }, { bays: 9 });
  const tyres = (from: string, until: string, day = 0) => ({ ...span(from, until, day), category: 'tyres' });
  const three = [tyres('08:00', '08:30'), tyres('10:00', '10:30'), tyres('14:00', '14:30')];
  for (const to of ['slots', 'limits'] as const)
    assert.equal(await outcome(db, here, three, to), 'booking_place');
  const others = [{ ...span('14:00', '14:30'), category: 'brakes' }, tyres('14:00', '14:30', 1)];
  assert.equal(await outcome(db, here, [...three.slice(1), ...others]), 'written');
  assert.equal(await outcome(db, here, [tyres('16:00', '16:30')], 'limits'), 'booking_place');
});

test('always: a place of an older set-up, and one whose day has no row, fail their statement', async () => {
  const here = await world();
  const places = [span('08:00', '08:30'), span('08:00', '08:30', 2)];
  assert.equal(await outcome(db, here, places), 'booking_place_version');
  await setUp(here.occupant.workshopId, { settings: { enforceAvailability: true, bays: 5 } });
  assert.equal(await outcome(db, here, places.slice(0, 1)), 'booking_place_version');
});

test('always: a booking waits for one of its hour that only limits are asked of, and then counts it', async () => {
  const here = await world();
  const first = (tx: Queryable) => takePlaces(tx, here, [span('09:00', '10:00')], 'limits');
  const second = (to: Queryable) => takePlaces(to, here, [span('09:30', '10:00')]);
  assert.deepEqual(await oneAfterTheOther(first, second), ['booking_place', true]);
});

test('always: a booking waits for one that is being written in the same hour, and then counts it', async () => {
  const here = await world();
  const first = (tx: Queryable) => takePlaces(tx, here, [span('09:00', '12:00')]);
  const second = (from: string, until: string, day = 0) =>
    oneAfterTheOther(first, (to) => takePlaces(to, here, [span(from, until, day)]));
  assert.deepEqual(await second('11:30', '12:00'), ['booking_place', true]);
  await clear(here);
  assert.deepEqual(await second('13:00', '13:30'), ['written', false]);
  await clear(here);
  assert.deepEqual(await second('09:00', '12:00', 1), ['written', false]);
});

test('always: whatever two bookings want at once, no slot gets both', async () => {
  for (const [slotMinutes, hours] of [
    [30, '08:00'],
    [45, '08:10'],
    [90, '08:20'],
  ] as const) {
    const here = await world({ hours: { monday: [{ from: hours, to: '17:00' }] } }, { slotMinutes });
    const length = slotMinutes * 60_000;
    const opens = Date.parse(at(hours));
    for (let n = 0; n < 12; n++) {
      const random = () => {
        // Odd times too: a booking that keeps its place after a change of hours begins within a slot.
        const from = opens + Math.floor(Math.random() * 150) * 60_000;
        const until = from + ([20, 45, 90, 130][n % 4] ?? 20) * 60_000;
        return {
          from,
          until,
          places: [{ from: new Date(from).toISOString(), until: new Date(until).toISOString() }],
        };
      };
      const [one, other] = [random(), random()];
      const slotsOf = ({ from, until }: { from: number; until: number }) => [
        Math.floor((from - opens) / length),
        Math.ceil((until - opens) / length),
      ];
      const [[a = 0, b = 0], [c = 0, d = 0]] = [slotsOf(one), slotsOf(other)];
      const [result] = await oneAfterTheOther(
        (tx) => takePlaces(tx, here, one.places),
        (to) => takePlaces(to, here, other.places),
      );
      const shared = a < d && c < b;
      assert.equal(result, shared ? 'booking_place' : 'written', JSON.stringify([slotMinutes, one, other]));
      await clear(here);
    }
  }
});

test('always: a booking under a daily limit and any other of its day wait for each other; those of other days do not', async () => {
  const here = await world({ categories: [{ code: 'tyres', dailyLimit: 1 }] }, { bays: 9 });
  const first = (tx: Queryable) => takePlaces(tx, here, [{ ...span('08:00', '08:30'), category: 'tyres' }]);
  const second = (category: string, day: number) =>
    oneAfterTheOther(first, (to) =>
      takePlaces(to, here, [{ ...span('14:00', '14:30', day), category }], 'limits'),
    );
  assert.deepEqual(await second('tyres', 0), ['booking_place', true]);
  await clear(here);
  assert.deepEqual(await second('brakes', 0), ['written', true]);
  await clear(here);
  assert.deepEqual(await second('tyres', 1), ['written', false]);
});

test('always: a booking under the next set-up waits for one that is being written under the one before', async () => {
  const here = await world({}, { slotMinutes: 60, bays: 2 });
  const later = await world();
  const id = here.occupant.workshopId;
  let imported: Promise<unknown> | undefined;
  const taken = await oneAfterTheOther(
    async (tx) => {
      await takePlaces(tx, here, [span('08:00', '10:00')]);
      // It is done once that booking is committed.
      imported = setUp(id, { settings: { enforceAvailability: true, slotMinutes: 30, bays: 1 } });
      let version = here.version;
      while (version === here.version) version = await writeDays(id);
      Object.assign(later, { occupant: here.occupant, version });
    },
    (to) => takePlaces(to, later, [span('09:30', '10:00')]),
  );
  assert.deepEqual(taken, ['booking_place', true]);
  await imported;
});

test('always: an update waits as well, and is refused what it did not have', async () => {
  const here = await world();
  await takePlaces(db, here, [span('14:00', '14:30')]);
  const move = (to: Queryable, from: string, until: string) =>
    to.query(
      `UPDATE booking SET occupied_from = $2, occupied_until = $3 WHERE workshop_id = $1 AND occupied_from >= $4 AND held_to IS NOT NULL`,
      [here.occupant.workshopId, at(from), at(until), at('13:00')],
    );
  const first = (tx: Queryable) => takePlaces(tx, here, [span('09:00', '10:00')]);
  assert.deepEqual(await oneAfterTheOther(first, (to) => move(to, '09:30', '10:00')), [
    'booking_place',
    true,
  ]);
  assert.equal(await constraintOf(move(db, '14:00', '15:00')), 'written');
  assert.equal(await constraintOf(move(db, '10:00', '10:30')), 'written');
});

test('always: statements with the same days in opposite orders: no deadlock, and each is written', async () => {
  const here = await world({ categories: [{ code: 'tyres', dailyLimit: 900 }] }, { bays: 900 });
  const times = ['08:00', '09:00', '10:00', '14:00'].flatMap((time) =>
    [0, 1].map((day) => ({ ...span(time, time.replace(':00', ':30'), day), category: 'tyres' })),
  );
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) => outcome(db, here, n % 2 === 0 ? times : times.toReversed())),
  );
  assert.deepEqual([...new Set(outcomes)], ['written']);
  assert.equal(await bookingsFrom(here), 320);
});

test('always: the first bookings of many days go in one batch that does not fail; a row that is deleted is written again', async () => {
  const id = await workshop();
  const { watching, batches } = watched(db);
  const create = (n: number, day: number, time = '08:00') =>
    createBooking(
      { ...app.context, db: watching },
      {
        ...{ partnerId: partner.partnerId, phone: `+614002050${10 + n}`, claim: null },
        body: bookingBody(id, { bookingTime: at(time, day) }) as never,
        actor: actors.partner(partner.partnerId, 'k', 'r'),
      },
    );
  // What is cached of the workshop, so that all reach the statement in one turn.
  await create(0, 0);
  batches.length = 0;
  const days = [1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 16];
  await Promise.all(days.map((day, n) => create(1 + n, day)));
  assert.ok(batches.some(({ rows }) => rows > 1));
  assert.ok(
    batches.every(({ isAlone }) => !isAlone),
    JSON.stringify(batches),
  );
  await deleteDay(db, id, new Date(at('00:00', 1)));
  await assert.rejects(create(50, 1), { errorCode: '060003' });
  await create(51, 1, '08:30');
});
