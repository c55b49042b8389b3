/** What the doctor finds, what it mends, and what it leaves to people. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { json, runHere } from '../../../test/command-line/run.ts';
import { assertRefused, at, placesWorld } from '../../../test/fixtures/places.ts';
import { examine } from './examine.ts';

const { app, partner, workshop, setUp, book, booked, change } = await placesWorld();
const { db } = app.context;

const look = async (repair = false) => {
  const { found, repaired, findings } = await examine(app.context, { repair });
  const short = findings.map(({ kind, code, at: when, message }) => [
    kind,
    code ?? when?.toISOString(),
    message,
  ]);
  return { found, repaired, short: short.toSorted() };
};
const nothing = { found: 0, repaired: 0, short: [] };

test('places and days that are wrong are found and mended, each of them, and nothing else', async () => {
  const id = await workshop({ categories: [{ code: 'tyres', dailyLimit: 3 }] }, { bays: 3 });
  const make = (time: string, changes: object = {}) =>
    booked(id, time, { serviceCategory: 'tyres', ...changes });
  const lost = await make(at('08:00'));
  const cancelled = await make(at('08:00', 1));
  const moved = await make(at('08:00', 2));
  const recounted = await make(at('09:00', 2));
  const longer = await make(at('10:00', 2));
  const imported = await make('2027-03-01T00:00:00Z');
  await partner.call('POST', `/bookings/${cancelled.id}/cancelled`);
  await make(at('08:00', 3));
  assert.deepEqual(await look(), nothing);

  const set = (booking: { id: string }, assignments: string) =>
    db.query(`UPDATE booking SET ${assignments}, held_to = NULL WHERE id = '${booking.id}'`);
  const place = (from: string) =>
    `occupied_from = '${from}', occupied_until = '${from}'::timestamptz + interval '30 minutes', counted_services = '{}', counted_categories = '{}'`;
  await set(
    lost,
    'occupied_from = NULL, occupied_until = NULL, counted_services = NULL, counted_categories = NULL',
  );
  await set(cancelled, place(at('08:00', 1)));
  await set(moved, place(at('11:00', 2)).replace(/, counted.*/, ''));
  await set(recounted, `counted_categories = '{repair}'`);
  await set(longer, `occupied_until = occupied_until + interval '1 hour'`);
  await set(imported, place(at('08:00', 4)));
  await db.query(
    `UPDATE workshop_day SET bays = 9 WHERE workshop_id = '${id}' AND starts_at = '${at('00:00', 3)}'`,
  );

  const expected = [
    ['place', lost.code, 'has no place'],
    ['place', cancelled.code, 'is cancelled and has a place'],
    ['place', moved.code, 'has its place at another time'],
    ['place', recounted.code, 'counts for other services than it has'],
    ['place', longer.code, 'has its place for another time than it takes'],
    ['place', imported.code, 'was past when it was made and has a place'],
    ['day', at('00:00', 3), 'the stored day is not what the set-up says'],
  ].toSorted();
  assert.deepEqual(await look(), { found: 7, repaired: 0, short: expected });
  assert.deepEqual(await look(true), { found: 7, repaired: 7, short: expected });
  assert.deepEqual(await look(), nothing);
  for (let n = 0; n < 2; n++) await make(at('08:00', 3), { serviceCategory: null });
  assertRefused(await book(id, at('08:00', 3)), 'full');
});

test('too many bookings are found and left to people; blocks are none', async () => {
  const id = await workshop({ categories: [{ code: 'tyres', dailyLimit: 2 }] }, { bays: 2 });
  const tyres = { serviceCategory: 'tyres' };
  const [, second] = [await booked(id, at('08:00'), tyres), await booked(id, at('08:10'), tyres)];
  await setUp(id, {
    settings: { enforceAvailability: true, bays: 1 },
    categories: [{ code: 'tyres', dailyLimit: 1 }],
  });
  await db.query(
    `INSERT INTO bay_block VALUES (gen_random_uuid(), '${id}', '${at('08:00')}', '${at('12:00')}', NULL, 'Hoist', '${at('08:00')}')`,
  );
  const short = [
    ['limit', at('00:00'), '2 bookings count for category tyres, whose daily limit is 1'],
    ['overbooked', at('08:00'), '2 bookings where 1 bays are'],
  ];
  assert.deepEqual(await look(true), { found: 2, repaired: 0, short });
  assert.equal((await change(second, { date: at('13:00', 1) })).status, 200);
  assert.deepEqual(await look(), nothing);
});

