/**
 * Concurrent requests for one place, at two processes (specification: Availability 11): no slot and no day gets more bookings than
 * it has places.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elapsedMs } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { texts } from '#platform/db/announce.ts';
import { plansOf } from '#platform/db/plan-modes.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { untilBlocked } from '../../../test/fixtures/booking-api.ts';
import { assertRefused, at, placesWorld } from '../../../test/fixtures/places.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { watched } from '../../../test/fixtures/watched-database.ts';
import { changeWith } from '../../../test/harness/change-with.ts';
import { type HttpResponse, send } from '../../../test/harness/http.ts';
import { bookingBody, signedInPartner } from '../../../test/harness/world.ts';
import { createBooking } from './create.ts';

const { app, partner, workshop, booked, setUp } = await placesWorld();
const { db, clock } = app.context;
const second = await secondApp(app);
const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };

/** Each booking has a new customer; requests alternate between the processes. */
const bookAt = (workshopId: string, n: number, time: string, changes: object = {}) =>
  send(`${n % 2 === 0 ? app.url : second.url}/bookings`, 'POST', {
    headers,
    body: bookingBody(workshopId, {
      ...{ bookingTime: time, customerPhone: `04915701${String(n % 60).padStart(2, '0')}`, carRego: `R${n}` },
      ...changes,
    }),
  });

const all = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));
const made = (answers: readonly HttpResponse[]) => answers.filter(({ status }) => status === 201).length;

test('always: 200 concurrent requests for the last place, at two processes: one 201, 199 times 409 060003 with reason and alternatives', async () => {
  const id = await workshop();
  const answers = await all(200, (n) => bookAt(id, n, at('08:00')));
  assert.equal(made(answers), 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assertRefused(answer, 'full', [at('08:30'), at('09:00'), at('09:30')]);
  }
  const [left] = await db.query(
    `SELECT (SELECT count(*) FROM booking WHERE workshop_id = $1)::int AS bookings,
            (SELECT count(*) FROM customer WHERE workshop_id = $1)::int AS customers`,
    [id],
  );
  assert.deepEqual(left, { bookings: 1, customers: 1 });
});

test('always: a refused request costs three reads, and no settings are sent between them', async () => {
  const id = await workshop();
  await booked(id, at('08:00'));
  const rival = (n: number) => bookAt(id, 2 * n, at('08:00'));
  // What is cached for seconds, such as the token, is read again by the first request, and not by the second.
  app.pass(10);
  assertRefused(await rival(1), 'full');
  const heard: unknown[] = [];
  const listen = (text: unknown) => heard.push(text);
  texts.subscribe(listen);
  assertRefused(await rival(2), 'full');
  texts.unsubscribe(listen);
  assert.equal(heard.length, 3, heard.join('\n'));
  assert.equal(new Set(heard.map((text) => plansOf(String(text)))).size, 1);
});

/** Runs `work` while a transaction holds the place of a booking, as one that is writing such a booking does. */
async function whileHeld(bookingId: string, work: () => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('SELECT hold_places(ARRAY[b], NULL) FROM booking b WHERE id = $1', [bookingId]);
    await work();
  });
}

test('always: a transaction that holds a place: bookings of that hour wait for it, bookings of other hours and days do not', async () => {
  const id = await workshop({}, { bays: 30 });
  const { id: held } = await booked(id, at('08:00'));
  // The day is known, so that only the lock delays a booking.
  await booked(id, at('16:30', 1));
  const bookDay = (n: number, time: string, day: number) =>
    bookAt(id, 2 * n, at(time, day), { customerPhone: `+614002040${10 + n}` });
  let waiting: Promise<HttpResponse[]> = Promise.resolve([]);
  await whileHeld(held, async () => {
    // In the same batches, with the free ones last.
    const answers = Array.from({ length: 27 }, (_, n) =>
      bookDay(n, n === 25 ? '14:00' : '08:30', n < 26 ? 0 : 1),
    );
    waiting = Promise.all(answers.slice(0, 25));
    const begunMs = elapsedMs();
    assert.equal(made(await Promise.all(answers.slice(25))), 2);
    assert.ok(elapsedMs() - begunMs < 4_000, `${elapsedMs() - begunMs} ms`);
    await untilBlocked(app, 1);
  });
  assert.equal(made(await waiting), 25);
});

test('always: requests in one batch: as many succeed as places are free, and a refused one does not affect bookings of other days', async () => {
  const id = await workshop({}, { bays: 3 });
  // The days are cached, so that only a missing place is a reason to refuse.
  for (const day of [0, 1]) await booked(id, at('16:30', day));
  const { watching, batches } = watched(db);
  const outcomes = await all(40, (n) =>
    createBooking(
      { ...app.context, db: watching },
      {
        ...{ partnerId: partner.partnerId, phone: `+614002030${String(n).padStart(2, '0')}`, claim: null },
        body: bookingBody(id, { bookingTime: at('08:00', n % 4 === 0 ? 1 : 0) }) as never,
        actor: actors.partner(partner.partnerId, 'k', 'r'),
      },
    ).then(
      () => 'made',
      (error: { errorCode?: string }) => error.errorCode ?? String(error),
    ),
  );
  const [monday, tuesday] = [0, 1].map((day) => outcomes.filter((_, n) => (n % 4 === 0 ? 1 : 0) === day));
  for (const day of [monday, tuesday]) {
    assert.equal(day?.filter((outcome) => outcome === 'made').length, 3);
    assert.ok(
      day?.every((outcome) => outcome === 'made' || outcome === '060003'),
      String(day),
    );
  }
  assert.ok(
    batches.some(({ rows }) => rows > 3),
    'they went in batches',
  );
});

