/** The days, ISO weeks or months between two local dates, as instants. */
import { addDays, daysBetween, localDay } from '#base/values/local-day.ts';

export type PeriodName = 'day' | 'week' | 'month';

/** Local dates, both included. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

export interface Period {
  /** `2027-03-28`, `2027-W12`, `2027-03`. */
  readonly key: string;
  readonly dates: Dates;
  /** The first instant within the dates. */
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

/** `from` and `to` are local dates, both included; the first and the last week or month may be cut off by them. */
export function periodsBetween(from: string, to: string, timezone: string, name: PeriodName): Period[] {
  const dates = Array.from({ length: daysBetween(from, to) + 1 }, (_, n) => addDays(from, n));
  const periods = Map.groupBy(dates, keyOf[name]);
  return [...periods].map(([key, [first = from, ...rest]]) => {
    const last = rest.at(-1) ?? first;
    return { key, dates: { from: first, to: last }, ...spanOf(first, last, timezone) };
  });
}

export function spanOf(from: string, to: string, timezone: string): Pick<Period, 'since' | 'until'> {
  return { since: new Date(localDay(from, timezone).start), until: new Date(localDay(to, timezone).end) };
}

/** The dates before these: as many whole months if these are whole months, else as many days. */
export function datesBefore({ from, to }: Dates): Dates {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const end = first.subtract({ days: 1 });
  if (first.day !== 1 || last.day !== last.daysInMonth)
    return { from: addDays(from, -daysBetween(from, to) - 1), to: end.toString() };
  const months = (last.year - first.year) * 12 + last.month - first.month + 1;
  return { from: first.subtract({ months }).toString(), to: end.toString() };
}
