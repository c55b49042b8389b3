/** The days, ISO weeks or months between two local dates, as instants. */
import { addDays, daysBetween, localDay } from '#base/values/local-day.ts';

export type PeriodName = 'day' | 'week' | 'month';

export interface Period {
  /** `2027-03-28`, `2027-W12`, `2027-03`. */
  readonly key: string;
  /** Its first instant within the dates. */
  readonly since: Date;
  /** The first instant after it. */
  readonly until: Date;
}

const keyOf: Readonly<Record<PeriodName, (date: string) => string>> = {
  day: (date) => date,
  week(date) {
    const { yearOfWeek = 0, weekOfYear = 0 } = Temporal.PlainDate.from(date);
    return `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`;
  },
  month: (date) => date.slice(0, 7),
};

/** `from` and `to` are local dates, both included; the first and the last week or month may be cut by them. */
export function periodsBetween(from: string, to: string, timezone: string, name: PeriodName): Period[] {
  const dates = Array.from({ length: daysBetween(from, to) + 1 }, (_, n) => addDays(from, n));
  const periods = Map.groupBy(dates, keyOf[name]);
  return [...periods].map(([key, [first = from, ...rest]]) => ({
    key,
    ...spanOf(first, rest.at(-1) ?? first, timezone),
  }));
}

export function spanOf(from: string, to: string, timezone: string): Omit<Period, 'key'> {
  return { since: new Date(localDay(from, timezone).start), until: new Date(localDay(to, timezone).end) };
}
