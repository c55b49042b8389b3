/** Checks that a workshop's days are not overbooked, and that stored days match the set-up. */

import { addDays, dateAt, type LocalDay, localDay } from '#base/values/local-day.ts';
import type { Database } from '#platform/db/database.ts';
import { type Block, listBlocks } from '#product/availability/blocks/store.ts';
import type { DayPlan } from '#product/availability/day.ts';
import { usageOfPlace } from '#product/availability/places/place.ts';
import type { KnownRules } from '#product/availability/places/rules.ts';
import { readUsage } from '#product/availability/store.ts';
import { type Usage, usageOf } from '#product/availability/usage.ts';
import type { HeldLimit } from '#product/availability/wish.ts';
import type { Finding } from './finding.ts';
import { deleteDay, lastPlace, type StoredDay, storedDays, wantedAnyway } from './store.ts';

const daysAtOnce = 28;
const limitsAtOnce = 10;

export interface CheckDays {
  readonly workshopId: string;
  readonly rules: KnownRules;
  readonly now: Date;
  readonly repair: boolean;
}

/**
 * Slots with more bookings than bays, when the workshop enforces slots, and days with more bookings than a limit allows. Staff
 * have to resolve these. Bookings that staff made against the rules do not count. When the workshop enforces nothing, its days over
 * their bays are notices: one a day, of its fullest slot.
 */
export async function* checkBooked(
  db: Database,
  { workshopId, rules, now }: CheckDays,
): AsyncGenerator<Finding> {
  const limits = allLimits(rules);
  const last = await lastPlace(db, workshopId);
  if (last === null || last < now) return;
  const { timezone } = rules.schedule;
  const blocks = await listBlocks(db, workshopId, now);
  const found = (kind: Finding['kind'], at: number, message: string): Finding => ({
    ...{ kind, workshopId, code: null, at: new Date(at), message, repaired: false },
  });
  for (
    let date = dateAt(now.getTime(), timezone);
    localDay(date, timezone).start <= last.getTime();
    date = addDays(date, daysAtOnce)
  ) {
    const days = Array.from({ length: daysAtOnce }, (_, n) => localDay(addDays(date, n), timezone));
    const use = async (some: readonly HeldLimit[]) =>
      readUsage(db, { workshopId, days, limits: some, limited: rules.limits.services });
    const rows = await use([]);
    if (rows.begins.length === 0) continue;
    const anyway = await readAnyway(db, { workshopId, rules, days });
    for (let n = 0; n < limits.length; n += limitsAtOnce) {
      const some = limits.slice(n, n + limitsAtOnce);
      const usage = usageOf(await use(some));
      for (const { date: each, start } of days) {
        for (const { key, limit, kind } of some) {
          const counted = usage.counted(each, key);
          const message = `${counted} bookings count for ${kind} ${key}, whose daily limit is ${limit}`;
          if (counted - limit > anyway.counted(each, key)) yield found('limit', start, message);
        }
      }
    }
    const usage = usageOf(rows);
    for (const { start, end } of days) {
      if (usage.overlapping(start, end) === 0) continue;
      const over = overfull(rules.dayOf(start), { usage, anyway }, blocks, now).map(
        ({ at, booked, bays }) => ({
          ...found('overbooked', at, `${booked} bookings where ${bays} bays are`),
          booked,
        }),
      );
      if (rules.enforced) yield* over.map(({ booked: _, ...each }) => each);
      else yield* fullest(over);
    }
  }
}

/** The notice of a day on which nothing is enforced. */
function fullest(over: readonly (Finding & { readonly booked: number })[]): Finding[] {
  const [most] = over.toSorted((one, other) => other.booked - one.booked);
  if (most === undefined) return [];
  const { booked: _, ...finding } = most;
  return [{ ...finding, message: `${finding.message}; nothing is enforced there`, isNotice: true }];
}

/** Reads the share of these days that bookings against the rules, made by staff, use. */
async function readAnyway(
  db: Database,
  {
    workshopId,
    rules,
    days,
  }: Pick<CheckDays, 'workshopId' | 'rules'> & { readonly days: readonly LocalDay[] },
): Promise<Usage> {
  const [from, until] = [new Date(days[0]?.start ?? 0), new Date(days.at(-1)?.end ?? 0)];
  const places = await wantedAnyway(db, { workshopId, from, until });
  const used = places.map((place) =>
    usageOfPlace(place, rules.dayOf(place.occupiedFrom.getTime()).day.date, rules.limits),
  );
  const sum = (of: (usage: Usage) => number) => used.reduce((total, usage) => total + of(usage), 0);
  return {
    overlapping: (start, end) => sum((usage) => usage.overlapping(start, end)),
    counted: (date, key) => sum((usage) => usage.counted(date, key)),
  };
}

function overfull(
  { slots, bays }: DayPlan,
  { usage, anyway }: { readonly usage: Usage; readonly anyway: Usage },
  blocks: readonly Block[],
  now: Date,
) {
  return slots.flatMap(({ start, end }) => {
    const blocked = blocks
      .filter(({ from, until }) => from.getTime() < end && until.getTime() > start)
      .reduce((sum, block) => sum + (block.bays ?? 1_000), 0);
    const booked = usage.overlapping(start, end) - blocked;
    const isFault = booked - bays > anyway.overlapping(start, end);
    return isFault && end > now.getTime() ? [{ at: start, booked, bays }] : [];
  });
}

function allLimits({ limits }: KnownRules): HeldLimit[] {
  const of = (kind: HeldLimit['kind'], known: ReadonlyMap<string, number>) =>
    [...known].map(([key, limit]) => ({ kind, key, limit }));
  return [...of('service', limits.services), ...of('category', limits.categories)];
}

/** Stored days that differ from the version of the set-up that they name. A repaired day is created again by the next booking. */
export async function* checkDays(
  db: Database,
  { workshopId, rules, now, repair }: CheckDays,
): AsyncGenerator<Finding> {
  for (const stored of await storedDays(db, { workshopId, version: rules.version, after: now })) {
    if (isDayOf(rules, stored)) continue;
    if (repair) await deleteDay(db, workshopId, stored.startsAt);
    const message = 'the stored day is not what the set-up says';
    yield { kind: 'day', workshopId, code: null, at: stored.startsAt, message, repaired: repair };
  }
}

function isDayOf({ schedule, dayOf }: KnownRules, stored: StoredDay): boolean {
  const { day, bays, slots } = dayOf(stored.startsAt.getTime());
  const said = [stored.startsAt, stored.endsAt, stored.bays, stored.slotMinutes, stored.slots];
  const right = [
    new Date(day.start),
    new Date(day.end),
    bays,
    schedule.slotMinutes,
    slots.map(({ start }) => new Date(start)),
  ];
  return JSON.stringify(said) === JSON.stringify(right);
}
