/** A customer moves and cancels a booking (specification: Booking page 3). */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { dateAt } from '#base/values/local-day.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { createOwnBooking } from '#product/bookings/staff/create.ts';
import { bookingWorld, eventsOf } from '../../../../test/fixtures/booking-api.ts';
import { demoSetup } from '../../../operation/demo/setup.ts';

const { app, partner, workshopId, book, read, change } = await bookingWorld();
const { db, clock } = app.context;
const setup = demoSetup(0);
await db.transaction((tx) =>
  writeSetup(tx, workshopId, { ...setup, settings: { ...setup.settings, bays: 1 } }, clock.now()),
);
const [service] = (await partner.call('GET', `/workshops/${workshopId}/services`)).body.services;

beforeEach(() => db.query('TRUNCATE attempt, page_use'));

async function freeTimes(): Promise<string[]> {
  const { days } = (
    await partner.call('GET', `/workshops/${workshopId}/availabilities?catalogId=${service._id}`)
  ).body;
  return days.flatMap((day: { slots: { time: string }[] }) => day.slots.map(({ time }) => time));
}

async function newBooking(at = 0) {
  const bookingTime = (await freeTimes())[at];
  const booking = await book({ bookingTime, services: [{ catalogId: service._id }] });
  return { booking, path: `/b/${await manageCode(db, booking.id)}` };
}

const look = async (path: string) => String((await app.request('GET', path)).body);
const versionIn = (text: string) => /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';

