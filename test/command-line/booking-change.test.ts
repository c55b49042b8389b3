/** `pitlane booking move|set|create` and `availability`: what staff change, who hears of it, and times that the workshop has not got. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { weekdays } from '#base/values/weekday.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { eventsOf } from '../fixtures/booking-api.ts';
import { startTestApp } from '../harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { fail, json, succeed } from './run.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const open = await linkedWorkshop(app, [partner], { name: 'Open', slug: 'open' });
const strict = await linkedWorkshop(app, [partner], { name: 'Strict', slug: 'strict' });
const env = { DATABASE_URL: app.databaseUrl, PITLANE_WORKSHOP: 'open' };
const customer = { sms: '+61491570006', email: 'sam@customer.example' };

// Open on each day of the week, so that tomorrow is.
const hours = Object.fromEntries(weekdays.map((day) => [day, [{ from: '08:00', to: '17:00' }]]));
const services = [
  { catalogCode: 'logbook', title: 'Logbook service', category: 'service', durationMinutes: 90 },
  { catalogCode: 'tyres', title: 'Four tyres', category: 'tyres', durationMinutes: 30, dailyLimit: 0 },
];
for (const [workshopId, enforceAvailability] of [
  [open, false],
  [strict, true],
] as const) {
  await importWorkshop(
    { db, clock },
    JSON.stringify({ workshopId, settings: { enforceAvailability }, hours, services }),
    actors.operator,
  );
}

const run = (...args: string[]) => json(args, env);
const fails = (code: number, message: RegExp, ...args: string[]) => fail(args, env, code, message);
const walkIn = [
  ...['--car-rego', 'walk 1', '--customer-name', 'Wendy Walker'],
  ...['--customer-phone', '0491 570 110'],
];
const create = (time: string, ...more: string[]) =>
  ['booking', 'create', '--booking-time', time, ...walkIn, ...more] as const;

/** A partner's booking, of which nobody was told. */
async function booked(changes: Readonly<Record<string, unknown>> = {}, workshopId = open) {
  const body = bookingBody(workshopId, { skipNotification: true, ...changes });
  const { status, body: made } = await partner.call('POST', '/bookings', body);
  assert.equal(status, 201, JSON.stringify(made));
  await app.drain();
  app.sms.clear();
  app.email.clear();
  return made.booking;
}

async function told(): Promise<string[]> {
  await app.drain();
  return [...app.sms.sent, ...app.email.sent].map(({ to }) => to).sort();
}

test("move: a partner's booking; the customer and the partner hear of it, the workshop does not (specification: The workshop's own bookings 18)", async () => {
  const { id, code } = await booked();
  const moved = await run('booking', 'move', code, '--to', 'tomorrow 2:30 pm');
  assert.match(moved.date, /T0[34]:30:00\.000Z$/);
  assert.deepEqual(moved.warnings, []);
  assert.equal((await partner.call('GET', `/bookings/${id}`)).body.booking.date, moved.date);
  const event = (await eventsOf(app, id)).at(-1);
  assert.deepEqual(
    [event?.kind, event?.partnerId, event?.payload.previousDate, event?.payload.notifyWorkshop],
    ['booking.updated', partner.partnerId, '2030-03-02T22:30:00.000Z', false],
  );
  assert.deepEqual(await told(), [customer.sms, customer.email].sort());
  assert.match(app.sms.to(customer.sms)[0]?.body ?? '', /2:30 pm/);

  await run('booking', 'move', code, '--to', 'tomorrow 9:00', '--silent');
  app.sms.clear();
  app.email.clear();
  assert.deepEqual(await told(), []);
  const { stdout } = await succeed(['booking', 'move', id, '--to', 'tomorrow 7 am'], env);
  assert.match(stdout, /date +\S+ 07:00\n/);
  assert.match(stdout, /\nwarning: The workshop is closed then.*; free next: \S+ 08:00/);
});