test('always: a daily limit under the same race, with slots that are not enforced', async () => {
  const id = await workshop(
    { categories: [{ code: 'tyres', dailyLimit: 5 }] },
    { enforceAvailability: false },
  );
  const answers = await all(40, (n) => bookAt(id, n, at(`1${n % 6}:00`), { serviceCategory: 'tyres' }));
  assert.equal(made(answers), 5);
  for (const answer of answers.filter(({ status }) => status !== 201)) assertRefused(answer, 'categoryLimit');
});

test('always: other days and other workshops do not wait for an hour that is held', async () => {
  const [id, other] = [await workshop({}, { bays: 2 }), await workshop()];
  const { id: held } = await booked(id, at('08:30'));
  for (const each of [id, other]) await all(2, (n) => booked(each, at('16:30', n)));
  let waiting: Promise<HttpResponse> | undefined;
  await whileHeld(held, async () => {
    waiting = bookAt(id, 50, at('08:00'));
    await untilBlocked(app, 1);
    // At both processes, and at the one where the booking waits.
    assert.equal(
      made(
        await all(4, (n) =>
          bookAt(n < 2 ? id : other, n, at(['08:00', '08:30', '09:00', '09:30'][n] ?? '', n < 2 ? 1 : 0)),
        ),
      ),
      4,
    );
  });
  assert.equal((await waiting)?.status, 201);
});

test('always: switching enforcement on waits for bookings in progress, and counts them', async () => {
  const id = await workshop({}, { enforceAvailability: false });
  const { partnerId } = partner;
  const actor = actors.partner(partnerId, 'key', newId());
  const body = bookingBody(id, { bookingTime: at('08:00') });
  let imported: Promise<unknown> | undefined;
  let isOn = false;
  const request = { partnerId, actor, body, phone: '+61491570006', claim: null };
  const slow = await changeWith(
    app.context,
    (within) => createBooking(within, request),
    async () => {
      const setup = JSON.stringify({ workshopId: id, settings: { enforceAvailability: true } });
      imported = importWorkshop({ db, clock }, setup, actors.operator).then(() => {
        isOn = true;
      });
      while ((await setUpVersion(id)) < 2);
      assert.equal(isOn, false);
    },
  );
  assert.notEqual(slow, null);
  await imported;
  for (const n of [0, 1]) assertRefused(await bookAt(id, n, at('08:00')), 'full');
});

async function setUpVersion(id: string): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    'SELECT setup_version AS version FROM workshop WHERE id = $1',
    [id],
  );
  return row?.version ?? 0;
}

test('always: moves to one place from many days, beside creations and cancellations: as many succeed as places are free', async () => {
  const id = await workshop({}, { bays: 2 });
  const from = await all(10, (n) =>
    booked(id, at(`${[10, 11, 14][Math.floor(n / 4)]}:00`, 1 + (n % 4)), { carRego: `F${n}` }),
  );
  const held = await booked(id, at('08:00'));
  const answers = await Promise.all([
    ...from.map((booking, n) =>
      send(`${n % 2 === 0 ? app.url : second.url}/bookings/${booking.id}`, 'PUT', {
        headers,
        body: { date: at('08:10') },
      }),
    ),
    ...Array.from({ length: 10 }, (_, n) => bookAt(id, n, at('08:20'))),
    partner.call('POST', `/bookings/${held.id}/cancelled`),
  ]);
  assert.ok(answers.every(({ status }) => [200, 201, 409].includes(status)));
  const [there] = await db.query<{ bookings: number }>(
    'SELECT count(*)::int AS bookings FROM booking WHERE workshop_id = $1 AND occupied_from = $2',
    [id, at('08:00')],
  );
  assert.equal(there?.bookings, 2);
});

test('always: two partners, one place', async () => {
  const id = await workshop();
  const rival = await signedInPartner(app, 'Rival');
  await db.query('INSERT INTO link (partner_id, workshop_id, created_at) VALUES ($1, $2, $3)', [
    rival.partnerId,
    id,
    clock.now(),
  ]);
  const body = bookingBody(id, { bookingTime: at('08:00') });
  const answers = await all(20, (n) => (n % 2 === 0 ? partner : rival).call('POST', '/bookings', body));
  assert.equal(made(answers), 1);
});

test('always: a set-up with more bays admits further bookings at once, at the other process too', async () => {
  const id = await workshop();
  await booked(id, at('08:00'));
  for (const n of [0, 1]) assertRefused(await bookAt(id, n, at('08:00')), 'full');
  await setUp(id, { settings: { enforceAvailability: true, bays: 2 } });
  assert.equal((await bookAt(id, 1, at('08:00'))).status, 201);
  assertRefused(await bookAt(id, 0, at('08:00')), 'full');
});
