/** The days of a file, as people and programs write them. An ambiguous one is refused, never guessed. */
import { parseInstant } from '#base/values/instant.ts';

/** The order of day and month in dates such as 3/4/2026. */
export const dateOrders = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/**
 * `yearFirst` 2026-04-03, `yearLast` 3/4/2026, `short` 3/4/26, `named` 3 April 2026, `namedShort` 3-Apr-26.
 */
export type DayShape = 'yearFirst' | 'yearLast' | 'short' | 'named' | 'namedShort';

export interface TypedDay {
  readonly shape: DayShape;
  /** The numbers as they stand; of a named month day, month and year. */
  readonly parts: readonly [number, number, number];
  /** The text behind the day. */
  readonly rest: string | undefined;
}

const numeric = /^(\d{4}|\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{1,2})(?:(?:T|,? +|,)(.+))?$/i;
const weekday = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,? +)?`;
const ordinal = '(?:st|nd|rd|th)?';
const rest = '(?:(?:,? +|,)(?:at +)?(.+))?';
const dayFirst = new RegExp(
  String.raw`^${weekday}(\d{1,2})${ordinal}[-/. ] ?(?:of )?([a-z]{3,9})\.?,?[-/. ]? ?(\d{4}|\d\d)${rest}$`,
  'i',
);
const monthFirst = new RegExp(
  String.raw`^${weekday}([a-z]{3,9})\.?[- ] ?(\d{1,2})${ordinal},?[- ] ?(\d{4})${rest}$`,
  'i',
);

const monthNames = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
];
/** From 1; `sep`, `sept` and `september`. */
const monthOf = new Map(
  monthNames.flatMap((name, n) =>
    [name, name.slice(0, 3), ...(name === 'september' ? ['sept'] : [])].map((each): [string, number] => [
      each,
      n + 1,
    ]),
  ),
);

/** In characters: no day or time is longer, and the forms look more than once at a long run of spaces. */
export const whenAtMost = 100;

/** Null: it has no such form. */
export function typedDay(text: string): TypedDay | null {
  if (text.length > whenAtMost) return null;
  const [matched, a = '', b = '', c = '', behind] = numeric.exec(text) ?? [];
  if (matched !== undefined) {
    const shape = a.length === 4 ? 'yearFirst' : c.length === 4 ? 'yearLast' : 'short';
    if (shape === 'yearFirst' ? c.length > 2 : shape === 'short' && c.length !== 2) return null;
    return { shape, parts: [Number(a), Number(b), Number(c)], rest: behind };
  }
  const [, day, month, year, after] = dayFirst.exec(text) ?? [];
  const [, month2, day2, year2, after2] = day === undefined ? (monthFirst.exec(text) ?? []) : [];
  const name = monthOf.get((month ?? month2 ?? '').toLowerCase());
  if (name === undefined) return null;
  const ofYear = year ?? year2 ?? '';
  return {
    shape: ofYear.length === 4 ? 'named' : 'namedShort',
    parts: [Number(day ?? day2), name, Number(ofYear)],
    rest: after ?? after2,
  };
}

export interface Reading {
  /** Null: not chosen. */
  readonly order: DateOrder | null;
  /** Years of two digits are accepted. */
  readonly shortYears: boolean;
  /** Business time. */
  readonly now: Date;
}

const noDate = 'is no date: write 2026-04-03, or 3/4/2026 and say which is the day';
const twoDigits = 'is no date: write all four digits of the year';
const serial =
  'is the number that a spreadsheet has for a day: format the column as a date there, and save the file';

/** The message about a text that has no form of a day. */
export const noDayMessage = (text: string): string => (/^\d{5}(?:\.\d{1,20})?$/.test(text) ? serial : noDate);

/** The date `YYYY-MM-DD`, or why it is refused. */
export function isoOf({ shape, parts }: TypedDay, reading: Reading): string | { readonly message: string } {
  const [a, b, c] = parts;
  const isShort = shape === 'short' || shape === 'namedShort';
  if (isShort && !reading.shortYears) return { message: twoDigits };
  if (shape === 'yearFirst') return dated(a, b, c) ?? { message: noDate };
  const year = isShort ? fullYear(c, reading.now) : c;
  if (shape === 'named' || shape === 'namedShort') return dated(year, b, a) ?? { message: noDate };
  const { order } = reading;
  if (order !== null) {
    const wanted = order === 'dmy' ? 'day/month/year' : 'month/day/year';
    return inOrder(order, [a, b, year]) ?? { message: `is no date as ${wanted}` };
  }
  const [byDay, byMonth] = [inOrder('dmy', [a, b, year]), inOrder('mdy', [a, b, year])];
  if (byDay !== null && byMonth !== null && byDay !== byMonth)
    return { message: 'can be two dates: say whether the day or the month comes first' };
  return byDay ?? byMonth ?? { message: noDate };
}

/** Null: there is no such day. */
export function inOrder(order: DateOrder, [a, b, year]: readonly [number, number, number]): string | null {
  return order === 'dmy' ? dated(year, b, a) : dated(year, a, b);
}

/** Returns the year of two digits: of the years that end so, the last that is not over 20 years ahead. */
export function fullYear(digits: number, now: Date): number {
  const last = now.getUTCFullYear() + 20;
  return last - ((((last - digits) % 100) + 100) % 100);
}

/** Null: there is no such day between 1900 and 2199. */
export function dated(year: number, month: number, day: number): string | null {
  const date = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return parseInstant(`${date}T12:00:00Z`) === null ? null : date;
}
