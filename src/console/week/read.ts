/** Reads the seven days of a week: the load of each hour, its bookings, and used limits. */
import { addDays, clockTimeAt } from '#base/values/local-day.ts';
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
import { type At, readDays, readOfDays } from '../days/read.ts';
import type { VisitReads } from '../frame/old-reads.ts';

export const weekDays = 7;

/** The last date of the week that starts with `from`. */
export const lastOfWeek = (from: string): string => addDays(from, weekDays - 1);

/** An hour of a day. */
export interface Cell {
  /**
   * The clock's hour, and how often it has occurred before on that day (`02-1` the second time): the key by which hours of all
   * days share a row.
   */
  readonly key: string;
  /** The instant of its start. */
  readonly at: number;
  /** The most bays that are in use or closed at once. */
  readonly used: number;
  /** The closed ones of these. */
  readonly closed: number;
  /** It is within opening hours, whether or not bays are closed. */
  readonly isInHours: boolean;
  /** The first bookings that begin in it, and the number of further ones. */
  readonly begin: readonly { readonly booking: DayBooking; readonly from: number }[];
  readonly more: number;
}

export interface WeekDay extends Day<PlacedBooking> {
  readonly cells: readonly Cell[];
  readonly limits: readonly UsedLimit[];
}

/** The most bookings on the page; a busier week shows a few of each hour. */
const listedAtMost = 300;
const hourAtLeast = 3;

/** Reads the week that starts with a date (`YYYY-MM-DD`). Throws 404 000002 for an unknown workshop. */
export async function readWeek(source: VisitReads, at: At, from: string) {
  const { db } = source;
  const { workshopId } = at;
  const [read, rules] = await Promise.all([
    readDays(source, at, { from, count: weekDays }, readPlaced),
    rulesSince(db, workshopId, at.setupVersion),
  ]);
  const days = layOut(source, at, read);
  const hours = days.map((day) => day.hours.map((hour) => beginIn(day, hour.at)));
  const atMost = shownInHour(hours.flat().map(({ length }) => length));
  const shown = hours.map((each) => each.map((begin) => begin.slice(0, atMost)));
  const ids = shown.flat(2).map(({ booking }) => booking.id);
  const [bookings, limits] = await Promise.all([
    readOfDays(source, at, lastOfWeek(from), (of) => readShown(of, workshopId, ids)),
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

/** Bookings drawn in this hour: those that begin in it and, in the first hour, those from an earlier day. */
function beginIn({ entries, staying }: Day<PlacedBooking>, at: number): readonly Begun[] {
  const stays = new Set(staying);
  return entries.filter(
    (entry): entry is Begun =>
      entry.booking !== null && !stays.has(entry.booking) && entry.from >= at && entry.from < at + hourMs,
  );
}

/** The number of bookings listed in an hour, which keeps the page readable and small. */
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
