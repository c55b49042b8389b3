/** The data of a day's page: the hours, their bookings and closed bays, and what needs attention. */
import type { Context } from '#platform/context.ts';
import type { Block } from '#product/availability/blocks/store.ts';
import type { DayPlan } from '#product/availability/day.ts';
import type { DayBooking, PlacedBooking } from '#product/bookings/staff/day/store.ts';
import { mostAtOnce } from './at-once.ts';
import { type At, type ReadDay, todayAt } from './read.ts';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** An expected customer counts as late after this time. */
export const lateAfterMs = 10 * minuteMs;

/** Shorter entries are drawn and counted as this long. */
const shortestMs = 30 * minuteMs;

export interface Entry<Booking extends PlacedBooking = DayBooking> {
  readonly from: number;
  readonly until: number;
  /** How many bays it keeps. */
  readonly weight: number;
  readonly booking: Booking | null;
  readonly block: Block | null;
}

export interface Hour {
  /** The instant at which it begins. */
  readonly at: number;
  /** Bays that are in use, or closed, at its busiest moment. */
  readonly used: number;
}

export interface Day<Booking extends PlacedBooking = DayBooking> extends ReadDay<Booking> {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The business clock's. */
  readonly today: string;
  readonly timezone: string;
  /** The drawn range: the opening hours and all entries outside them, rounded to whole hours. */
  readonly from: number;
  readonly until: number;
  readonly hours: readonly Hour[];
  /** Bookings and closed bays by their beginning. */
  readonly entries: readonly Entry<Booking>[];
  /** Bookings of earlier days whose cars stay while the workshop is closed: they are not drawn. */
  readonly staying: readonly Booking[];
  readonly cancelled: readonly Booking[];
  readonly now: Date;
}

/** The path of the day's page, which is that of today without its date. */
export const dayPath = (base: string, { date, today }: Pick<Day, 'date' | 'today'>): string =>
  `${base}/today${date === today ? '' : `?date=${date}`}`;

/** Lays out days that were read for the workshop. */
export function layOut<Booking extends PlacedBooking>(
  { clock }: Pick<Context, 'clock'>,
  at: At,
  days: readonly ReadDay<Booking>[],
): readonly Day<Booking>[] {
  const [now, today] = [clock.now(), todayAt({ clock }, at)];
  return days.map((day) => ({ ...laidOut(day), today, timezone: at.timezone, now }));
}

function laidOut<Booking extends PlacedBooking>(read: ReadDay<Booking>) {
  const { plan, blocks, bookings } = read;
  const { day } = plan;
  const on = bookings.filter(({ status }) => status !== 'cancelled');
  const kept = [...on.map(entryOf), ...blocks.map((block) => blockEntry<Booking>(block, plan))];
  const entries = kept
    .filter((entry) => !isOverBy(entry, plan))
    .map((entry) => withinDay(entry, plan))
    .toSorted((one, other) => one.from - other.from || other.until - one.until);
  const stays = ({ date }: Booking) => !plan.open && date.getTime() < day.start;
  const bounds = boundsOf(
    plan,
    entries.filter(({ booking }) => booking !== null && !stays(booking)),
  );
  const keeping = kept.filter(({ weight }) => weight > 0);
  return {
    ...{ ...read, ...bounds, date: day.date, entries },
    hours: hoursOf(bounds).map((at) => ({ at, used: mostAtOnce(keeping, at, at + hourMs) })),
    staying: on.filter(stays),
    cancelled: bookings.filter(({ status }) => status === 'cancelled'),
  };
}

/** Expected, and not here ten minutes after the booked time. */
export function isLate({ status, attendance, date }: PlacedBooking, now: Date): boolean {
  const isOn = status === 'pending' || status === 'confirmed';
  return isOn && attendance === 'expected' && date.getTime() + lateAfterMs < now.getTime();
}

/** It began on an earlier day, and ends before this one opens. */
const isOverBy = <Booking extends PlacedBooking>(
  { from, until }: Entry<Booking>,
  { open, opensAt, day }: DayPlan,
) => from < day.start && open && until <= opensAt;

/** An entry that began on an earlier day is drawn from the opening; one that continues on the next day to the close. */
function withinDay<Booking extends PlacedBooking>(entry: Entry<Booking>, plan: DayPlan): Entry<Booking> {
  const { day } = plan;
  const opens = plan.open ? plan.opensAt : day.start;
  const closes = plan.open ? plan.closesAt : day.end;
  const from = entry.from < day.start ? opens : entry.from;
  const until = entry.until > day.end ? closes : entry.until;
  return { ...entry, from, until: lasting(from, until) };
}

/** When what begins at `from` ends, if it takes `shortestMs` at least. */
const lasting = (from: number, until: number) => Math.max(until, from + shortestMs);

/** The time that a booking keeps on its day. */
export function entryOf<Booking extends PlacedBooking>(booking: Booking): Entry<Booking> {
  const { date, minutes, occupiedUntil } = booking;
  const from = date.getTime();
  const until = minutes === null ? (occupiedUntil?.getTime() ?? from) : from + minutes * minuteMs;
  // Also a booking that was written for a past time, which was not checked.
  const weight = booking.attendance === 'didNotCome' ? 0 : 1;
  return { from, until: lasting(from, until), weight, booking, block: null };
}

function blockEntry<Booking extends PlacedBooking>(block: Block, plan: DayPlan): Entry<Booking> {
  const weight = block.bays ?? plan.bays;
  return { from: block.from.getTime(), until: block.until.getTime(), weight, booking: null, block };
}

/** Whole hours around the opening hours and bookings; a day without either is drawn from its opening on, which is nothing. */
function boundsOf<Booking extends PlacedBooking>(plan: DayPlan, drawn: readonly Entry<Booking>[]) {
  const { day } = plan;
  const froms = [...(plan.open ? [plan.opensAt] : []), ...drawn.map(({ from }) => from)];
  const untils = [...(plan.open ? [plan.closesAt] : []), ...drawn.map(({ until }) => until)];
  if (froms.length === 0) return { from: day.start, until: day.start };
  const wholeHours = (ms: number) => Math.floor(ms / hourMs) * hourMs;
  const from = day.start + wholeHours(Math.min(...froms) - day.start);
  const until = day.start - wholeHours(day.start - Math.max(...untils));
  return { from, until: Math.min(Math.max(until, from + hourMs), day.end) };
}

function hoursOf({ from, until }: { readonly from: number; readonly until: number }): number[] {
  return Array.from({ length: Math.ceil((until - from) / hourMs) }, (_, n) => from + n * hourMs);
}
