/** Availability as a whole: random workshops and bookings in the database; compares the API's responses with the slow reference. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { weekdays } from '#base/values/weekday.ts';
import { laterDate, referenceDay } from '../../../test/fixtures/availability-reference.ts';
import { type AvailabilityWorld, availabilityWorlds } from '../../../test/fixtures/availability-worlds.ts';
import { insertOccupied, occupantOf } from '../../../test/fixtures/occupied.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { readAvailability } from './read.ts';
import { importWorkshop } from './set-up/import.ts';

const numRuns = Number(process.env['AVAILABILITY_RUNS'] ?? 25);

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const { partnerId } = partner;

/** Sets up a new workshop, with the ids that its services get there. */
async function build({ workshop, bookings }: AvailabilityWorld) {
  const workshopId = await linkedWorkshop(app, [partner], { timezone: workshop.timezone });
  const { slotMinutes, bays, leadTimeMinutes, horizonDays } = workshop;
  const { services } = await importWorkshop(
    { db, clock },
    JSON.stringify({
      workshopId,
      settings: { slotMinutes, bays, leadTimeMinutes, horizonDays },
      hours: Object.fromEntries(weekdays.map((weekday, n) => [weekday, workshop.week[n]])),
      custom: workshop.custom,
      categories: Object.entries(workshop.categoryLimits).map(([code, dailyLimit]) => ({ code, dailyLimit })),
      services: workshop.services.map(({ id, ...service }) => ({ ...service, catalogCode: id, title: id })),
    }),
    actors.operator,
  );
  const idOf = (code: string | null) => services.find(({ catalogCode }) => catalogCode === code)?._id ?? null;
  const occupant = await occupantOf(partner, workshopId);
  const rows = bookings.map((booking) => ({
    ...booking,
    services: booking.services.map(({ id, category }) => ({ id: idOf(id), category })),
  }));
  await insertOccupied(db, occupant, rows);
  return { workshopId, idOf };
}

test('the API’s responses for random workshops and bookings equal the reference', async () => {
  await fc.assert(
    fc.asyncProperty(availabilityWorlds, async (world) => {
      const { workshopId, idOf } = await build(world);
      // A request names at most one service.
      const [code = null] = world.wish.services;
      const wish = { ...world.wish, services: code === null ? [] : [code] };
      const answer = await readAvailability(
        { db, clock: { ...clock, now: () => new Date(world.now) } },
        {
          ...{ partnerId, workshopId, from: world.date, to: laterDate(world.date, 2), explain: true },
          ...(code !== null && { catalogId: idOf(code) ?? '' }),
          ...(wish.category !== null && { serviceCategory: wish.category as 'service' }),
        },
      );
      for (const { date, slots, unavailable } of answer.days) {
        const { closed, starts } = referenceDay(world.workshop, world.bookings, wish, date, world.now);
        const expected = starts.map(({ time, ...start }) => ({
          time: new Date(time).toISOString(),
          ...start,
        }));
        assert.deepEqual(
          slots,
          expected.filter(({ remaining }) => remaining !== undefined),
        );
        assert.deepEqual(
          unavailable,
          closed === null
            ? expected.filter(({ reason }) => reason !== undefined)
            : [{ time: null, localTime: null, reason: closed }],
        );
      }
    }),
    { numRuns },
  );
});
