/** Long because its tests share one workshop and its bookings. `pitlane booking`: commands of the workshop's staff, as text, as JSON, with bad options, with unknown ids. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setLink } from '#product/workshops/link.ts';
import { eventsOf } from '../fixtures/booking-api.ts';
import { startTestApp } from '../harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { fail, json, succeed } from './run.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const env = { DATABASE_URL: app.databaseUrl };
const made = await partner.call('POST', '/bookings', bookingBody(workshopId, { skipNotification: true }));
const { booking } = made.body;

const least = [
  ...['--workshop', workshopId, '--car-rego', 'walk 1', '--booking-time', '2030-04-07 02:30'],
  ...['--customer-name', 'Wendy Walker', '--customer-phone', '0491 570 110'],
];
const create = (...more: string[]) => json(['booking', 'create', ...least, ...more], env);

test("a walk-in is the workshop’s own booking: no partner sees it; the customer is notified, the workshop is not (specification: The workshop's own bookings 1 and 14)", async () => {
  const own = await create(
    '--service',
    'Wheel alignment',
    '--service',
    'Wash',
    '--pickup-time',
    '2030-04-07 17:00',
  );
  // Local times: in Melbourne 02:30 occurs twice on that day; the earlier one counts.
  assert.deepEqual(
    [
      own.date,
      own.pickupTime,
      own.partnerId,
      own.status,
      own.car.rego,
      own.customer.phone,
      own.customer.email,
    ],
    [
      '2030-04-06T15:30:00.000Z',
      '2030-04-07T07:00:00.000Z',
      null,
      'confirmed',
      'WALK1',
      '+61491570110',
      null,
    ],
  );
  assert.deepEqual(
    own.services.map(({ title }: { title: string }) => title),
    ['Wheel alignment', 'Wash'],
  );
  for (const path of [`/bookings/${own.id}`]) {
    assert.equal((await partner.call('GET', path)).status, 404);
    assert.equal((await partner.call('PUT', path, { notes: 'Mine' })).status, 404);
    assert.equal((await partner.call('POST', `${path}/cancelled`)).status, 404);
  }
  for (const query of [
    '',
    `?workshopId=${workshopId}`,
    '?updatedSince=2026-01-01T00:00:00Z',
    '?from=2030-01-01T00:00:00Z',
  ]) {
    const { body } = await partner.call('GET', `/bookings${query}`);
    assert.deepEqual(
      body.bookings.filter(({ id }: { id: string }) => id === own.id),
      [],
      query,
    );
  }
  const [event] = await eventsOf(app, own.id);
  assert.deepEqual([event?.kind, event?.partnerId], ['booking.created', null]);
  await app.drain();
  assert.match(
    app.sms.to('+61491570110')[0]?.body ?? '',
    new RegExp(`your booking ${own.code} .* is confirmed`),
  );
  assert.deepEqual(
    app.sms.to('+61355501234').filter(({ body }) => body.includes(own.code)),
    [],
  );
});

test("a known customer keeps their e-mail; a partner is not shown what the workshop wrote down (specification: The workshop's own bookings 18)", async () => {
  const [before] = await app.context.db.query<{ email: string }>('SELECT email FROM customer WHERE id = $1', [
    booking.customerId,
  ]);
  const own = await create(
    '--customer-phone',
    booking.customer.phone,
    '--customer-name',
    'Sam T.',
    '--silent',
  );
  assert.equal(own.customerId, booking.customerId);
  const [after] = await app.context.db.query<{ email: string; name: string }>(
    'SELECT email, name FROM customer WHERE id = $1',
    [own.customerId],
  );
  assert.deepEqual(after, { email: before?.email, name: 'Sam T.' });
  const seen = await partner.call('GET', `/bookings/${booking.id}`);
  assert.deepEqual(seen.body.booking, booking);
});

test("list: a workshop's bookings by date, in its zone, page by page", async () => {
  const list = (...options: string[]) => json(['booking', 'list', '--workshop', workshopId, ...options], env);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const all = await list('--from', '2020-01-01');
  assert.equal(all[0].id, booking.id);
  assert.ok(all.length >= 2);
  assert.deepEqual(
    all.map(({ date }: { date: string }) => date),
    all.map(({ date }: { date: string }) => date).sort(),
  );
  const { stdout } = await succeed(['booking', 'list', '--workshop', workshopId], env);
  assert.match(
    stdout,
    new RegExp(
      `^${booking.code} +2030-03-03 09:30 +10:00 +pending +ABC123 +Sam Taylor +0491 570 006 +Example Fleet$`,
      'm',
    ),
  );
  // 22:30 UTC of the 2nd is the morning of the 3rd there.
  assert.deepEqual(ids(await list('--from', '2030-03-03', '--to', '2030-03-04')), [booking.id]);
  assert.deepEqual(ids(await list('--from', '2030-03-02', '--to', '2030-03-03')), []);
  assert.deepEqual(ids(await list('--to', '2030-03-03 09:30')), []);
  assert.deepEqual(ids(await list('--to', '2030-03-03T09:31:00+11:00')), [booking.id]);
  assert.deepEqual(ids(await list('--status', 'cancelled', '--from', '2020-01-01')), []);
  const { stderr } = await succeed(
    ['booking', 'list', '--workshop', workshopId, '--limit', '1', '--json'],
    env,
  );
  assert.match(stderr, new RegExp(`--after ${booking.id}`));
  assert.deepEqual(ids(await list('--after', booking.id)), ids(all).slice(1));
});

test("confirm, complete and cancel, also of a partner's booking whose link is off, by id or by code as it is read out", async () => {
  const { db, clock } = app.context;
  await setLink({ db, clock }, { partnerId: partner.partnerId, workshopId, active: false }, actors.operator);
  const spoken = `${booking.code.slice(0, 4).toLowerCase()} ${booking.code.slice(4)}`
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
  assert.match(
    (await succeed(['booking', 'confirm', spoken], env)).stdout,
    new RegExp(`booking ${booking.code} is confirmed`),
  );
  const again = await json(['booking', 'confirm', booking.id], env);
  assert.equal(again.status, 'confirmed');
  const cancelled = await json(['booking', 'cancel', booking.id, '--reason', 'Flooded'], env);
  assert.deepEqual([cancelled.status, cancelled.cancelReason], ['cancelled', 'Flooded']);
  await fail(['booking', 'complete', booking.id], env, 1, /no other status is permitted/);
  await setLink({ db, clock }, { partnerId: partner.partnerId, workshopId, active: true }, actors.operator);
  await app.drain();
  const events = (await eventsOf(app, booking.id)).slice(1);
  assert.deepEqual(
    events.map(({ kind, partnerId, payload }) => [
      kind,
      partnerId,
      payload.notifyCustomer,
      payload.notifyWorkshop,
    ]),
    [
      ['booking.confirmed', partner.partnerId, true, false],
      ['booking.cancelled', partner.partnerId, true, false],
    ],
  );
  assert.match(app.sms.to('+61491570006').at(-1)?.body ?? '', /is cancelled\. Reason: Flooded/);
  const { stdout } = await succeed(['booking', 'show', booking.code], env);
  assert.match(stdout, /date +2030-03-03 09:30\n/);
  assert.match(stdout, /cancelReason +Flooded\n/);

  const quiet = await create('--silent', '--customer-phone', '0491 570 156');
  await succeed(['booking', 'complete', quiet.id, '--silent'], env);
  await app.drain();
  assert.deepEqual(app.sms.to('+61491570156'), []);
});

test('every fault is named, and nothing is created', async () => {
  const [before] = await app.context.db.query<{ n: number }>('SELECT count(*)::int AS n FROM booking');
  const bad = [
    '--booking-time',
    '2030-02-30',
    '--customer-phone',
    '12',
    '--customer-email',
    'x',
    '--service-category',
    'wash',
  ];
  await fail(
    ['booking', 'create', ...least, ...bad],
    env,
    2,
    /--booking-time must.*--customer-email must.*--service-category must be one of: service, tyres, repair, others.*--customer-phone must/,
  );
  await fail(['booking', 'create', '--workshop', workshopId], env, 2, /required option/);
  const elsewhere = least.map((value) => (value === workshopId ? newId() : value));
  await fail(['booking', 'create', ...elsewhere], env, 1, /there is no workshop/);
  assert.deepEqual((await app.context.db.query('SELECT count(*)::int AS n FROM booking'))[0], before);

  const options = ['--from', 'x', '--to', '2030-13-01', '--status', 'done', '--limit', '0', '--after', 'x'];
  await fail(
    ['booking', 'list', '--workshop', workshopId, ...options],
    env,
    2,
    /--from must.*--to must.*--status must.*--limit must.*--after is not/,
  );
  await fail(['booking', 'list', '--workshop', newId()], env, 1, /there is no workshop/);
  for (const name of ['show', 'confirm', 'complete', 'cancel']) {
    await fail(['booking', name, newId()], env, 1, /there is no booking/);
    await fail(['booking', name, '7K3M9QXW'], env, 1, /there is no booking/);
    await fail(['booking', name], env, 2, /missing required argument/);
  }
  const open = await create('--silent');
  await fail(
    ['booking', 'cancel', open.id, '--reason', 'x'.repeat(501)],
    env,
    2,
    /--reason must have at most 500/,
  );
});

test('close: over days, each week until a day, with the bookings in it counted; unblock --series ends the rest', async () => {
  await create('--booking-time', '2031-03-12 13:00', '--silent');
  const close = (...more: string[]) => ['booking', 'close', workshopId, '--reason', 'Training', ...more];
  const weekly = ['--from', '2031-03-05', '--begins', '12:00', '--ends', '17:00', '--repeat', 'weekly'];
  const made = await json(close(...weekly, '--until', '2031-03-19'), env);
  assert.deepEqual([made.blocks.length, made.bookings, made.blocks[0].bays], [3, 1, 1]);
  const { stdout } = await succeed(close('--from', '2031-12-22', '--to', '2032-01-04', '--bays', 'all'), env);
  assert.match(stdout, /all bays from 2031-12-22 00:00 to 2032-01-05 00:00\nbooked in that time: 0/);
  await fail(close(...weekly), env, 2, /--until is wanted/);
  await fail(close('--to', '2031-03-06'), env, 2, /--to goes with --from alone/);
  await fail(close('--day', 'today', '--from', 'today'), env, 2, /--day does not go with --from/);
  const ended = await json(['booking', 'unblock', made.blocks[1].id, '--series'], env);
  assert.equal(ended.ended, 3);
  await succeed(['booking', 'unblock', /block (\S+):/.exec(stdout)?.[1] ?? ''], env);
});

test('block, blocks, unblock: as text and as JSON, bad options named together, unknown ids', async () => {
  const local = ['--from', '2030-03-03 09:00', '--to', '2030-03-03 10:00', '--reason', 'Hoist'];
  const block = ['booking', 'block', workshopId, ...local];
  const there = await create('--booking-time', '2030-03-03 09:30', '--silent');
  const { id, bays, bookings } = await json([...block, '--bays', 'all'], env);
  assert.deepEqual([bays, bookings], [null, [{ id: there.id, code: there.code }]]);
  const text = (await succeed(block, env)).stdout;
  assert.match(
    text,
    new RegExp(`1 bay from 2030-03-03 09:00 to 2030-03-03 10:00\nbooked in that time: ${there.code}`),
  );
  const blocks = await json(['booking', 'blocks', workshopId], env);
  assert.deepEqual([blocks.length, blocks[0].reason, blocks[0].id === id], [2, 'Hoist', true]);
  await succeed(['booking', 'unblock', id], env);
  await fail(['booking', 'unblock', id], env, 1, /there is no block/);
  const bad = ['--from', 'soon', '--to', '2030-03-03', '--reason', ' ', '--bays', '0'];
  await fail(['booking', 'block', workshopId, ...bad], env, 2, /--from must .*--bays must .*--reason must /);
  await fail(['booking', 'blocks', newId()], env, 1, /there is no workshop/);
});
