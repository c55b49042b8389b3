/** The times of a day that can be booked, and why the others cannot (specification: Availability 2 and 3). The database counts again when a place is taken: `hold_places.sql`. */
import { addDays, dateAt } from '#base/values/local-day.ts';
import type { Reason } from '#base/values/unavailable.ts';
import { type DayPlan, holds, lastDate, lengthOf, type Occupied, planDay, type Span, slotAt } from './day.ts';
import type { Schedule } from './schedule.ts';
import type { Usage } from './usage.ts';
import type { HeldLimit, Wish } from './wish.ts';

/** The request: the wish, the schedule, and the instant of the business clock (milliseconds). */
export interface Question {
  readonly schedule: Schedule;
  /** The days of the schedule by date, where they are known; absent: each is planned when it is asked for. */
  readonly dayOn?: (date: string) => DayPlan;
  readonly wish: Wish;
  readonly usage: Usage;
  /** The usage of the booking to be changed. It is not counted, and what it already has is not refused. */
  readonly own?: Usage;
  readonly now: number;
}

function planOf({ schedule, dayOn }: Question, date: string): DayPlan {
  return dayOn === undefined ? planDay(schedule, date) : dayOn(date);
}

/** A slot start: how many more bookings fit, or why none fits. */
export type Start =
  | { readonly time: number; readonly remaining: number }
  | { readonly time: number; readonly reason: Reason };

/** Every slot start of an open day, in order, with breaks and the slots that a custom day removes. */
export function startsOf(question: Question, plan: DayPlan): Start[] {
  const length = lengthOf(question.schedule, question.wish.minutes);
  const judge = judgeOf(question, plan);
  return [
    ...plan.cut.map((time) => ({ time, reason: 'custom' as const })),
    ...plan.breaks.map(
      (time) => ({ time, reason: finishes(plan, time, length) ? 'break' : 'closed' }) as const,
    ),
    ...plan.slots.map((_, index) => judge(index)),
  ].sort((a, b) => a.time - b.time);
}

/** Why an instant cannot be booked; null when it lies in an offered slot. `schedule` and `usage` must include its day. */
export function reasonAgainst(question: Question, instant: number): Reason | null {
  const { schedule, wish } = question;
  const plan = planOf(question, dateAt(instant, schedule.timezone));
  if (!plan.open) return closedReason(plan);
  const slot = slotAt(plan, instant);
  if (slot !== undefined) {
    const start = judgeOf(question, plan)(plan.slots.indexOf(slot));
    return 'reason' in start ? start.reason : null;
  }
  const slotMs = lengthOf(schedule, 0);
  if (plan.cut.some((start) => holds({ start, end: start + slotMs }, instant))) return 'custom';
  const isBetween = instant >= plan.opensAt && instant < plan.closesAt;
  return isBetween && finishes(plan, instant, lengthOf(schedule, wish.minutes)) ? 'break' : 'closed';
}

/** The first limit that is used up on a day; null when none is. Limits apply even when slots are not enforced. */
export function limitAgainst(
  question: Pick<Question, 'wish' | 'usage' | 'own'>,
  date: string,
): 'serviceLimit' | 'categoryLimit' | null {
  const full = question.wish.limits.find((limit) => limitLeft(question, date, limit) <= 0);
  return full === undefined ? null : `${full.kind}Limit`;
}

/** Why a booking cannot keep its start and last until a later instant; null when it can. */
export function reasonAgainstLonger(question: Question, { from, until }: Occupied): Reason | null {
  const { schedule } = question;
  const plan = planOf(question, dateAt(from, schedule.timezone));
  if (until > plan.closesAt) return plan.open ? 'closed' : closedReason(plan);
  return reasonTaken(question, { from, until });
}

