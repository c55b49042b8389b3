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

/** Of a reading of a month. */
export const daysOfMonthAtMost = 31;
/** How many months are searched for a free time. */
const monthsAtMost = 3;

export const hasTime = ({ slots }: PickerDay) => slots.length > 0;

/** Whether the time is free on the day. */
export const isFreeOn = (day: PickerDay | undefined, time: Date): boolean =>
  day?.slots.some((slot) => slot.time === time.toISOString()) ?? false;

/**
 * The days that can be booked of the month of a date; without one of the first month from today on that has a free time, three at
 * most. `read` gives the days from one date to another, both included.
 */
export async function readMonth<Day extends PickerDay>(
  asked: string | undefined,
  { today, lastDate }: Bookable,
  read: (from: string, to: string) => Promise<readonly Day[]>,
): Promise<readonly Day[]> {
  const daysOf = (date: string) => read(latest(firstOf(date), today), earliest(lastOf(date), lastDate));
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

/** The dates of the month of a date in weeks from Monday, from the week of today on; null: a day of another month. */
export function weeksOf(date: string, today: string): (string | null)[][] {
  const [first, last] = [firstOf(date), lastOf(date)];
  const monday = addDays(first, 1 - Temporal.PlainDate.from(first).dayOfWeek);
  const weeks: (string | null)[][] = [];
  for (let start = monday; start <= last; start = addDays(start, 7)) {
    if (addDays(start, 6) < today) continue;
    const week = Array.from({ length: 7 }, (_, n) => addDays(start, n));
    weeks.push(week.map((each) => (each < first || each > last ? null : each)));
  }
  return weeks;
}