test("set: car, customer, services and notes; its partner sees them, and the row of the other customer takes them (specification: The workshop's own bookings 18)", async () => {
  const { id, code, customerId } = await booked({ notes: 'Squeaks' });
  const set = await run(
    ...['booking', 'set', code, '--car-rego', 'xyz 789', '--customer-name', 'Kim Lee'],
    ...['--customer-phone', '0491 570 156', '--service', 'logbook', '--service', 'Wipers', '--notes', ''],
    ...['--pickup-time', '2030-03-03 17:00'],
  );
  const { body } = await partner.call('GET', `/bookings/${id}`);
  const { booking } = body;
  assert.deepEqual(
    [booking.car.rego, booking.customer.name, booking.customer.phone, booking.pickupTime],
    ['XYZ789', 'Kim Lee', '+61491570156', '2030-03-03T06:00:00.000Z'],
  );
  assert.deepEqual(
    booking.services.map(({ title }: { title: string }) => title),
    ['Logbook service', 'Wipers'],
  );
  assert.deepEqual([booking.date, booking.notes ?? ''], ['2030-03-02T22:30:00.000Z', '']);
  assert.equal(set.endsAt, '2030-03-03T00:00:00.000Z');
  assert.notEqual(booking.customerId, customerId);
  const [row] = await db.query('SELECT name, details_from FROM customer WHERE id = $1', [booking.customerId]);
  assert.deepEqual(row, { name: 'Kim Lee', detailsFrom: ['00000000-0000-0000-0000-000000000000'] });
  assert.equal((await eventsOf(app, id)).at(-1)?.partnerId, partner.partnerId);
  assert.deepEqual(await told(), []);
  assert.deepEqual((await run('booking', 'set', code, '--service', '', '--pickup-time', '')).services, []);

  await fails(2, /nothing to set: name an option/, 'booking', 'set', code, '--json');
  await fails(
    2,
    /--pickup-time must be like .*--customer-email must.*--service-category must.*--customer-phone must/,
    ...['booking', 'set', code, '--pickup-time', 'soon', '--customer-email', 'x', '--customer-phone', '12'],
    ...['--service-category', 'wash'],
  );
  await fails(1, /there is no booking/, 'booking', 'set', '7K3M9QXW', '--notes', 'x');
  await run('booking', 'complete', code);
  await fails(1, /completed booking does not change its carRego/, 'booking', 'set', code, '--car-rego', 'A');
  await fails(1, /completed booking does not change its date/, 'booking', 'move', code, '--to', 'today 8 am');
});

test('create: where nothing is enforced a closed, past or full time is booked, with a warning', async () => {
  const made = await run(...create('tomorrow 11:30', '--service', 'logbook', '--silent'));
  assert.deepEqual(made.warnings, []);
  const full = await run(...create('tomorrow 12:00', '--silent'));
  assert.match(full.warnings.join(), /^No bay is free then; free next: \S+ 13:00, /);
  const closed = await run(...create('tomorrow 5 am', '--silent'));
  assert.match(closed.warnings.join(), /^The workshop is closed then/);
  const past = await run(...create('2020-01-01 09:00', '--silent'));
  assert.deepEqual(past.warnings, ['This time has begun already']);
  const { stdout } = await succeed([...create('tomorrow 5 am', '--silent')], env);
  assert.match(stdout, /\nwarning: The workshop is closed then/);
  // Daily limits hold all the same.
  const tyres = create('tomorrow 15:00', '--service', 'tyres', '--silent');
  await fails(1, /takes no more bookings of this service that day.*; --anyway books it/, ...tyres);
  assert.match(
    (await run(...tyres, '--anyway', 'Its regular')).warnings.join(),
    /takes no more bookings of this service/,
  );
});

test('create and move: where times are enforced they want --anyway, which books and warns', async () => {
  const at = (time: string, ...more: string[]) => create(time, '--workshop', 'strict', '--silent', ...more);
  const { code } = await run(...at('tomorrow 9:00'));
  for (const [time, reason] of [
    [
      'tomorrow 9:00',
      /^pitlane: No bay is free then; free next: \S+ 09:30, .*; --anyway books it all the same, with the reason behind it\n/,
    ],
    ['tomorrow 5 am', /The workshop is closed then.*--anyway/],
    ['2020-01-01 09:00', /This time has begun already; --anyway/],
  ] as const) {
    await fails(1, reason, ...at(time));
    assert.equal((await run(...at(time, '--anyway', 'They wait'))).warnings.length, 1);
  }
  await fails(1, /The workshop is closed then.*--anyway/, 'booking', 'move', code, '--to', 'tomorrow 6 pm');
  const wanted = ['--anyway', 'We stay  open for her', '--silent'];
  const moved = await run('booking', 'move', code, '--to', 'tomorrow 6 pm', ...wanted);
  assert.equal(moved.anywayReason, 'We stay open for her');
  for (const reason of ['no', ' x ', 'x'.repeat(256)])
    await fails(
      2,
      /--anyway must say why, in 3 to 255 characters/,
      ...at('tomorrow 5 am', '--anyway', reason),
    );
  await fails(2, /argument missing/, ...at('tomorrow 5 am', '--anyway'));
  assert.match(moved.warnings.join(), /^The workshop is closed then/);
  // It has that time already: nothing is new about it.
  assert.deepEqual((await run('booking', 'move', code, '--to', 'tomorrow 6 pm')).warnings, []);
  // What partners book must fit the same places as before.
  const body = bookingBody(strict, { bookingTime: moved.date, skipNotification: true });
  assert.equal((await partner.call('POST', '/bookings', body)).body.errorCode, '060003');
});

