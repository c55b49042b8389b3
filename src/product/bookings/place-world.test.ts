/**
 * Availability as a whole: in random worlds, every offered time can be booked, and every other time is refused for the reason
 * shown.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { weekdays } from '#base/values/weekday.ts';
import { Problem } from '#errors.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import {
  laterDate,
  type ReferenceBooking,
  referenceDay,
} from '../../../test/fixtures/availability-reference.ts';
import { type AvailabilityWorld, availabilityWorlds } from '../../../test/fixtures/availability-worlds.ts';
import { insertOccupied, occupantOf } from '../../../test/fixtures/occupied.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { createBooking } from './create.ts';
import type { CreateBookingBody } from './schema.ts';

const numRuns = Number(process.env['AVAILABILITY_RUNS'] ?? 12);
const minute = 60_000;

const app = await startTestApp();
const { db, clock } = app.context;
const partner = await signedInPartner(app);
const { partnerId } = partner;

async function build({ workshop, bookings }: AvailabilityWorld) {
  const workshopId = await linkedWorkshop(app, [partner], { timezone: workshop.timezone });
  const { slotMinutes, bays, leadTimeMinutes, horizonDays } = workshop;
  const { services } = await importWorkshop(
    { db, clock },
    JSON.stringify({
      workshopId,
      settings: { slotMinutes, bays, leadTimeMinutes, horizonDays, enforceAvailability: true },
      hours: Object.fromEntries(weekdays.map((weekday, n) => [weekday, workshop.week[n]])),
      custom: workshop.custom,
      categories: Object.entries(workshop.categoryLimits).map(([code, dailyLimit]) => ({ code, dailyLimit })),
      services: workshop.services.map(({ id, ...service }) => ({ ...service, catalogCode: id, title: id })),
    }),
    actors.operator,
  );
  const idOf = (code: string | null) => services.find(({ catalogCode }) => catalogCode === code)?._id ?? null;
  const rows = bookings.map((booking) => ({
    ...booking,
    services: booking.services.map(({ id, category }) => ({ id: idOf(id), category })),
  }));
  await insertOccupied(db, await occupantOf(partner, workshopId), rows);
  return workshopId;
}

/** `booked`, or the reason of the refusal. */
async function outcomeOf(
  workshopId: string,
  { wish, now }: AvailabilityWorld,
  instant: number,
): Promise<string> {
  const body = bookingBody(workshopId, {
    bookingTime: new Date(instant).toISOString(),
    services: wish.services.map((catalogCode) => ({ catalogCode })),
    ...(wish.category !== null && { serviceCategory: wish.category }),
    skipNotification: true,
  }) as unknown as CreateBookingBody;
  const context = { ...app.context, clock: { ...clock, now: () => new Date(now) } };
  try {
    await createBooking(context, {
      partnerId,
      body,
      phone: '+61491570006',
      claim: null,
      actor: actors.partner(partnerId, 'k', 'r'),
    });
    return 'booked';
  } catch (error) {
    if (!(error instanceof Problem) || error.errorCode !== '060003') throw error;
    return String(error.details?.['reason']);
  }
}

test('an offered time can be booked, and another time is refused for the reason shown (specification: Availability 7)', async () => {
  const seen = new Set<string>();
  const tries = fc.array(fc.tuple(fc.nat(2), fc.nat(1_439), fc.boolean()), { minLength: 5, maxLength: 8 });
  const property = fc.asyncProperty(availabilityWorlds, tries, async (world, wanted) => {
    const workshopId = await build(world);
    const { workshop, wish, now } = world;
    const bookings: ReferenceBooking[] = [...world.bookings];
    const services = workshop.services.filter(({ id }) => wish.services.includes(id));
    const minutes = services.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
    for (const [day, at, offeredOnly] of wanted) {
      const date = laterDate(world.date, day);
      const { starts, slots, closed } = referenceDay(workshop, bookings, wish, date, now);
      // A random instant of a slot; of an offered slot if there is one and `offeredOnly`.
      const offered = slots.filter(({ start }) =>
        starts.some(({ time, remaining }) => time === start && remaining),
      );
      const among = offeredOnly && offered.length > 0 ? offered : slots;
      const slot = among[at % Math.max(1, among.length)];
      if (slot === undefined) assert.ok(closed !== null || slots.length === 0);
      if (slot === undefined) continue;
      const instant = slot.start + (at % workshop.slotMinutes) * minute;
      // An instant in two slots, in an hour that daylight saving repeats, belongs to the later one.
      const held = slots.findLast(({ start, end }) => start <= instant && instant < end) ?? slot;
      const start = starts.find(({ time }) => time === held.start);
      if (instant < now) continue;
      const outcome = await outcomeOf(workshopId, world, instant);
      assert.equal(outcome, start?.reason ?? 'booked');
      seen.add(outcome);
      if (outcome !== 'booked') continue;
      const until = held.start + Math.max(workshop.slotMinutes, minutes) * minute;
      // The category follows from the services.
      bookings.push({ from: held.start, until, services, category: wish.category });
    }
  });
  // Few worlds may have no free time at all; each round makes up others.
  const { seed = Date.now() } = fc.readConfigureGlobal();
  for (let round = 0; round < 12 && !(seen.has('booked') && seen.size > 2); round++) {
    await fc.assert(property, { numRuns, seed: (seed + round) | 0 });
  }
  assert.ok(seen.has('booked') && seen.size > 2, [...seen].join());
});
