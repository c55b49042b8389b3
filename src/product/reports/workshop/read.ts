/** The report of a workshop: bookings, quotes and SMS in each period between two local dates, compared with the dates before. */
import type { Context } from '#platform/context.ts';
import { readOld, tenSeconds } from '#platform/db/replica/read-old.ts';
import type { HeardKind, KindName } from '#product/sending/kinds.ts';
import { type Dates, datesBefore, type PeriodName, periodsBetween, spanOf } from '../periods.ts';
import {
  added,
  type BookingCount,
  bookingCounts,
  type QuoteCount,
  quoteCounts,
  type Sums,
  sumsBy,
  type TextCount,
  textCounts,
} from './counts.ts';
import { type CountedRow, countWorkshop, namesOfPartners } from './store.ts';

/** All counts of one span of time. */
export interface Numbers {
  readonly bookings: Sums<BookingCount>;
  readonly quotes: Sums<QuoteCount>;
  readonly texts: Sums<TextCount>;
}

/** A group of bookings or texts, in these dates and in the previous ones. */
interface Group<Name extends string> {
  readonly now: Sums<Name>;
  readonly before: Sums<Name>;
}

/** Null: made by the workshop itself, or by customers on its own booking page. */
export type BookingSource = Group<BookingCount> & { readonly partner: string | null };
export type TextKind = Group<TextCount> & { readonly kind: KindName | HeardKind };

export interface WorkshopReport {
  /** Local dates, both included. */
  readonly dates: Dates;
  readonly datesBefore: Dates;
  /** In order, including empty periods; limited to the dates. */
  readonly periods: readonly (Numbers & { readonly key: string; readonly dates: Dates })[];
  readonly totals: Numbers;
  readonly before: Numbers;
  /** Sorted by number of bookings, most first. */
  readonly sources: readonly BookingSource[];
  /** Sorted by number of segments, most first. */
  readonly kinds: readonly TextKind[];
}

/** The caller has checked the dates. Counts reflect the current state and may lag by ten seconds; `now` is business time. */
export async function readWorkshopReport(
  source: Pick<Context, 'db' | 'replica'>,
  { workshopId, timezone }: { readonly workshopId: string; readonly timezone: string },
  asked: Dates & { readonly by: PeriodName; readonly now: Date },
): Promise<WorkshopReport> {
  const { from, to, by, now } = asked;
  const earlier = datesBefore(asked);
  const periods = periodsBetween(from, to, timezone, by);
  const spans = [...periods, spanOf(earlier.from, earlier.to, timezone)];
  const { counted, names } = await readOld(source, tenSeconds, async (old) => {
    const found = await countWorkshop(old, { workshopId, spans, now });
    const partnerIds = new Set(found.bookings.flatMap(({ key }) => (key === null ? [] : [key])));
    return { counted: found, names: await namesOfPartners(old, [...partnerIds]) };
  });
  const last = spans.length;

  const numbersOf = (isIn: (number: number) => boolean): Numbers => ({
    bookings: sumOf(bookingCounts, counted.bookings, isIn),
    quotes: sumOf(quoteCounts, counted.quotes, isIn),
    texts: sumOf(textCounts, counted.texts, isIn),
  });
  const byPeriod = {
    bookings: Map.groupBy(counted.bookings, ({ number }) => number),
    quotes: Map.groupBy(counted.quotes, ({ number }) => number),
    texts: Map.groupBy(counted.texts, ({ number }) => number),
  };
  const groupsOf = <Name extends string>(names: readonly Name[], rows: readonly CountedRow<Name>[]) =>
    [...Map.groupBy(rows, ({ key }) => key)].map(([key, of]) => ({
      key,
      now: sumOf(names, of, (number) => number < last),
      before: sumOf(names, of, (number) => number === last),
    }));

  const sources = groupsOf(bookingCounts, counted.bookings);
  return {
    dates: { from, to },
    datesBefore: earlier,
    periods: periods.map(({ key, dates }, index) => ({
      key,
      dates,
      bookings: sumOf(bookingCounts, byPeriod.bookings.get(index + 1) ?? []),
      quotes: sumOf(quoteCounts, byPeriod.quotes.get(index + 1) ?? []),
      texts: sumOf(textCounts, byPeriod.texts.get(index + 1) ?? []),
    })),
    totals: numbersOf((number) => number < last),
    before: numbersOf((number) => number === last),
    sources: sources
      .map(({ key, ...of }) => ({ ...of, partner: key === null ? null : (names.get(key) ?? key) }))
      .sort((a, b) => b.now.bookings - a.now.bookings || (a.partner ?? '').localeCompare(b.partner ?? '')),
    kinds: groupsOf(textCounts, counted.texts)
      .map(({ key, ...of }) => ({ ...of, kind: key as TextKind['kind'] }))
      .sort((a, b) => b.now.smsSegments - a.now.smsSegments || a.kind.localeCompare(b.kind)),
  };
}

/** Numbers come from the database as texts. */
function sumOf<Name extends string>(
  names: readonly Name[],
  rows: readonly CountedRow<Name>[],
  isIn: (number: number) => boolean = () => true,
): Sums<Name> {
  const chosen = rows.filter(({ number }) => isIn(number));
  return added(
    names,
    chosen.map((row) => sumsBy(names, (name) => Number(row[name]))),
  );
}