test('an invalid time is refused in forms that people type', async () => {
  const forms =
    /--(?:to|booking-time) must be like 2030-03-03, "2030-03-03 09:30", "tomorrow 9:30" or "today 2:30 pm"/;
  await fails(2, forms, ...create('3/3/2030'));
  await fails(2, forms, 'booking', 'move', (await booked()).code, '--to', 'soon');
});

test('list: services, end, and bookings of a day, by parts of rego, name and phone; cancelled ones dimmed', async () => {
  const own = await run(...create('tomorrow 8:30', '--service', 'logbook', '--silent'));
  const codes = async (...options: string[]) =>
    (await run('booking', 'list', ...options)).map(({ code }: { code: string }) => code);
  assert.ok((await codes('--day', 'tomorrow')).includes(own.code));
  assert.ok(!(await codes('--day', 'today')).includes(own.code));
  const tomorrow = own.date.slice(0, 10);
  const filters: readonly (readonly [string, string, string])[] = [
    ['--rego', 'alk 1', 'xyz'],
    ['--name', 'wendy', 'bruce'],
    ['--phone', '0491 570 110', '0491 570 111'],
    ['--phone', '570 110', '570999'],
  ];
  for (const [option, right, wrong] of filters) {
    assert.ok((await codes('--day', 'tomorrow', option, right)).includes(own.code), option);
    assert.deepEqual(await codes('--day', 'tomorrow', option, wrong), [], option);
  }
  await run('booking', 'cancel', own.code, '--silent');
  const coloured = { ...env, FORCE_COLOR: '1' };
  const { stdout } = await succeed(['booking', 'list', '--day', 'tomorrow'], coloured);
  const [line = ''] = stdout.split('\n').filter((each) => each.includes(own.code));
  assert.ok(line.startsWith('\u001b[2m'), line);
  assert.match(line, /08:30 +10:00 +cancelled +WALK1 +Wendy Walker +0491 570 110 +Logbook service/);
  assert.ok(!stdout.split('\n')[1]?.startsWith('\u001b[2m'));
  await fails(2, /--day must be today, tomorrow, or a date/, 'booking', 'list', '--day', 'someday');
  await fails(2, /--day stands in place of --from/, 'booking', 'list', '--day', 'today', '--from', tomorrow);
  await fails(2, /--phone must be a phone number, or/, 'booking', 'list', '--phone', 'ab');
});

test("show: the customer's link, whole", async () => {
  const { code } = await booked();
  const pages = { ...env, PITLANE_PUBLIC_URL: 'https://book.example/' };
  const { link } = await json(['booking', 'show', code], pages);
  assert.match(link, /^https:\/\/book\.example\/b\/[0-9A-Z]{10}$/);
  assert.equal((await app.request('GET', new URL(link).pathname)).status, 200);
  const local = await succeed(['booking', 'show', code], env);
  assert.match(local.stdout, /link +http:\/\/localhost:3000\/b\//);
  assert.match(local.stderr, /PITLANE_PUBLIC_URL/);
});

test('availability: free times of a day or some, for services', async () => {
  const { days, timezone } = await run('availability', '--workshop', 'strict', '--day', 'tomorrow');
  assert.deepEqual([days.length, timezone], [1, 'Australia/Melbourne']);
  const times = days[0].slots.map(({ localTime }: { localTime: string }) => localTime);
  assert.ok(times.includes('10:00') && !times.includes('07:30'));
  const shown = ['availability', '--workshop', 'strict', '--day', 'tomorrow', '--service', 'logbook'];
  const { stdout } = await succeed(shown, env);
  assert.match(stdout, /^\w{3} \S+ {2}08:00 to 17:00\n {2}.*15:30\n$/);
  assert.equal((await run('availability')).days.length, 7);
  await fails(
    2,
    /--day must be today.*--days must be.*--service-category must be one of/,
    ...['availability', '--day', 'x', '--days', '8', '--service-category', 'wash'],
  );
});
