/**
 * The rules for places of a workshop: its schedule and limits, cached by the version of its set-up. Another process may have
 * changed them: a statement that writes with them compares the version, and a refusal is made only with fresh ones.
 */
import { LRUCache } from 'lru-cache';
import { dateAt } from '#base/values/local-day.ts';
import { type Weekday, weekdayOf } from '#base/values/weekday.ts';
import { type Database, homeOf, type Queryable } from '#platform/db/database.ts';
import { perDatabase } from '#platform/db/per-database.ts';
import { type DayPlan, planDay } from '../day.ts';
import type { Schedule } from '../schedule.ts';
import type { Limits } from '../wish.ts';
import { readRules } from './store.ts';

export interface Rules {
  /** `setup_version` of the workshop. */
  readonly version: number;
  /** Whether bookings must fit the slots. */
  readonly enforced: boolean;
  /** With all custom days. */
  readonly schedule: Schedule;
  readonly limits: Limits;
}

/** The rules with the plans of days that were computed from them. */
export interface KnownRules extends Rules {
  /** The day `date` (`YYYY-MM-DD`). */
  dayOn(date: string): DayPlan;
  /** The local day of an instant. */
  dayOf(instant: number): DayPlan;
}

/** Workshops, custom days and limits together. */
const sizeAtMost = 50_000;
/** Slots, breaks and removed slots of all days together: some 50 MB with the texts of their times. */
const daySizeAtMost = 200_000;
const sizeOf = ({ schedule, limits }: KnownRules) => 1 + schedule.custom.length + limits.services.size;
const cacheOf = perDatabase(
  () => new LRUCache<string, KnownRules>({ maxSize: sizeAtMost, sizeCalculation: sizeOf }),
);

const sizeOfDay = ({ slots, breaks, cut }: DayPlan) => 10 + slots.length + breaks.length + cut.length;
/** The plans of days, keyed by all that they are made of: workshops with the same hours share them. */
const dayPlansOf = perDatabase(
  () => new LRUCache<string, DayPlan>({ maxSize: daySizeAtMost, sizeCalculation: sizeOfDay }),
);

/** Null when there is no such workshop. */
export async function knownRules(db: Database, workshopId: string): Promise<KnownRules | null> {
  return cacheOf(db).get(workshopId) ?? refreshRules(db, workshopId);
}

/** Rules of this version or a later one: older cached ones are read again. Null when there is no such workshop. */
export async function rulesSince(
  db: Database,
  workshopId: string,
  version: number,
): Promise<KnownRules | null> {
  const known = cacheOf(db).get(workshopId);
  return known !== undefined && known.version >= version ? known : refreshRules(db, workshopId);
}

/** Reads them again, and caches them for `knownRules`. */
export async function refreshRules(db: Database, workshopId: string): Promise<KnownRules | null> {
  const rules = await freshRules(db, workshopId);
  if (rules !== null) cacheOf(db).set(workshopId, rules);
  return rules;
}

/** Reads them without caching. */
export async function freshRules(db: Queryable, workshopId: string): Promise<KnownRules | null> {
  const rules = await readRules(db, workshopId);
  return rules === null ? null : withDays(rules, dayPlansOf(homeOf(db)));
}

function withDays(rules: Rules, days: LRUCache<string, DayPlan>): KnownRules {
  const { schedule } = rules;
  const keyOf = keysOf(schedule);
  const dayOn = (date: string) => {
    const key = keyOf(date);
    let plan = days.get(key);
    if (plan === undefined) {
      plan = planDay(schedule, date);
      days.set(key, plan);
    }
    return plan;
  };
  return { ...rules, dayOn, dayOf: (instant) => dayOn(dateAt(instant, schedule.timezone)) };
}

/** Whether an instant lies on a day of the workshop before the present one. */
export const isPastDay = ({ dayOf }: Pick<KnownRules, 'dayOf'>, date: Date, now: Date): boolean =>
  date.getTime() < dayOf(now.getTime()).day.start;

/** A text for each date: two days with the same one have the same plan. */
function keysOf({ timezone, slotMinutes, bays, hours, pickupTimes, custom }: Schedule) {
  const usual = new Map<Weekday, string>();
  const unusual = new Map(custom.map((day) => [day.date, JSON.stringify(day)]));
  return (date: string): string => {
    const weekday = weekdayOf(date);
    let key = usual.get(weekday);
    if (key === undefined) {
      key = JSON.stringify([timezone, slotMinutes, bays, hours[weekday], pickupTimes[weekday]]);
      usual.set(weekday, key);
    }
    return `${date}${unusual.get(date) ?? ''}${key}`;
  };
}
