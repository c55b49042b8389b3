/** What a booking takes of a workshop, and when it is refused (specification: Availability). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import { assertRefused, at, placesWorld } from '../../../test/fixtures/places.ts';
import { bookingBody, signedInPartner } from '../../../test/harness/world.ts';
import { createBooking } from './create.ts';
import { blockBays, findBlocks, unblockBays } from './staff/block.ts';
import { createOwnBooking } from './staff/create.ts';

const { app, partner, workshop, setUp, book, booked, change } = await placesWorld();
const { db, clock } = app.context;

const rows = async () => {
  const [counts] = await db.query(
    `SELECT (SELECT count(*) FROM booking)::int AS bookings, (SELECT count(*) FROM customer)::int AS customers,
            (SELECT count(*) FROM car)::int AS cars, (SELECT count(*) FROM event)::int AS events`,
  );
  return counts;
};

test('the last place: 409 060003 with reason and the next three free times, and nothing is written (specification: Availability 8)', async () => {
  const id = await workshop();
  await booked(id, at('08:10'));
  await booked(id, at('09:00'));
  const before = await rows();
  const refused = await book(id, at('08:00'), { customerPhone: '0491570157' });
  assertRefused(refused, 'full', [at('08:30'), at('09:30'), at('10:00')]);
  assert.match(refused.body.message, /^No bay is free then; free next: 2027-03-28T21:30/);
  assert.deepEqual(await rows(), before);
  await booked(id, at('08:59'));
  assertRefused(await book(id, at('08:30')), 'full');
});

test('the Idempotency-Key of a refused request may be used again, and its first success is replayed', async () => {
  const id = await workshop();
  const first = await booked(id, at('08:00'));
  const again = () =>
    partner.call('POST', '/bookings', bookingBody(id, { bookingTime: at('08:00') }), {
      headers: { 'idempotency-key': 'the last place' },
    });
  assertRefused(await again(), 'full');
  assert.equal((await partner.call('POST', `/bookings/${first.id}/cancelled`)).status, 200);
  const made = await again();
  assert.equal(made.status, 201);
  assert.deepEqual((await again()).body, made.body);
});

test('every reason, in order of precedence', async () => {
  const id = await workshop(
    {
      custom: [{ date: '2027-04-01', hours: [], note: 'Away' }],
      categories: [{ code: 'tyres', dailyLimit: 1 }],
    },
    { bays: 3, leadTimeMinutes: 60, horizonDays: 10 },
  );
  assertRefused(await book(id, at('07:59')), 'closed');
  assertRefused(await book(id, at('17:00')), 'closed');
  assertRefused(await book(id, at('18:00', -1)), 'closed', [at('08:00'), at('08:30'), at('09:00')]);
  assertRefused(await book(id, at('12:30')), 'break', [at('13:00'), at('13:30'), at('14:00')]);
  assertRefused(await book(id, at('09:00', 3)), 'custom', [at('08:00', 4), at('08:30', 4), at('09:00', 4)]);
  assertRefused(await book(id, at('09:00', 14)), 'horizon', []);
  await booked(id, at('08:00'), { serviceCategory: 'tyres' });
  assertRefused(await book(id, at('16:30'), { serviceCategory: 'tyres' }), 'categoryLimit', [
    ...[at('08:00', 1), at('08:30', 1), at('09:00', 1)],
  ]);
  const custom = { date: '2027-03-28', hours: [{ from: '09:00', to: '12:00' }] };
  await setUp(id, { custom: [custom] });
  assertRefused(await book(id, '2027-03-27T22:20:00Z'), 'past');
  assertRefused(await book(id, '2027-03-27T22:40:00Z'), 'leadTime');
});

test('order of refusals: 404 and 403 come before 060003, 060004 and 412 too (specification: Availability 9)', async () => {
  const id = await workshop();
  const booking = await booked(id, at('08:00'));
  const stranger = await signedInPartner(app, 'Stranger');
  assert.equal((await book(id, at('08:00'), {}, stranger)).body.errorCode, '030001');
  for (const active of [true, false]) {
    await setLink({ db, clock }, { partnerId: stranger.partnerId, workshopId: id, active }, actors.operator);
  }
  assert.equal((await book(id, at('08:00'), {}, stranger)).body.errorCode, '000004');
  const rival = await booked(id, at('09:00'));
  const stale = await partner.call(
    'PUT',
    `/bookings/${rival.id}`,
    { date: booking.date },
    { headers: { 'if-match': '"7"' } },
  );
  assert.equal(stale.body.errorCode, '000010');
  await partner.call('POST', `/bookings/${rival.id}/completed`);
  assert.equal((await change(rival, { date: booking.date })).body.errorCode, '060004');
  assert.equal((await book(id, at('08:00'), { customerPhone: 'x' })).body.errorCode, '000001');
});

test('a past time is never refused and takes no place (specification: Times 3; Availability 7)', async () => {
  const id = await workshop();
  await booked(id, '2027-03-27T21:00:00Z');
  await booked(id, '2020-01-01T03:00:00Z');
  const [found] = await db.query<{ places: number }>(
    'SELECT count(occupied_from)::int AS places FROM booking WHERE workshop_id = $1',
    [id],
  );
  assert.equal(found?.places, 0);
  const imported = await booked(id, '2020-01-02T03:00:00Z');
  await booked(id, at('08:00'));
  assertRefused(await change(imported, { date: at('08:00') }), 'full');
  assert.equal((await change(imported, { date: at('08:30') })).status, 200);
  assertRefused(await book(id, at('08:30')), 'full');
  assert.equal((await change(imported, { date: '2027-03-27T21:00:00Z' })).status, 200);
  await booked(id, at('08:30'));
});

test('a move takes one place and frees the other; a cancellation frees it, and confirming keeps it', async () => {
  const id = await workshop();
  const [first, second] = [await booked(id, at('08:00')), await booked(id, at('08:30'))];
  assertRefused(await change(first, { date: at('08:45') }), 'full', [at('09:00'), at('09:30'), at('10:00')]);
  assert.equal((await change(first, { date: at('08:20') })).status, 200);
  assert.equal((await change(second, { date: at('09:00'), notes: 'later' })).status, 200);
  assert.equal((await change(first, { date: at('08:30') })).status, 200);
  await partner.call('POST', `/bookings/${first.id}/confirmed`);
  assertRefused(await book(id, at('08:30')), 'full');
  await booked(id, at('08:00'));
  await partner.call('POST', `/bookings/${first.id}/cancelled`);
  await booked(id, at('08:30'));
});

test('daily limits apply even when nothing is enforced; each category counts once (specification: Availability 7)', async () => {
  const categories = [{ code: 'tyres', dailyLimit: 2 }];
  const id = await workshop({ categories }, { enforceAvailability: false });
  const tyres = { serviceCategory: 'tyres' };
  const twice = {
    services: [
      { title: 'a', category: 'tyres' },
      { title: 'b', category: 'tyres' },
    ],
  };
  await booked(id, at('03:00'), tyres);
  const second = await booked(id, at('03:00'), twice);
  for (let n = 0; n < 3; n++) await booked(id, at('03:00'), { serviceCategory: 'repair' });
  assertRefused(await book(id, at('20:00'), tyres), 'categoryLimit', [
    at('08:00', 1),
    at('08:30', 1),
    at('09:00', 1),
  ]);
  assert.equal((await change(second, { date: at('21:00') })).status, 200, 'its own count is no reason');
  const other = await booked(id, at('03:00', 1), tyres);
  assertRefused(await change(other, { date: at('03:00') }), 'categoryLimit');
  assert.equal((await change(second, { services: null, serviceCategory: 'repair' })).status, 200);
  assert.equal((await change(other, { date: at('03:00') })).status, 200);
  assertRefused(await change(second, { serviceCategory: 'tyres' }), 'categoryLimit');
});

test('a change is never refused because of the booking’s own place, even if the set-up has changed (specification: Availability 7)', async () => {
  const id = await workshop({}, { bays: 2 });
  const [first] = [await booked(id, at('08:00')), await booked(id, at('08:00'))];
  await setUp(id, { settings: { enforceAvailability: true, bays: 0 }, hours: {} });
  assert.equal((await change(first, { services: [{ title: 'x' }] })).status, 200);
  assert.equal((await change(first, { date: at('08:00'), serviceCategory: 'tyres' })).status, 200);
  assertRefused(await change(first, { date: at('08:30') }), 'closed', []);
});

test('`always` enforces even if the workshop does not; `asSet` takes the place anyway', async () => {
  const id = await workshop({}, { enforceAvailability: false });
  await booked(id, at('08:00'));
  await booked(id, at('08:00'));
  const body = bookingBody(id, { bookingTime: at('08:00') }) as unknown as Parameters<
    typeof createBooking
  >[1]['body'];
  const asked = {
    partnerId: partner.partnerId,
    phone: '+61491570006',
    claim: null,
    enforce: 'always',
    actor: actors.partner(partner.partnerId, 'k', 'r'),
  } as const;
  await assert.rejects(createBooking(app.context, { ...asked, body }), { errorCode: '060003' });
  const free = { ...body, bookingTime: at('08:30') };
  assert.ok(await createBooking(app.context, { ...asked, body: free }));
});

test("the same rules apply to the workshop's own bookings", async () => {
  const id = await workshop();
  const input = {
    carRego: 'own',
    customerName: 'Walk In',
    customerPhone: '0491570006',
    bookingTime: '2027-03-29 08:00',
  };
  await createOwnBooking(app.context, id, input, { notify: false, anyway: null, actor: actors.operator });
  await assert.rejects(
    createOwnBooking(app.context, id, input, { notify: false, anyway: null, actor: actors.operator }),
    { errorCode: '060003' },
  );
  assertRefused(await book(id, at('08:00')), 'full');
});

test('a process that has cached an older set-up applies the present one', async () => {
  const id = await workshop({}, { enforceAvailability: false });
  await booked(id, at('08:00'));
  const mine = await booked(id, at('03:00'));
  await setUp(id, { settings: { enforceAvailability: true } });
  assertRefused(await book(id, at('08:00')), 'full');
  assertRefused(await change(mine, { date: at('04:00') }), 'closed');
  await setUp(id, { settings: { enforceAvailability: true, bays: 2, slotMinutes: 60 } });
  await booked(id, at('08:30'));
  assertRefused(await book(id, at('08:00')), 'full');
});

test("a block takes bays from offers and from new bookings, and existing bookings stay (specification: The workshop's own bookings 1)", async () => {
  const id = await workshop({}, { bays: 2 });
  await booked(id, at('08:00'));
  const block = (from: string, to: string, bays: string) =>
    blockBays(
      app.context,
      id,
      { from: `2027-03-29 ${from}`, to: `2027-03-29 ${to}`, reason: 'Hoist', bays },
      { actor: actors.operator },
    );
  const { bookings } = await block('08:00', '09:00', '1');
  assert.equal(bookings.length, 1);
  const all = (await block('09:00', '17:00', 'all')).block;
  const free = async () => {
    const { body } = await partner.call(
      'GET',
      `/workshops/${id}/availabilities?from=2027-03-29&to=2027-03-29`,
    );
    return body.days[0].slots.map((slot: { localTime: string; remaining: number }) => [
      slot.localTime,
      slot.remaining,
    ]);
  };
  assert.deepEqual(await free(), [['08:30', 1]]);
  assertRefused(await book(id, at('08:00')), 'full', [at('08:30'), at('08:00', 1), at('08:30', 1)]);
  assertRefused(await book(id, at('16:00')), 'full');
  const late = await booked(id, at('08:30'));
  const end = { id: all.id, actor: actors.operator };
  await assert.rejects(unblockBays(app.context, { ...end, workshopId: newId() }), /there is no block/);
  await unblockBays(app.context, { ...end, workshopId: id });
  assert.equal((await change(late, { date: at('16:00') })).status, 200);
  assert.deepEqual(
    (await findBlocks(app.context, id)).map(({ bays }) => bays),
    [1],
  );
});
