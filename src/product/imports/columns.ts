/** The columns of a file, by their headings: in any case, spacing and punctuation, and by the names that other systems use. */
import { OperatorError } from '#base/operator-error.ts';
import { lettersOf } from '#base/values/near-name.ts';
import { oneLineOf } from '#base/values/one-line.ts';
import { type ImportField, type Known, knownHeadings } from './headings.ts';

export const importKinds = ['customers', 'bookings'] as const;
export type ImportKind = (typeof importKinds)[number];

export type { ImportField };

const knownOf = {
  customers: knownHeadings({ bookings: false }),
  bookings: knownHeadings({ bookings: true }),
} as const satisfies Readonly<Record<ImportKind, ReadonlyMap<string, Known>>>;

/** The fields of a kind of file, each once. */
export const fieldsOfKind = (kind: ImportKind): readonly ImportField[] => [
  ...new Set([...knownOf[kind].values()].map(({ field }) => field)),
];

/** The field of a heading; undefined: none of this kind. */
export const fieldOf = (kind: ImportKind, heading: string): ImportField | undefined =>
  knownOf[kind].get(lettersOf(heading))?.field;

/** Whether a heading says that its numbers are mobile ones. */
export const isOfMobiles = (kind: ImportKind, heading: string): boolean => {
  const known = knownOf[kind].get(lettersOf(heading));
  return known?.field === 'phone' && known.rank < 1;
};

/** The fields of which a file may have several columns: the first that is filled is taken. */
export const severalOf: readonly ImportField[] = ['phone', 'email'];

export interface Columns {
  /** The heading of each column in the file, on one line, shortened for display. */
  readonly headings: readonly string[];
  /** The index of each field. */
  readonly at: ReadonlyMap<ImportField, number>;
  /** The indexes of its further columns, in their order: of numbers the mobile ones come before others. */
  readonly further: ReadonlyMap<ImportField, readonly number[]>;
  /** The headings of the columns that are not read. */
  readonly ignored: readonly string[];
}

const headingAtMost = 60;
export const columnsAtMost = 200;

/** The headings alone do not say how the file is read. */
export class ColumnsUnclear extends OperatorError {}

/** Throws OperatorError for more columns than a file may have. */
export function headingsOf(cells: readonly string[]): readonly string[] {
  if (cells.length > columnsAtMost)
    throw new OperatorError(
      `the file has more than ${columnsAtMost} columns: delete those that are not needed in the spreadsheet, the empty ones on the right too, and save it again`,
    );
  return cells.map((cell) => oneLineOf(cell, headingAtMost));
}

/** The fields of which a file of this kind needs one more; null: it has what it needs. */
export function lackOf(kind: ImportKind, at: ReadonlyMap<ImportField, unknown>): string | null {
  const has = (...fields: ImportField[]) => fields.some((field) => at.has(field));
  const isNamed = has('phone', 'name', 'firstName', 'lastName');
  if (kind === 'customers') return isNamed ? null : 'Mobile or Name';
  if (!has('date', 'dateTime')) return 'Date';
  return isNamed || has('rego') ? null : 'Mobile, Name or Registration';
}

/** The fields of the columns, as the headings name them. */
export interface Said {
  /** Null: it is not read. Of two headings of one field the plainer one is read. */
  readonly fields: readonly (ImportField | null)[];
  /** The columns in the order in which their values count: the plainest heading first. */
  readonly order: readonly number[];
  /** Two columns whose headings are equally plain; null: none. */
  readonly alike: readonly [number, number] | null;
}

export function saidBy(kind: ImportKind, headings: readonly string[]): Said {
  const found = headings.map((heading) => knownOf[kind].get(lettersOf(heading)) ?? null);
  const rankOf = (n: number) => found[n]?.rank ?? 0;
  const order = [...headings.keys()].toSorted((a, b) => rankOf(a) - rankOf(b));
  const fields: (ImportField | null)[] = headings.map(() => null);
  const first = new Map<ImportField, number>();
  let alike: Said['alike'] = null;
  for (const n of order) {
    const field = found[n]?.field;
    if (field === undefined) continue;
    const earlier = first.get(field);
    if (earlier === undefined) first.set(field, n);
    else if (!severalOf.includes(field)) {
      if (rankOf(earlier) === rankOf(n)) alike ??= [earlier, n];
      continue;
    }
    fields[n] = field;
  }
  return { fields: startsAlone(fields), order, alike };
}

/** A start in a column of its own has its day beside it, or with it. */
function startsAlone(fields: readonly (ImportField | null)[]): readonly (ImportField | null)[] {
  if (fields.includes('date') || fields.includes('dateTime')) return fields;
  return fields.map((field) => (field === 'time' ? 'dateTime' : field));
}

/** `fields` of each column; several of one field count in this order. */
export function columnsOf(
  headings: readonly string[],
  fields: readonly (ImportField | null)[],
  order: readonly number[] = [...headings.keys()],
): Columns {
  const at = new Map<ImportField, number>();
  const further = new Map<ImportField, number[]>();
  for (const n of order) {
    const field = fields[n] ?? null;
    if (field === null) continue;
    if (at.has(field)) further.set(field, [...(further.get(field) ?? []), n]);
    else at.set(field, n);
  }
  const ignored = headings.filter((heading, n) => heading !== '' && (fields[n] ?? null) === null);
  return { headings, at, further, ignored };
}

/** Throws ColumnsUnclear when the headings do not fit the kind of the file. */
export function readColumns(kind: ImportKind, cells: readonly string[]): Columns {
  const headings = headingsOf(cells);
  const { fields, order, alike } = saidBy(kind, headings);
  if (alike !== null)
    throw new ColumnsUnclear(
      `the columns "${headings[alike[0]]}" and "${headings[alike[1]]}" mean the same: leave one of them out`,
    );
  const columns = columnsOf(headings, fields, order);
  const lack = lackOf(kind, columns.at);
  if (lack === 'Mobile or Name')
    throw new ColumnsUnclear('the first line names neither a column Mobile nor a column Name');
  if (lack !== null) throw new ColumnsUnclear(`the first line names no column ${lack}`);
  return columns;
}
