/** The tables of a report as data: for the page and for CSV files. */
import type { CsvCell } from '#base/values/csv.ts';
import type { PeriodName } from '#product/reports/periods.ts';
import type { BookingCount, QuoteCount, TextCount } from '#product/reports/workshop/counts.ts';
import type { Numbers, WorkshopReport } from '#product/reports/workshop/read.ts';
import { kindNames, ownSource, periodLabel } from './names.ts';

export interface ReportTable {
  readonly title: string;
  /** The heading of the column that names each row. */
  readonly of: string;
  readonly columns: readonly { readonly head: string; readonly isMoney?: boolean }[];
  readonly rows: readonly {
    readonly label: string;
    /** The value in a file, instead of the label. */
    readonly cells: readonly CsvCell[];
    readonly values: readonly number[];
  }[];
  /** The heads of `cells`. */
  readonly heads: readonly string[];
  /** The total of all rows; null: the table has none. */
  readonly totals: readonly number[] | null;
}

type Columns<Name extends string> = readonly (readonly [name: Name, head: string])[];

const bookingColumns: Columns<BookingCount> = [
  ['bookings', 'Bookings'],
  ['pending', 'Pending'],
  ['confirmed', 'Confirmed'],
  ['completed', 'Completed'],
  ['cancelled', 'Cancelled'],
  ['due', 'Due by now'],
  ['notCome', 'Did not come'],
];
const quoteColumns: Columns<QuoteCount> = [
  ['asked', 'Asked'],
  ['priced', 'Priced'],
  ['pricedValue', 'Value priced'],
  ['won', 'Won'],
  ['wonValue', 'Value won'],
  ['lost', 'Lost'],
  ['expired', 'Expired'],
  ['waiting', 'Open'],
  ['turnedDown', 'Declined without a price'],
];
const textColumns: Columns<TextCount> = [
  ['messagesSent', 'Sent'],
  ['messagesDelivered', 'Delivered'],
  ['messagesFailed', 'Failed'],
  ['messagesReceived', 'Received'],
  ['smsSegments', 'Segments sent'],
];

/** A number of the report. */
interface Counted {
  readonly head: string;
  readonly isMoney: boolean;
  of(numbers: Numbers): number;
}

const bookings = bookingColumns.map(
  ([name, head]): Counted => ({
    ...{ head, isMoney: false },
    of: (numbers) => numbers.bookings[name],
  }),
);
const quotes = quoteColumns.map(
  ([name, head]): Counted => ({
    ...{ head, isMoney: name === 'pricedValue' || name === 'wonValue' },
    of: (numbers) => numbers.quotes[name],
  }),
);
const texts = textColumns.map(
  ([name, head]): Counted => ({
    ...{ head, isMoney: false },
    of: (numbers) => numbers.texts[name],
  }),
);

const prefixed = (what: string, columns: readonly Counted[]): Counted[] =>
  columns.map((column) => ({ ...column, head: `${what}: ${column.head.toLowerCase()}` }));

const everything = [...bookings, ...prefixed('Quotes', quotes), ...prefixed('Texts', texts)];

const byPeriod =
  (title: string, columns: readonly Counted[]) =>
  (report: WorkshopReport, by: PeriodName): ReportTable => ({
    ...{ title: `${title} by ${by}`, columns, of: inWords[by], heads: ['Period', 'From', 'To'] },
    rows: report.periods.map((period) => ({
      label: periodLabel(period, by).long,
      cells: [period.key, period.dates.from, period.dates.to],
      values: columns.map(({ of }) => of(period)),
    })),
    totals: columns.map(({ of }) => of(report.totals)),
  });

const inWords: Readonly<Record<PeriodName, string>> = { day: 'Day', week: 'Week', month: 'Month' };

const labelled = (label: string, values: readonly number[]) => ({ label, cells: [label], values });

function sourcesTable({ sources }: WorkshopReport): ReportTable {
  return {
    ...{ title: 'Bookings by source', of: 'Made by', heads: ['Made by'], totals: null },
    columns: [...bookings, { head: 'Bookings in the dates before' }],
    rows: sources.map(({ partner, now, before }) =>
      labelled(partner ?? ownSource, [...bookingColumns.map(([name]) => now[name]), before.bookings]),
    ),
  };
}

function kindsTable({ kinds }: WorkshopReport): ReportTable {
  return {
    ...{ title: 'Texts by kind', of: 'Kind', heads: ['Kind'], totals: null },
    columns: [...texts, { head: 'Segments in the dates before' }],
    rows: kinds.map(({ kind, now, before }) =>
      labelled(kindNames[kind], [...textColumns.map(([name]) => now[name]), before.smsSegments]),
    ),
  };
}

/** The tables, by their names in addresses. */
export const tables = {
  bookings: byPeriod('Bookings', bookings),
  sources: sourcesTable,
  quotes: byPeriod('Quotes', quotes),
  texts: byPeriod('Texts', texts),
  kinds: kindsTable,
  all: byPeriod('Everything', everything),
} as const;

export type TableName = keyof typeof tables;

export const isTableName = (text: string): text is TableName => Object.hasOwn(tables, text);
