/** The month on a page with free times: reads its days, and lays them out in weeks. */
import { addDays } from '#base/values/local-day.ts';

/** A day of an availabilities answer. */
export interface PickerDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly open: boolean;
  readonly note: string | null;
  /** `time` is an instant as the API gives it. */
  readonly slots: readonly { readonly time: string }[];
}

/** The dates that can be booked, in the workshop's zone, both included. */
export interface Bookable {
  readonly today: string;
  readonly lastDate: string;
}

/** The most days of one reading of a month. */
export const daysOfMonthAtMost = 31;
/** How many months are searched for a free time. */
const monthsAtMost = 3;

export const hasTime = ({ slots }: PickerDay) => slots.length > 0;

/** Whether the time is free on the day. */
export const isFreeOn = (day: PickerDay | undefined, time: Date): boolean =>
  day?.slots.some((slot) => slot.time === time.toISOString()) ?? false;

/**
 * The days that can be booked of the month of a date (`lastShownOf`); without one of the first month from today on that has a free time, three at
 * most. `read` gives the days from one date to another, both included.
 */
export async function readMonth<Day extends PickerDay>(
  asked: string | undefined,
  { today, lastDate }: Bookable,
  read: (from: string, to: string) => Promise<readonly Day[]>,
): Promise<readonly Day[]> {
  const daysOf = (date: string) =>
    read(latest(firstOf(date), today), earliest(lastShownOf(date, today), lastDate));
  if (asked !== undefined) return daysOf(latest(earliest(asked, lastDate), today));
  const first = await daysOf(today);
  let [days, month] = [first, firstOf(today)];
  for (let n = 1; n < monthsAtMost && !days.some(hasTime); n++) {
    month = monthAfter(month);
    if (month > lastDate) break;
    days = await daysOf(month);
  }
  return days.some(hasTime) ? days : first;
}

/** Dates in this form sort by time. */
const latest = (one: string, other: string) => (one > other ? one : other);
const earliest = (one: string, other: string) => (one < other ? one : other);

/** The first day of the month of a date. */
export const firstOf = (date: string) => `${date.slice(0, 7)}-01`;
export const monthAfter = (date: string) => firstOf(addDays(firstOf(date), daysOfMonthAtMost));
export const monthBefore = (date: string) => firstOf(addDays(firstOf(date), -1));
const lastOf = (date: string) => addDays(monthAfter(date), -1);

const mondayOf = (date: string) => addDays(date, 1 - Temporal.PlainDate.from(date).dayOfWeek);

/** The weeks that are shown from that of today on, when it is among the last of its month. */
const weeksAtLeast = 4;

/** The last date that is shown with a month: its own, or where one or two weeks of it are left, that of four weeks. */
export function lastShownOf(date: string, today: string): string {
  const last = lastOf(date);
  const monday = mondayOf(today);
  const isNearlyOver = firstOf(date) === firstOf(today) && addDays(monday, 14) > last;
  return isNearlyOver ? addDays(monday, 7 * weeksAtLeast - 1) : last;
}

/**
 * The dates that are shown with the month of a date, in weeks from Monday, from the week of today on; null: a day before the month, or
 * after what is shown.
 */
export function weeksOf(date: string, today: string): (string | null)[][] {
  const [first, last] = [firstOf(date), lastShownOf(date, today)];
  const weeks: (string | null)[][] = [];
  for (let start = mondayOf(first); start <= last; start = addDays(start, 7)) {
    if (addDays(start, 6) < today) continue;
    const week = Array.from({ length: 7 }, (_, n) => addDays(start, n));
    weeks.push(week.map((each) => (each < first || each > last ? null : each)));
  }
  return weeks;
}
