/** The usage of a busy workshop is read in two halves, and the cached set-up is checked by its version. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { addDays, localDay } from '#base/values/local-day.ts';
import type { Database } from '#platform/db/database.ts';
import { insertOccupied, occupantOf } from '../../../test/fixtures/occupied.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { insertBlock } from './blocks/store.ts';
import { isBusy, noteUsage } from './busy.ts';
import { readAvailability } from './read.ts';
import { importWorkshop } from './set-up/import.ts';
import { readUsage, readUsageFor } from './store.ts';
import { usageOf } from './usage.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const { partnerId } = partner;
const monday = '2030-03-04';
const hourMs = 3_600_000;
const dayAt = (n: number) => localDay(addDays(monday, n), 'Australia/Melbourne');
const week = Array.from({ length: 7 }, (_, n) => dayAt(n));

test('two halves equal the whole: bookings across the middle, over days, of several services, and blocks', async () => {
  const service = '01900000-0000-7000-8000-0000000000b1';
  const item = fc.record({
    id: fc.constantFrom(service, null),
    category: fc.constantFrom('tyres', 'repair'),
  });
  const booking = fc.record({
    hour: fc.integer({ min: -40, max: 7 * 24 + 10 }),
    hours: fc.oneof(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 25, max: 120 })),
    services: fc.array(item, { maxLength: 3 }),
  });
  const limits = [
    { kind: 'service', key: service },
    { kind: 'category', key: 'tyres' },
  ] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(booking, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 7 }),
      async (drawn, count) => {
        const workshopId = await linkedWorkshop(app, [partner]);
        const at = (hour: number) => Math.round((week[0]?.start ?? 0) + hour * hourMs);
        // The boundary between the halves, to the millisecond, and both ends.
        const [middle, ms] = [count * 12, 1 / hourMs];
        const edges = [0, middle, count * 24].flatMap((hour) => [hour - 1, hour - ms, hour, hour + 1]);
        const bookings = [...drawn, ...edges.map((hour) => ({ hour, hours: 2, services: [] }))];
        const rows = bookings.map(({ hour, hours, services }) => ({
          ...{ from: at(hour), until: at(hour + hours), category: null },
          services: services as never,
        }));
        await insertOccupied(db, await occupantOf(partner, workshopId), rows);
        const [first] = bookings;
        const from = at(first?.hour ?? 0);
        const block = {
          id: crypto.randomUUID(),
          bays: 2,
          reason: '',
          from: new Date(from),
          until: new Date(from + 90 * hourMs),
        };
        await insertBlock(db, workshopId, block, clock.now());
        const days = week.slice(0, count);
        const query = { workshopId, days, limits, limited: new Map([[service, 1]]) };
        const whole = usageOf(await readUsage(db, query));
        const halves = usageOf((await readUsageFor(db, partnerId, query, true)).usage);
        for (let start = week[0]?.start ?? 0; start < (days.at(-1)?.end ?? 0); start += hourMs) {
          const taken = rows.filter((row) => row.from < start + hourMs && row.until > start).length;
          const blocked = from < start + hourMs && from + 90 * hourMs > start ? 2 : 0;
          assert.equal(whole.overlapping(start, start + hourMs), taken + blocked);
          assert.equal(halves.overlapping(start, start + hourMs), taken + blocked);
        }
        for (const { date } of days) {
          for (const { key } of limits) assert.equal(halves.counted(date, key), whole.counted(date, key));
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('a workshop with thousands of bookings is read in halves, as long as it has them', () => {
  const own = {};
  const of = (bookings: number) => ({ begins: [[0, bookings]] as const, ends: [], booked: [] });
  assert.equal(isBusy(own, 'a'), false);
  noteUsage(own, 'a', of(2_000));
  assert.deepEqual([isBusy(own, 'a'), isBusy(own, 'b'), isBusy({}, 'a')], [true, false, false]);
  noteUsage(own, 'a', of(1_999));
  assert.equal(isBusy(own, 'a'), false);
});

test('the next request sees a changed set-up; an unchanged one costs one statement', async () => {
  const workshopId = await linkedWorkshop(app, [partner]);
  let statements = 0;
  const counting: Database = {
    ...db,
    query(text, values) {
      statements++;
      return db.query(text, values);
    },
  };
  const setUp = (slotMinutes: number, services: object[]) =>
    importWorkshop(
      { db, clock },
      JSON.stringify({ workshopId, settings: { slotMinutes }, services }),
      actors.operator,
    );
  const read = (catalogId?: string) => {
    statements = 0;
    const query = { partnerId, workshopId, ...(catalogId === undefined ? {} : { catalogId }) };
    return readAvailability({ db: counting, clock }, query);
  };
  const offered = { catalogCode: 'wheels', title: 'Wheels', category: 'tyres', durationMinutes: 60 };
  const { services } = await setUp(30, [offered]);
  const [{ _id: catalogId } = { _id: '' }] = services;
  assert.equal((await read(catalogId)).slotMinutes, 30);
  await read(catalogId);
  assert.equal(statements, 1);
  await setUp(20, [offered]);
  assert.equal((await read(catalogId)).slotMinutes, 20);
  await setUp(20, []);
  await assert.rejects(read(catalogId), /catalogId|000001|validation/i);
  await setUp(20, [offered]);
  assert.equal((await read(catalogId)).slotMinutes, 20);
  await assert.rejects(
    readAvailability({ db, clock }, { partnerId: crypto.randomUUID(), workshopId }),
    /not found/i,
  );
});
