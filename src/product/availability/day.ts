/** One local day of a schedule in instants (milliseconds): its slots, its breaks, and the slots that a custom day removes. */
import { addDays, dateAt, instantOf, type LocalDay, localDay } from '#base/values/local-day.ts';
import { weekdayOf } from '#base/values/weekday.ts';
import type { CustomDay, Schedule, TimeRange } from './schedule.ts';

const minuteMs = 60_000;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface DayPlan {
  readonly day: LocalDay;
  readonly open: boolean;
  /** The first `from` and the last `to` of the hours, `HH:MM`; null when closed. */
  readonly openingTime: string | null;
  readonly closingTime: string | null;
  readonly note: string | null;
  readonly isCustom: boolean;
  readonly bays: number;
  /** The hours of the day as set. */
  readonly spans: readonly Span[];
  /** In order of start, all of one length. */
  readonly slots: readonly Span[];
  /** The start and end of the day's work; both are its first instant when closed. */
  readonly opensAt: number;
  readonly closesAt: number;
  /** Slot starts between the hours. */
  readonly breaks: readonly number[];
  /** Slot starts of the weekday outside the hours of the custom day. */
  readonly cut: readonly number[];
  readonly pickupTimes: readonly number[];
}

/** Computes the plan of the day `date` (`YYYY-MM-DD`). */
export function planDay(schedule: Schedule, date: string): DayPlan {
  const day = localDay(date, schedule.timezone);
  const slotMs = schedule.slotMinutes * minuteMs;
  const weekday = weekdayOf(date);
  const weekly = schedule.hours[weekday] ?? [];
  const custom = schedule.custom.find((each) => each.date === date);
  const hours = custom?.hours ?? weekly;
  const spans = hours.map((range) => spanOf(day, range));

  const cut =
    custom === undefined
      ? []
      : weekly
          .flatMap((range) => starts(spanOf(day, range), slotMs))
          .filter((start) => !spans.some((span) => holds(span, start)));
  const taken = new Set(cut);
  return {
    day,
    open: hours.length > 0,
    openingTime: hours[0]?.from ?? null,
    closingTime: hours.at(-1)?.to ?? null,
    note: custom?.note ?? null,
    isCustom: custom !== undefined,
    bays: custom?.bays ?? schedule.bays,
    spans,
    slots: inOrder(spans.flatMap((span) => starts(span, slotMs))).map((start) => ({
      start,
      end: start + slotMs,
    })),
    opensAt: spans[0]?.start ?? day.start,
    closesAt: spans.at(-1)?.end ?? day.start,
    breaks: inOrder(breaksOf(spans, slotMs)).filter((start) => !taken.has(start)),
    cut: inOrder(cut),
    pickupTimes: inOrder(
      pickupTimesOf(schedule.pickupTimes[weekday] ?? [], custom).map((time) => instantOf(day, time, 'from')),
    ),
  };
}

/** The slot that contains an instant; undefined when the day has none. */
export function slotAt({ slots }: DayPlan, instant: number): Span | undefined {
  return slots.findLast((slot) => holds(slot, instant));
}

export interface Occupied {
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
}

/** How long a booking occupies a bay when its services take `minutes` together. */
export function lengthOf(schedule: Pick<Schedule, 'slotMinutes'>, minutes: number): number {
  return Math.max(schedule.slotMinutes, minutes) * minuteMs;
}

/**
 * Returns the place that a booking at an instant of the day occupies, when its services take `minutes` together: from the start of the slot that
 * contains the instant, else from the instant.
 */
export function occupiedBy(schedule: Schedule, plan: DayPlan, instant: number, minutes: number): Occupied {
  return occupiedFrom(schedule, slotAt(plan, instant)?.start ?? instant, minutes);
}

/** The same from a known start. */
export function occupiedFrom(schedule: Schedule, from: number, minutes: number): Occupied {
  return { from, until: from + lengthOf(schedule, minutes) };
}

/** The last date that can be booked. */
export function lastDate(schedule: Schedule, now: number): string {
  return addDays(dateAt(now, schedule.timezone), schedule.horizonDays);
}

export const holds = ({ start, end }: Span, instant: number): boolean => start <= instant && instant < end;

function spanOf(day: LocalDay, { from, to }: TimeRange): Span {
  return { start: instantOf(day, from, 'from'), end: instantOf(day, to, 'to') };
}

/** The last slot ends within the span. */
function starts({ start, end }: Span, slotMs: number): number[] {
  const count = Math.max(0, Math.floor((end - start) / slotMs));
  return Array.from({ length: count }, (_, n) => start + n * slotMs);
}

/** The last slot of a break may reach into the hours after it. */
function breaksOf(spans: readonly Span[], slotMs: number): number[] {
  return spans.slice(1).flatMap((next, n) => {
    const start = spans[n]?.end ?? next.start;
    const count = Math.max(0, Math.ceil((next.start - start) / slotMs));
    return Array.from({ length: count }, (_, each) => start + each * slotMs);
  });
}

/** A custom day without its own pickup times has those of its weekday from its first `from` to its last `to`. */
function pickupTimesOf(weekly: readonly string[], custom: CustomDay | undefined): string[] {
  const times = custom?.pickupTimes ?? weekly;
  if (custom === undefined || custom.pickupTimes !== null) return [...times];
  const [opening, closing] = [custom.hours[0]?.from ?? '', custom.hours.at(-1)?.to ?? ''];
  return times.filter((time) => opening <= time && time <= closing);
}

/**
 * Sorted, each once: in an hour that daylight saving repeats, a range may begin before the previous one has ended; instants of a
 * skipped hour coincide.
 */
const inOrder = (instants: readonly number[]) => [...new Set(instants)].toSorted((a, b) => a - b);
