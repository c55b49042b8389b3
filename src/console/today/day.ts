/** A day as the page shows it: the hours, what lies in them, and what deserves a look. */
import { dateAt, localDay } from '#base/values/local-day.ts';
import type { Context } from '#platform/context.ts';
import type { Block } from '#product/availability/blocks/store.ts';
import { listBlocks } from '#product/availability/blocks/store.ts';
import type { DayPlan } from '#product/availability/day.ts';
import { rulesSince } from '#product/availability/places/rules.ts';
import { type DayBooking, readDay } from '#product/bookings/staff/day/store.ts';
import type { Membership } from '#product/people/sessions/store.ts';
import { type Laid, lanesOf, mostAtOnce } from './lanes.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Somebody who is expected counts as late after it. */
export const lateAfterMs = 10 * minuteMs;

/** What takes less time is drawn as this long. */
const shortestMs = 30 * minuteMs;

export interface Entry {
  readonly from: number;
  readonly until: number;
  /** How many bays it keeps. */
  readonly weight: number;
  readonly booking: DayBooking | null;
  readonly block: Block | null;
}

export interface Hour {
  /** The instant at which it begins. */
  readonly at: number;
  /** Bays that are in use at its busiest moment. */
  readonly used: number;
}

export interface Day {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The business clock's. */
  readonly today: string;
  readonly timezone: string;
  readonly plan: DayPlan;
  /** What the page draws: the opening hours, and all that lies outside of them, from a whole hour to a whole hour. */
  readonly from: number;
  readonly until: number;
  readonly hours: readonly Hour[];
  readonly laid: readonly Laid<Entry>[];
  readonly lanes: number;
  readonly cancelled: readonly DayBooking[];
  readonly blocks: readonly Block[];
  readonly now: Date;
}

/** The day `date` (`YYYY-MM-DD`), else today. Null where there is no such workshop. */
export async function dayOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workshopId, timezone, setupVersion }: Pick<Membership, 'workshopId' | 'timezone' | 'setupVersion'>,
  date: string | undefined,
): Promise<Day | null> {
  const now = clock.now();
  const today = dateAt(now.getTime(), timezone);
  const shown = date ?? today;
  const { start, end } = localDay(shown, timezone);
  const [rules, bookings, blocks] = await Promise.all([
    rulesSince(db, workshopId, setupVersion),
    readDay(db, workshopId, { start, end }),
    listBlocks(db, workshopId, new Date(start)),
  ]);
  if (rules === null) return null;
  const plan = rules.dayOn(shown);
  const inDay = blocks.filter(({ from }) => from.getTime() < end);
  const on = bookings.filter(({ status }) => status !== 'cancelled');
  const entries = [...on.map(entryOf), ...inDay.map((block) => blockEntry(block, plan))].map((entry) =>
    withinDay(entry, plan, { start, end }),
  );
  const { laid, lanes } = lanesOf(entries);
  const bounds = boundsOf(plan, entries, { start, end });
  const keeping = entries.filter(({ weight }) => weight > 0);
  return {
    ...{ date: shown, today, timezone, plan, laid, lanes, blocks: inDay, now },
    ...bounds,
    hours: hoursOf(bounds).map((at) => ({ at, used: mostAtOnce(keeping, at, at + hourMs) })),
    cancelled: bookings.filter(({ status }) => status === 'cancelled'),
  };
}

/** Expected, and not here ten minutes after its time. */
export function isLate({ status, attendance, date }: DayBooking, now: Date): boolean {
  const isOn = status === 'pending' || status === 'confirmed';
  return isOn && attendance === 'expected' && date.getTime() + lateAfterMs < now.getTime();
}

/** What began on an earlier day, or goes on on the next, is drawn from the opening, or to the close. */
function withinDay(
  entry: Entry,
  plan: DayPlan,
  day: { readonly start: number; readonly end: number },
): Entry {
  const opens = plan.open ? plan.opensAt : day.start;
  const closes = plan.open ? plan.closesAt : day.end;
  const from = entry.from < day.start ? opens : entry.from;
  const until = entry.until > day.end ? closes : entry.until;
  return { ...entry, from, until: Math.max(until, from + shortestMs) };
}

function entryOf(booking: DayBooking): Entry {
  const { date, minutes, occupiedUntil } = booking;
  const from = date.getTime();
  const until = minutes === null ? (occupiedUntil?.getTime() ?? from) : from + minutes * minuteMs;
  // Also one that was written for a time that is past, and was held to none.
  return { from, until, weight: booking.attendance === 'didNotCome' ? 0 : 1, booking, block: null };
}

function blockEntry(block: Block, plan: DayPlan): Entry {
  const weight = block.bays ?? plan.bays;
  return { from: block.from.getTime(), until: block.until.getTime(), weight, booking: null, block };
}

/** Whole hours around the opening hours and bookings; a day without either is drawn from its opening on, which is nothing. */
function boundsOf(
  plan: DayPlan,
  entries: readonly Entry[],
  day: { readonly start: number; readonly end: number },
) {
  const drawn = entries.filter(({ booking }) => booking !== null);
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