async function send(path: string, form: Record<string, string>) {
  const response = await fetch(`${app.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

test('moving: the place moves, the customer and the workshop get a notice', async () => {
  const { booking, path } = await newBooking();
  const times = await freeTimes();
  const time = times.at(-1) ?? '';
  const question = await look(`${path}/move?time=${time}`);
  assert.match(question, /Move your booking\?/);
  const sent = await send(`${path}/move`, { time, version: versionIn(question) });
  assert.deepEqual([sent.status, sent.location], [303, `${path}?done=moved`]);
  assert.equal((await read(booking.id)).date, time);
  const last = (await eventsOf(app, booking.id)).at(-1);
  const { dateChanged, notifyCustomer, notifyWorkshop } = last?.payload ?? {};
  assert.deepEqual(
    [last?.kind, dateChanged, notifyCustomer, notifyWorkshop],
    ['booking.updated', true, true, true],
  );
  await app.drain();
  const told = app.sms.sent.filter(({ body }) => body.startsWith('Moved by the customer: booking'));
  assert.equal(told.length, 1);
  assert.ok(!(await freeTimes()).includes(time), 'its new place is taken');
  assert.ok((await freeTimes()).includes(booking.date), 'its old one is free');
});

test('it opens at the booking’s own day; one link leads to the next free time (specification: Booking page 7)', async () => {
  const { booking, path } = await newBooking(30);
  const day = dateAt(Date.parse(booking.date), 'Australia/Melbourne');
  const [soonest = ''] = (await freeTimes()).map((time) => dateAt(Date.parse(time), 'Australia/Melbourne'));
  assert.notEqual(day, soonest, 'a day before it is free');
  const current = (text: string) => /href="[^"]*day=([\d-]+)#times"[^>]*aria-current="date"/.exec(text)?.[1];
  const text = await look(`${path}/move`);
  assert.equal(current(text), day);
  assert.match(text, /\/move\?soonest=yes" data-swap="next">Show the next free time/);
  assert.equal(current(await look(`${path}/move?soonest=yes`)), soonest);
  assert.equal(current(await look(`${path}/move?soonest=yes&day=${day}`)), day);
});

test('its own place counts as free, and a taken one shows what is free instead (specification: Booking page 20)', async () => {
  const [{ booking, path }, other] = [await newBooking(), await newBooking(4)];
  const text = await look(`${path}/move`);
  assert.ok(text.includes(encodeURIComponent(booking.date)), 'its own time is offered');
  assert.ok(!text.includes(encodeURIComponent(other.booking.date)), 'the time of another is not');
  for (const time of [other.booking.date, '2020-03-02T22:30:00.000Z', '2199-12-31T23:59:59.999Z']) {
    const question = await look(`${path}/move?time=${time}`);
    assert.match(question, /That time is not free any more/);
    assert.doesNotMatch(question, /name="version"/);
  }
  const taken = await send(`${path}/move`, { time: other.booking.date, version: '1' });
  assert.equal(taken.status, 409);
  assert.match(taken.text, /That time is not free any more/);
  const past = await send(`${path}/move`, { time: '2020-03-02T22:30:00.000Z', version: '1' });
  assert.equal(past.status, 409);
  assert.equal((await read(booking.id)).date, booking.date);
});

test('cancelling: with its reason; the place is free again, and the workshop gets a notice', async () => {
  const { booking, path } = await newBooking();
  const sent = await send(`${path}/cancel`, {
    version: versionIn(await look(`${path}/cancel`)),
    reason: `Car <b>sold</b>${'!'.repeat(600)}`,
  });
  assert.deepEqual([sent.status, sent.location], [303, `${path}?done=cancelled`]);
  const now = await read(booking.id);
  assert.deepEqual([now.status, now.cancelReason?.length], ['cancelled', 500]);
  assert.ok((await freeTimes()).includes(booking.date));
  const last = (await eventsOf(app, booking.id)).at(-1);
  assert.deepEqual([last?.kind, last?.payload.notifyWorkshop], ['booking.cancelled', true]);
  const shown = await look(`${path}?done=cancelled`);
  assert.match(shown, /Your booking is cancelled/);
  assert.doesNotMatch(shown, /\/move"|\/cancel"/);
});

test('a reason of several lines stays whole, up to 500 characters', async () => {
  const { booking, path } = await newBooking();
  const lines = `one\n${'x'.repeat(495)}😀`;
  const version = versionIn(await look(`${path}/cancel`));
  await send(`${path}/cancel`, { version, reason: `${lines} and more`.replaceAll('\n', '\r\n') });
  assert.equal((await read(booking.id)).cancelReason, lines);
});

test('a form that is sent twice is done once, and both lead to what was done (specification: Booking page 20)', async () => {
  const { booking, path } = await newBooking();
  const time = (await freeTimes()).at(-1) ?? '';
  const version = versionIn(await look(`${path}/move?time=${time}`));
  const sent = await Promise.all([1, 2].map(() => send(`${path}/move`, { time, version })));
  for (const { status, location } of sent) assert.deepEqual([status, location], [303, `${path}?done=moved`]);
  assert.equal((await eventsOf(app, booking.id)).length, 2);
});

test('a booking that was changed since the customer looked is shown again, and stays as it is (specification: Booking page 20)', async () => {
  const { booking, path } = await newBooking();
  const version = versionIn(await look(`${path}/cancel`));
  await change(booking.id, { notes: 'Bring the logbook' });
  for (const [way, form] of Object.entries({ cancel: {}, move: { time: (await freeTimes())[5] ?? '' } })) {
    const sent = await send(`${path}/${way}`, { ...form, version });
    assert.deepEqual([sent.status, sent.location], [303, `${path}?done=stale`]);
  }
  assert.match(await look(`${path}?done=stale`), /was just changed[\s\S]*was not done/);
  assert.deepEqual(
    [(await read(booking.id)).status, (await read(booking.id)).date],
    ['pending', booking.date],
  );
});

test("the workshop's own bookings too, and those of a partner whose link is off (specification: Booking page 20)", async () => {
  const [bookingTime = '', , , , , , other = ''] = await freeTimes();
  const details = { carRego: 'OWN 1', customerName: 'Walk In', customerPhone: '0491570157' };
  const own = await createOwnBooking(
    app.context,
    workshopId,
    { ...details, bookingTime },
    { notify: false, anyway: null, actor: actors.operator },
  );
  const path = `/b/${await manageCode(db, own.id)}`;
  assert.equal((await send(`${path}/move`, { time: other, version: '1' })).location, `${path}?done=moved`);
  const [event] = (await eventsOf(app, own.id)).slice(-1);
  assert.deepEqual([event?.partnerId, event?.payload.booking.date], [null, other]);

  const { path: partners } = await newBooking();
  await db.query('UPDATE link SET active = false');
  assert.equal((await send(`${partners}/cancel`, { version: '1' })).location, `${partners}?done=cancelled`);
  await db.query('UPDATE link SET active = true');
});

test('where customers may not change, or the booking is past, completed or cancelled: neither button nor change (specification: Booking page 20)', async () => {
  const { booking, path } = await newBooking();
  async function assertClosed(): Promise<void> {
    assert.doesNotMatch(await look(path), /\/move"|\/cancel"/);
    for (const way of ['move', 'cancel']) {
      const sent = await send(`${path}/${way}`, { time: '2030-03-02T22:30:00.000Z', version: '1' });
      assert.deepEqual([sent.status, sent.location], [303, path]);
    }
    assert.equal((await read(booking.id)).date, booking.date);
  }
  await db.query('UPDATE workshop SET customer_may_change = false');
  await assertClosed();
  assert.match(await look(path), /please call the workshop/);
  await db.query('UPDATE workshop SET customer_may_change = true');
  assert.match(await look(path), /\/move"/);
  await db.query(`UPDATE booking SET date = '2020-03-02T22:30:00Z' WHERE id = $1`, [booking.id]);
  assert.doesNotMatch(await look(path), /\/move"|\/cancel"/);
  await db.query('UPDATE booking SET date = $2 WHERE id = $1', [booking.id, booking.date]);
  assert.equal((await partner.call('POST', `/bookings/${booking.id}/completed`, {})).status, 200);
  await assertClosed();
});

test('a daily limit that the booking fills itself does not close its own day', async () => {
  const category = { categories: [{ code: 'tyres' as const, dailyLimit: 1 }] };
  await db.transaction((tx) => writeSetup(tx, workshopId, category, clock.now()));
  const tyres = (await partner.call('GET', `/workshops/${workshopId}/services`)).body.services.find(
    (each: { catalogCode: string }) => each.catalogCode === 'alignment',
  );
  const [bookingTime = ''] = await freeTimes();
  const booking = await book({ bookingTime, services: [{ catalogId: tyres._id }] });
  // The page would show the first day with a free time, which may be earlier for a shorter service.
  const day = dateAt(Date.parse(bookingTime), 'Australia/Melbourne');
  const text = await look(`/b/${await manageCode(db, booking.id)}/move?from=${day}&day=${day}`);
  assert.ok(text.includes(encodeURIComponent(bookingTime)));
});

test('the link of a customer who was erased leads nowhere', async () => {
  const { booking, path } = await newBooking();
  await eraseCustomer({ db, clock }, booking.customerId, actors.operator);
  assert.equal((await app.request('GET', path)).status, 404);
});
