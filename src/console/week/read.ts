/** Seven days as the page of a week shows them: the load of each hour, what begins in it, and the limits that are used. */
import { clockTimeAt } from '#base/values/local-day.ts';
import type { Context } from '#platform/context.ts';
import { holds } from '#product/availability/day.ts';
import { limitsUsed, type UsedLimit } from '#product/availability/limits/used.ts';
import { rulesSince } from '#product/availability/places/rules.ts';
import {
  type DayBooking,
  type PlacedBooking,
  readPlaced,
  readShown,
} from '#product/bookings/staff/day/store.ts';
import { mostAtOnce } from '../days/at-once.ts';
import { type Day, type Entry, hourMs, layOut } from '../days/day.ts';
import { rowMs } from '../days/movable.ts';
import { type At, readDays } from '../days/read.ts';

export const weekDays = 7;

/** An hour of a day. */
export interface Cell {
  /** The hour that clocks show and how often they have shown it that day, `02-1` the second time: by it the hours of all days stand in rows. */
  readonly key: string;
  /** The instant at which it begins. */
  readonly at: number;
  /** The most bays that are in use or closed at once. */
  readonly used: number;
  /** Of these, the closed ones. */
  readonly closed: number;
  /** The workshop has hours in it, whether or not its bays are closed. */
  readonly isInHours: boolean;
  /** The first of those that begin in it, and how many more do. */
  readonly begin: readonly { readonly booking: DayBooking; readonly from: number }[];
  readonly more: number;
}

export interface WeekDay extends Day<PlacedBooking> {
  readonly cells: readonly Cell[];
  readonly limits: readonly UsedLimit[];
}

/** Of a busy week no more bookings are shown, but a few of each hour. */
const listedAtMost = 300;
const hourAtLeast = 3;

/** Of the week from a date (`YYYY-MM-DD`) on. Throws 404 000002 where there is no such workshop. */
export async function readWeek(context: Pick<Context, 'db' | 'clock'>, at: At, from: string) {
  const { db } = context;
  const { workshopId } = at;
  const [read, rules] = await Promise.all([
    readDays(context, at, { from, count: weekDays }, readPlaced),
    rulesSince(db, workshopId, at.setupVersion),
  ]);
  const days = layOut(context, at, read);
  const hours = days.map((day) => day.hours.map((hour) => beginIn(day, hour.at)));
  const atMost = shownInHour(hours.flat().map(({ length }) => length));
  const shown = hours.map((each) => each.map((begin) => begin.slice(0, atMost)));
  const ids = shown.flat(2).map(({ booking }) => booking.id);
  const [bookings, limits] = await Promise.all([
    readShown(db, workshopId, ids),
    rules &&
      limitsUsed(
        db,
        workshopId,
        rules,
        days.map(({ plan }) => plan.day),
      ),
  ]);
  const byId = new Map(bookings.map((booking) => [booking.id, booking]));
  return days.map((day, n): WeekDay => {
    const begin = (nth: number) =>
      (shown[n]?.[nth] ?? []).flatMap(({ booking: { id }, from: its }) => {
        const booking = byId.get(id);
        return booking === undefined ? [] : [{ booking, from: its }];
      });
    const more = (nth: number) => Math.max(0, (hours[n]?.[nth]?.length ?? 0) - atMost);
    const cells = cellsOf(day).map((cell, nth) => ({ ...cell, begin: begin(nth), more: more(nth) }));
    return { ...day, cells, limits: limits?.[n] ?? [] };
  });
}

type Begun = Entry<PlacedBooking> & { readonly booking: PlacedBooking };

/** What is drawn from this hour on: also what goes on since an earlier day, in the first. */
function beginIn({ entries, staying }: Day<PlacedBooking>, at: number): readonly Begun[] {
  const stays = new Set(staying);
  return entries.filter(
    (entry): entry is Begun =>
      entry.booking !== null && !stays.has(entry.booking) && entry.from >= at && entry.from < at + hourMs,
  );
}

/** How many bookings an hour shows, so that those of the week stay few enough to be read, and to be sent. */
export function shownInHour(counts: readonly number[]): number {
  let atMost = Math.max(hourAtLeast, ...counts);
  const total = () => counts.reduce((sum, count) => sum + Math.min(count, atMost), 0);
  while (atMost > hourAtLeast && total() > listedAtMost) atMost--;
  return atMost;
}

function cellsOf(day: Day<PlacedBooking>): Omit<Cell, 'begin' | 'more'>[] {
  const { hours, entries, plan } = day;
  const blocks = entries.filter(({ block }) => block !== null);
  const times = new Map<string, number>();
  return hours.map(({ at, used }) => {
    const hour = clockTimeAt(plan.day, at).slice(0, 2);
    const nth = times.get(hour) ?? 0;
    times.set(hour, nth + 1);
    const rows = Array.from({ length: hourMs / rowMs }, (_, row) => at + row * rowMs);
    return {
      ...{ key: `${hour}-${nth}`, at, used, closed: mostAtOnce(blocks, at, at + hourMs) },
      isInHours: rows.some((row) => plan.spans.some((span) => holds(span, row))),
    };
  });
}