test('an older set-up explains the length of a place', async () => {
  const id = await workshop();
  const kept = await booked(id, at('08:00'));
  await setUp(id, { settings: { enforceAvailability: true, slotMinutes: 60, bays: 2 } });
  assert.deepEqual(await look(), nothing);
  assert.equal((await change(kept, { services: [{ title: 'More' }] })).status, 200);
  assert.deepEqual(await look(), nothing);
});

test('a stored name that is no time zone is found, with what to do, and the other workshops are examined', async () => {
  const [id, other] = [await workshop(), await workshop()];
  const { id: lost, code } = await booked(other, at('08:00'));
  await db.query(`UPDATE workshop SET timezone = 'AET' WHERE id = $1`, [id]);
  await db.query(
    `UPDATE booking SET occupied_from = NULL, occupied_until = NULL, counted_services = NULL, counted_categories = NULL WHERE id = $1`,
    [lost],
  );
  const { findings } = await examine(app.context, { repair: true });
  assert.deepEqual(
    findings.map(({ kind, workshopId, repaired }) => [kind, workshopId, repaired]).toSorted(),
    [
      ['place', other, true],
      ['timezone', id, false],
    ],
  );
  assert.equal(findings.find(({ kind }) => kind === 'place')?.code, code);
  assert.match(
    findings.find(({ kind }) => kind === 'timezone')?.message ?? '',
    new RegExp(`^AET is no time zone .* pitlane workshop set ${id} --timezone Australia/Sydney$`),
  );
  await setWorkshop({ db, clock: app.clock }, id, { timezone: 'Australia/Sydney' }, actors.operator);
  assert.deepEqual(await look(), nothing);
});

test('pitlane doctor: 0 when nothing is left, 1 when something is, and --json is pure', async () => {
  // By its own clock nothing of the tests above lies ahead or behind otherwise.
  const env = { DATABASE_URL: app.databaseUrl };
  await db.query('UPDATE business_clock SET advance_seconds = $1', [app.clock.advanceSeconds()]);
  assert.equal((await json(['doctor'], env, runHere)).found, 0);
  const id = await workshop();
  const { id: lost } = await booked(id, at('08:00'));
  const lose = () =>
    db.query(
      `UPDATE booking SET occupied_from = NULL, occupied_until = NULL, counted_services = NULL, counted_categories = NULL WHERE id = $1`,
      [lost],
    );
  await lose();
  const { code, stdout, stderr } = await runHere(['doctor'], env);
  assert.equal(code, 1);
  assert.match(stdout, /^plain booking page \/book\/SLUG: on for \d+ of the workshops/);
  assert.match(stdout, /has no place +no\n\d+ workshops: 1 found, 0 repaired\n$/);
  assert.match(stderr, /1 found that are not repaired/);
  assert.equal((await json(['doctor', '--repair'], env, runHere)).repaired, 1);
  assert.equal((await runHere(['doctor'], env)).code, 0);
});

test('where nothing is enforced a day over its bays is named as a notice, once, and is no fault', async () => {
  const id = await workshop({}, { bays: 1, enforceAvailability: false });
  for (const time of ['08:00', '08:00', '09:00', '09:00', '09:00']) await booked(id, at(time));
  await booked(id, at('08:00', 1));
  assert.deepEqual(await look(true), nothing);
  const { notices } = await examine(app.context, { repair: false });
  assert.deepEqual(
    notices.map(({ workshopId, at: when, message }) => [workshopId, when?.toISOString(), message]),
    [[id, at('09:00'), '3 bookings where 1 bays are; nothing is enforced there']],
  );
});

test('an id that a carrier gives to several messages is named, without a fault of any workshop (specification: Messages 15)', async () => {
  await db.query(
    `INSERT INTO sms_segment (gateway, segment_id, created_at, shared_at) VALUES ('smpp', 'none', now(), now())`,
  );
  const { found, findings } = await examine(app.context, { repair: false });
  const [named] = findings.filter(({ kind }) => kind === 'sharedId');
  assert.ok(found >= 1 && named?.workshopId === null);
  assert.match(
    named.message,
    /^smpp gives several messages the id "none": its delivery reports count for none/,
  );
  await db.query(`DELETE FROM sms_segment`);
});