/** Whether others occupy what a booking wants, ignoring hours and notice period; null when it is free. */
export function reasonTaken(question: Question, { from, until }: Occupied): Reason | null {
  const { schedule } = question;
  const plan = planOf(question, dateAt(from, schedule.timezone));
  const limited = limitAgainst(question, plan.day.date);
  if (limited !== null) return limited;
  const taken = plan.slots.some(
    (slot) => slot.start < until && slot.end > from && baysLeft(question, plan, slot) <= 0,
  );
  return taken ? 'full' : null;
}

/** How far ahead alternatives are searched. */
export const alternativeDays = 14;
const alternativesAtMost = 3;

/**
 * Up to three slot starts after an instant, within 14 days of it. `schedule` and `usage` must include the 15 local days from its
 * own.
 */
export function alternativesAfter(question: Question, instant: number): number[] {
  const { schedule } = question;
  const until = instant + alternativeDays * 24 * 60 * 60_000;
  const first = dateAt(instant, schedule.timezone);
  const found: number[] = [];
  for (let n = 0; n <= alternativeDays && found.length < alternativesAtMost; n++) {
    const plan = planOf(question, addDays(first, n));
    for (const start of plan.open ? startsOf(question, plan) : []) {
      if ('remaining' in start && start.time > instant && start.time <= until) found.push(start.time);
    }
  }
  return found.slice(0, alternativesAtMost);
}

/** The reason for a day without hours. */
export function closedReason({ isCustom }: DayPlan): 'custom' | 'closed' {
  return isCustom ? 'custom' : 'closed';
}

function finishes({ closesAt }: DayPlan, start: number, length: number): boolean {
  return start + length <= closesAt;
}

/** How many more bookings a slot has room for; at least one for a booking that is in it already. */
function baysLeft({ usage, own }: Question, { bays }: DayPlan, { start, end }: Span): number {
  const had = own?.overlapping(start, end) ?? 0;
  return Math.max(bays - usage.overlapping(start, end) + had, Math.min(had, 1));
}

/** How many more bookings a limit allows on a day; at least one for a booking that counts under it already. */
function limitLeft(
  { usage, own }: Pick<Question, 'usage' | 'own'>,
  date: string,
  { key, limit }: HeldLimit,
): number {
  const had = own?.counted(date, key) ?? 0;
  return Math.max(limit - usage.counted(date, key) + had, Math.min(had, 1));
}

/** A function that judges the slot at an index of the day; facts of the whole day are computed once. */
function judgeOf(question: Question, plan: DayPlan): (index: number) => Start {
  const { schedule, wish, now } = question;
  const { slots } = plan;
  const { date } = plan.day;
  const length = lengthOf(schedule, wish.minutes);
  const earliest = now + schedule.leadTimeMinutes * 60_000;
  const isBeyond = date > lastDate(schedule, now);
  const limited = limitAgainst(question, date);
  const leastLimit = Math.min(...wish.limits.map((limit) => limitLeft(question, date, limit)));
  const left = slots.map((slot) => baysLeft(question, plan, slot));
  const overlaps = ({ start, end }: Span, time: number) => start < time + length && end > time;

  function leastFrom(index: number, time: number): number {
    // Slots overlap only when daylight saving repeats the hour in which a range ends.
    let first = index;
    while (first > 0 && overlaps(slots[first - 1] as Span, time)) first--;
    let least = leastLimit;
    for (let n = first; n < slots.length && overlaps(slots[n] as Span, time); n++) {
      least = Math.min(least, left[n] as number);
    }
    return least;
  }

  return (index) => {
    const time = (slots[index] as Span).start;
    if (!finishes(plan, time, length)) return { time, reason: 'closed' };
    if (time < now) return { time, reason: 'past' };
    if (time < earliest) return { time, reason: 'leadTime' };
    if (isBeyond) return { time, reason: 'horizon' };
    if (limited !== null) return { time, reason: limited };
    const remaining = leastFrom(index, time);
    return remaining > 0 ? { time, remaining } : { time, reason: 'full' };
  };
}
