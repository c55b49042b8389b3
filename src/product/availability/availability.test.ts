/** Long because one world serves all its cases. */

/** GET /workshops/{id}/availabilities (specification: Availability), over HTTP. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setLink } from '#product/workshops/link.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { insertOccupied, occupantOf } from '../../../test/fixtures/occupied.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { importWorkshop } from './set-up/import.ts';

const app = await startTestApp();
const { db, clock } = app.context;
// 09:10 on the Sunday before, in Melbourne. Tokens are issued at this time.
const monday = '2027-03-29';
const sunday = new Date('2027-03-27T22:10:00Z');
app.advance(Math.round((sunday.getTime() - clock.now().getTime()) / 1000));
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

const setUp = (sections: object, id = workshopId) =>
  importWorkshop({ db, clock }, JSON.stringify({ workshopId: id, ...sections }), actors.operator);
const path = (query = '', id = workshopId) => `/workshops/${id}/availabilities${query}`;

async function days(query: string, id = workshopId) {
  const { status, body } = await partner.call('GET', path(query, id));
  assert.equal(status, 200, JSON.stringify(body));
  return body.days;
}

const weekdays = (hours: object[]) =>
  Object.fromEntries(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [day, hours]));

test('a workshop without a set-up: Monday to Friday, 08:00 to 17:00, half hours, one bay (specification: Setting up a workshop 4)', async () => {
  const untouched = await linkedWorkshop(app, [partner]);
  const { body } = await partner.call('GET', path('', untouched));
  const { days: all, ...frame } = body;
  assert.deepEqual(frame, {
    success: true,
    workshopId: untouched,
    timezone: 'Australia/Melbourne',
    slotMinutes: 30,
    enforced: false,
  });
  assert.deepEqual(
    all.map(({ date, open }: { date: string; open: boolean }) => [date, open]),
    [
      ['2027-03-28', false],
      ...['2027-03-29', '2027-03-30', '2027-03-31', '2027-04-01', '2027-04-02'].map((date) => [date, true]),
      ['2027-04-03', false],
    ],
  );
  assert.equal(all[1].slots.length, 18);
  assert.deepEqual(all[1].slots[0], { time: '2027-03-28T21:00:00.000Z', localTime: '08:00', remaining: 1 });
  assert.equal(all[1].slots.at(-1).localTime, '16:30');
  assert.deepEqual(all[0], {
    ...{ date: '2027-03-28', open: false, openingTime: null, closingTime: null, note: null },
    ...{ slots: [], pickupTimes: [], unavailable: [] },
  });
});

test('hours, break, pickup times, a custom day, and the reasons of times that are not free (specification: Availability 2 and 3)', async () => {
  await setUp({
    settings: { bays: 2, leadTimeMinutes: 60, enforceAvailability: true },
    hours: weekdays([
      { from: '08:00', to: '09:00' },
      { from: '10:00', to: '11:15' },
    ]),
    pickupTimes: { monday: ['16:00', '10:30'] },
    custom: [
      { date: '2027-03-30', hours: [], note: 'Inventory' },
      { date: '2027-03-31', hours: [{ from: '08:30', to: '10:30' }], bays: 1, note: null },
    ],
  });
  const { body } = await partner.call('GET', path(`?from=${monday}&to=2027-03-31&explain=true`));
  assert.equal(body.enforced, true);
  const [first, closed, cut] = body.days;
  assert.deepEqual(first, {
    ...{ date: monday, open: true, openingTime: '08:00', closingTime: '11:15', note: null },
    slots: [
      { time: '2027-03-28T21:00:00.000Z', localTime: '08:00', remaining: 2 },
      { time: '2027-03-28T21:30:00.000Z', localTime: '08:30', remaining: 2 },
      { time: '2027-03-28T23:00:00.000Z', localTime: '10:00', remaining: 2 },
      { time: '2027-03-28T23:30:00.000Z', localTime: '10:30', remaining: 2 },
    ],
    pickupTimes: [
      { time: '2027-03-28T23:30:00.000Z', localTime: '10:30' },
      { time: '2027-03-29T05:00:00.000Z', localTime: '16:00' },
    ],
    unavailable: [
      { time: '2027-03-28T22:00:00.000Z', localTime: '09:00', reason: 'break' },
      { time: '2027-03-28T22:30:00.000Z', localTime: '09:30', reason: 'break' },
    ],
  });
  assert.deepEqual(closed.unavailable, [{ time: null, localTime: null, reason: 'custom' }]);
  assert.deepEqual([closed.open, closed.note, closed.slots], [false, 'Inventory', []]);
  const told = (list: { localTime: string; remaining?: number; reason?: string }[]) =>
    list.map(({ localTime, remaining, reason }) => `${localTime} ${remaining ?? reason}`);
  assert.deepEqual(told(cut.slots), ['08:30 1', '09:00 1', '09:30 1', '10:00 1']);
  assert.deepEqual(told(cut.unavailable), ['08:00 custom', '10:30 custom']);
  assert.deepEqual((await days(`?from=${monday}&to=${monday}`))[0].unavailable, []);
});

test('past times, and times too soon or too far ahead', async () => {
  await setUp({
    settings: { leadTimeMinutes: 60, horizonDays: 1 },
    hours: { sunday: [{ from: '08:30', to: '11:00' }], ...weekdays([{ from: '08:00', to: '08:30' }]) },
    custom: [],
  });
  const all = await days('?explain=true');
  const told = (n: number) =>
    all[n].unavailable.map(({ localTime, reason }: { localTime: string; reason: string }) => [
      localTime,
      reason,
    ]);
  assert.equal(all[0].date, '2027-03-28');
  assert.deepEqual(told(0), [
    ['08:30', 'past'],
    ['09:00', 'past'],
    ['09:30', 'leadTime'],
    ['10:00', 'leadTime'],
  ]);
  assert.equal(all[0].slots[0].localTime, '10:30');
  assert.deepEqual(told(1), []);
  assert.deepEqual(told(2), [['08:00', 'horizon']]);
});

test('a service occupies its duration; its own limit replaces that of its category', async () => {
  const { services } = await setUp({
    settings: { bays: 3 },
    hours: weekdays([
      { from: '08:00', to: '10:00' },
      { from: '10:30', to: '11:00' },
    ]),
    categories: [
      { code: 'service', dailyLimit: 2 },
      { code: 'tyres', dailyLimit: 0 },
    ],
    services: [
      { catalogCode: 'own', title: 'Own limit', category: 'service', dailyLimit: 1, durationMinutes: 90 },
      { catalogCode: 'free', title: 'None', category: 'service' },
    ],
  });
  const [own, free] = services.map(({ _id }) => _id);
  const slots = async (query: string) => (await days(`?from=${monday}&to=${monday}&explain=true${query}`))[0];
  const starts = (day: { slots: { localTime: string; remaining: number }[] }) =>
    day.slots.map(({ localTime, remaining }) => `${localTime} ${remaining}`);

  // 90 minutes from 09:00 end in the break, those from 09:30 at 11:00: a booking may run into a break.
  const long = await slots(`&catalogId=${own}`);
  assert.deepEqual(starts(long), ['08:00 1', '08:30 1', '09:00 1', '09:30 1']);
  assert.deepEqual(long.unavailable, [
    { time: '2027-03-28T23:00:00.000Z', localTime: '10:00', reason: 'closed' },
    { time: '2027-03-28T23:30:00.000Z', localTime: '10:30', reason: 'closed' },
  ]);
  assert.equal((await slots(`&catalogId=${free}`)).slots[0].remaining, 2);
  assert.equal((await slots('&serviceCategory=service')).slots[0].remaining, 2);
  assert.equal((await slots('&serviceCategory=repair')).slots[0].remaining, 3);
  assert.equal((await slots('&serviceCategory=tyres')).unavailable[0].reason, 'categoryLimit');

  const occupant = await occupantOf(partner, workshopId);
  const from = Date.parse('2027-03-28T21:00:00Z');
  const until = from + 90 * 60_000;
  await insertOccupied(db, occupant, [
    { from, until, services: [{ id: own ?? '', category: 'service' }], category: null },
    { from, until: from + 1_800_000, services: [], category: 'service' },
  ]);
  assert.equal((await slots(`&catalogId=${own}`)).unavailable[0].reason, 'serviceLimit');
  assert.deepEqual(starts(await slots(`&catalogId=${free}`)), [
    '08:00 1',
    '08:30 1',
    '09:00 1',
    '09:30 1',
    '10:30 1',
  ]);
  assert.deepEqual(starts(await slots('')), ['08:00 1', '08:30 2', '09:00 2', '09:30 3', '10:30 3']);
});

test('in the workshop’s zone across daylight saving, and in another zone after a change of zone (specification: Availability 4)', async () => {
  const id = await linkedWorkshop(app, [partner]);
  await setUp({ hours: { sunday: [{ from: '01:30', to: '04:00' }] } }, id);
  const shown = async (date: string) =>
    (await days(`?from=${date}&to=${date}`, id))[0].slots.map(
      ({ time, localTime }: { time: string; localTime: string }) => `${localTime} ${time.slice(11, 16)}`,
    );
  assert.deepEqual(await shown('2027-04-04'), [
    ...[
      '01:30 14:30',
      '02:00 15:00',
      '02:30 15:30',
      '02:00 16:00',
      '02:30 16:30',
      '03:00 17:00',
      '03:30 17:30',
    ],
  ]);
  assert.deepEqual(await shown('2027-10-03'), ['01:30 15:30', '03:00 16:00', '03:30 16:30']);
  await setWorkshop({ db, clock }, id, { timezone: 'Australia/Brisbane' }, actors.operator);
  assert.deepEqual((await shown('2027-04-04'))[0], '01:30 15:30');
});

test('400 names the field (specification: Availability 1)', async () => {
  const { services } = await setUp({
    services: [{ catalogCode: 'gone', title: 'Gone', category: 'others' }],
  });
  await setUp({ services: [] });
  const instant = await partner.call('GET', path('?from=2027-03-29T00:00:00.000Z'));
  assert.match(instant.body.errors[0].message, /^must be a date such as/);
  for (const [query, field] of [
    ['?from=29.3.2027', 'from'],
    ['?from=2027-02-29', 'from'],
    ['?to=2027-3-1', 'to'],
    ['?from=2027-03-29&to=2027-03-28', 'to'],
    ['?from=2027-03-29&to=2027-04-05', 'to'],
    ['?to=2027-03-27', 'to'],
    ['?to=2027-04-04', 'to'],
    ['?serviceCategory=detailing', 'serviceCategory'],
    ['?explain=maybe', 'explain'],
    ['?catalogId=nonsense', 'catalogId'],
    [`?catalogId=${services[0]?._id}`, 'catalogId'],
    [`?catalogId=${workshopId}`, 'catalogId'],
  ]) {
    const { status, body } = await partner.call('GET', path(query));
    assert.deepEqual([query, status, body.errorCode], [query, 400, '000001']);
    assert.deepEqual(
      body.errors.map((error: { field: string }) => error.field),
      [field],
    );
  }
  assert.equal((await days('?from=2027-03-29&to=2027-04-04')).length, 7);
});

test('401, 403 and 404; another partner sees the free times, but not whose bookings occupy the others (specification: Availability 1)', async () => {
  const { status, body } = await app.request('GET', path());
  assert.deepEqual([status, body.errorCode], [401, '010000']);
  const stranger = await signedInPartner(app, 'Stranger');
  for (const id of [workshopId, '0198c6a3-0000-7000-8000-000000000000', 'nowhere']) {
    const answer = await stranger.call('GET', path('', id));
    assert.deepEqual([answer.status, answer.body.errorCode], [404, '030001']);
  }
  const elsewhere = await linkedWorkshop(app, [stranger]);
  const { services } = await setUp(
    { services: [{ catalogCode: 'x', title: 'X', category: 'others' }] },
    elsewhere,
  );
  const foreign = await partner.call('GET', path(`?catalogId=${services[0]?._id}`));
  assert.deepEqual([foreign.status, foreign.body.errors[0].field], [400, 'catalogId']);
  await setLink(
    { db, clock },
    { partnerId: stranger.partnerId, workshopId: elsewhere, active: false },
    actors.operator,
  );
  const off = await stranger.call('GET', path('', elsewhere));
  assert.deepEqual([off.status, off.body.errorCode], [403, '000004']);
});
