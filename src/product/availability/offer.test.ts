/** Availability, compared with the slow reference: slots, remaining places, every reason, alternatives, what a booking occupies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clockTimeAt } from '#base/values/local-day.ts';
import { weekdays } from '#base/values/weekday.ts';
import {
  laterDate,
  type ReferenceDay,
  type ReferenceWorkshop,
  referenceDay,
} from '../../../test/fixtures/availability-reference.ts';
import { type AvailabilityWorld, availabilityWorlds } from '../../../test/fixtures/availability-worlds.ts';
import { occupiedBy, planDay } from './day.ts';
import {
  alternativesAfter,
  closedReason,
  limitAgainst,
  type Question,
  reasonAgainst,
  startsOf,
} from './offer.ts';
import type { Schedule } from './schedule.ts';
import { nothingUsed, usageOf } from './usage.ts';
import { countedItems, type Limits, limitsHeld, wishFor } from './wish.ts';

const numRuns = Number(process.env['AVAILABILITY_RUNS'] ?? 120);

function scheduleOf({ week, custom, ...workshop }: ReferenceWorkshop): Schedule {
  return {
    ...workshop,
    hours: Object.fromEntries(weekdays.map((weekday, n) => [weekday, week[n] ?? []])),
    pickupTimes: {},
    custom: custom.map((day) => ({ ...day, pickupTimes: null, note: null })),
  };
}

function limitsOf({ services, categoryLimits }: ReferenceWorkshop): Limits {
  return {
    services: new Map(
      services.flatMap(({ id, dailyLimit }) => (dailyLimit === null ? [] : [[id, dailyLimit]])),
    ),
    categories: new Map(Object.entries(categoryLimits)),
  };
}

function questionOf(world: AvailabilityWorld): Question {
  const { workshop, bookings, wish, now } = world;
  const limits = limitsOf(workshop);
  const schedule = scheduleOf(workshop);
  const booked = bookings.flatMap(({ from, services, category }) => {
    const held = limitsHeld(countedItems(services, category as 'service' | null), limits);
    return held.map(({ key }) => ({ date: planDateOf(from, schedule.timezone), key, bookings: 1 }));
  });
  const begins = bookings.map(({ from }) => [from, 1] as const);
  const usage = usageOf({ begins, ends: bookings.map(({ until }) => [until, 1]), booked });
  const services = workshop.services.filter(({ id }) => wish.services.includes(id));
  return { schedule, wish: wishFor(services, wish.category as 'service' | null, limits), usage, now };
}

const planDateOf = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);

function expectedDay({ workshop, bookings, wish, now }: AvailabilityWorld, date: string): ReferenceDay {
  return referenceDay(workshop, bookings, wish, date, now);
}

const threeDays = (date: string) => [0, 1, 2].map((n) => laterDate(date, n));

test('slots, their remaining places and every reason equal the reference (specification: Availability 2, 3 and 4)', () => {
  fc.assert(
    fc.property(availabilityWorlds, (world) => {
      const question = questionOf(world);
      for (const date of threeDays(world.date)) {
        const plan = planDay(question.schedule, date);
        const starts = plan.open ? startsOf(question, plan) : [];
        const shown = starts.map((start) => ({ localTime: clockTimeAt(plan.day, start.time), ...start }));
        const { closed, starts: expected } = expectedDay(world, date);
        assert.deepEqual(shown, expected);
        assert.equal(plan.open ? null : closedReason(plan), closed);
      }
    }),
    { numRuns },
  );
});

test('an instant can be booked exactly when it lies in an offered slot; alternatives are the next offered ones', () => {
  const worlds = fc.tuple(availabilityWorlds, fc.integer({ min: 0, max: 1_439 }));
  fc.assert(
    fc.property(worlds, ([world, minute]) => {
      const question = questionOf(world);
      const date = laterDate(world.date, 1);
      const plan = planDay(question.schedule, date);
      const instant = plan.day.start + minute * 60_000;
      if (instant >= plan.day.end) return;
      const { closed, starts, slots } = expectedDay(world, date);
      const slot = slots.findLast(({ start, end }) => start <= instant && instant < end);
      const start = starts.find(({ time }) => time === slot?.start);
      const reason = reasonAgainst(question, instant);
      if (slot !== undefined) assert.equal(reason, start?.reason ?? null);
      else if (closed !== null) assert.equal(reason, closed);
      else assert.ok(['closed', 'custom', 'break'].includes(String(reason)), String(reason));

      const minutes = question.wish.minutes;
      const occupied = occupiedBy(question.schedule, plan, instant, minutes);
      assert.equal(occupied.from, slot?.start ?? instant);
      assert.equal(occupied.until - occupied.from, Math.max(question.schedule.slotMinutes, minutes) * 60_000);

      const offered = Array.from({ length: 15 }, (_, n) => expectedDay(world, laterDate(date, n)))
        .flatMap((day) => day.starts)
        .filter(({ time, remaining }) => remaining && time > instant && time <= instant + 14 * 86_400_000);
      assert.deepEqual(
        alternativesAfter(question, instant),
        offered.slice(0, 3).map(({ time }) => time),
      );
    }),
    { numRuns: Math.ceil(numRuns / 3) },
  );
});

test('every reason occurs in the random worlds (specification: Availability 3)', () => {
  const seen = new Set<string>();
  for (const world of fc.sample(availabilityWorlds, { numRuns: 150, seed: 1 })) {
    for (const date of threeDays(world.date)) {
      const { closed, starts } = expectedDay(world, date);
      for (const reason of [closed, ...starts.map((start) => start.reason)]) if (reason) seen.add(reason);
    }
  }
  assert.deepEqual([...seen].sort(), [
    ...['break', 'categoryLimit', 'closed', 'custom', 'full', 'horizon', 'leadTime', 'past', 'serviceLimit'],
  ]);
});

test('a booking keeps what it counts for, even if the limit has been lowered below the number of bookings', () => {
  const [date, key] = ['2030-03-04', 'brakes'];
  const counting = (bookings: number) => usageOf({ ...nothingUsed, booked: [{ date, key, bookings }] });
  const wish = { minutes: 30, limits: [{ kind: 'service', key, limit: 1 } as const] };
  const of = { wish, usage: counting(3) };
  assert.equal(limitAgainst({ ...of, own: counting(1) }, date), null);
  assert.equal(limitAgainst(of, date), 'serviceLimit');
  assert.equal(limitAgainst({ ...of, own: counting(1) }, '2030-03-05'), null);
  const none = { ...of, wish: { ...wish, limits: [{ kind: 'category', key, limit: 0 } as const] } };
  assert.equal(limitAgainst(none, '2030-03-05'), 'categoryLimit');
});

test('pickup times are in order and each occurs once: two that daylight saving skips are one', () => {
  const sunday = ['03:30', '02:15', '03:00', '02:30'];
  const world = {
    timezone: 'Australia/Melbourne',
    slotMinutes: 30,
    bays: 1,
    leadTimeMinutes: 0,
    horizonDays: 365,
  };
  const plan = planDay({ ...world, hours: {}, pickupTimes: { sunday }, custom: [] }, '2027-10-03');
  assert.deepEqual(
    plan.pickupTimes.map((time) => clockTimeAt(plan.day, time)),
    ['03:00', '03:30'],
  );
});
