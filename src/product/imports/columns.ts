/** The columns of a file, by their headings: in any case, spacing and punctuation, and by the names that other systems use. */
import { OperatorError } from '#base/operator-error.ts';
import { oneLineOf } from '#base/values/one-line.ts';
import { type ImportField, type Known, knownHeadings, plainHeading } from './headings.ts';

export const importKinds = ['customers', 'bookings'] as const;
export type ImportKind = (typeof importKinds)[number];

export type { ImportField };

const knownOf = {
  customers: knownHeadings({ bookings: false }),
  bookings: knownHeadings({ bookings: true }),
} as const satisfies Readonly<Record<ImportKind, ReadonlyMap<string, Known>>>;

/** The field of a heading; undefined: none of this kind. */
export const fieldOf = (kind: ImportKind, heading: string): ImportField | undefined =>
  knownOf[kind].get(plainHeading(heading))?.field;

/** Whether a heading says that its numbers are mobile ones. */
export const isOfMobiles = (kind: ImportKind, heading: string): boolean => {
  const known = knownOf[kind].get(plainHeading(heading));
  return known?.field === 'phone' && known.rank < 1;
};

/** Of these a file may have several columns: the first that is filled is taken. */
const severalOf: readonly ImportField[] = ['phone', 'email'];

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

/** Throws OperatorError when the columns do not fit the kind of the file. */
export function readColumns(kind: ImportKind, cells: readonly string[]): Columns {
  if (cells.length > columnsAtMost)
    throw new OperatorError(
      `the file has more than ${columnsAtMost} columns: delete those that are not needed in the spreadsheet, the empty ones on the right too, and save it again`,
    );
  const headings = cells.map((cell) => oneLineOf(cell, headingAtMost));
  const found = headings.map((heading) => knownOf[kind].get(plainHeading(heading)) ?? null);
  const at = new Map<ImportField, number>();
  const further = new Map<ImportField, number[]>();
  const inOrder = [...found.entries()].toSorted(([, a], [, b]) => (a?.rank ?? 0) - (b?.rank ?? 0));
  for (const [n, known] of inOrder) {
    if (known === null) continue;
    const { field, rank } = known;
    const first = at.get(field);
    if (first === undefined) at.set(field, n);
    else if (severalOf.includes(field)) further.set(field, [...(further.get(field) ?? []), n]);
    else if (found[first]?.rank === rank)
      throw new OperatorError(
        `the columns "${headings[first]}" and "${headings[n]}" mean the same: leave one of them out`,
      );
  }
  // A start in a column of its own has its day beside it, or with it.
  const time = at.get('time');
  if (time !== undefined && !at.has('date') && !at.has('dateTime')) {
    at.delete('time');
    at.set('dateTime', time);
  }
  const read = new Set([...at.values(), ...[...further.values()].flat()]);
  const ignored = headings.filter((heading, n) => heading !== '' && !read.has(n));
  const has = (...fields: ImportField[]) => fields.some((field) => at.has(field));
  if (kind === 'customers' && !has('phone', 'name', 'firstName', 'lastName'))
    throw new OperatorError('the first line names neither a column Mobile nor a column Name');
  if (kind === 'bookings' && !has('date', 'dateTime'))
    throw new OperatorError('the first line names no column Date');
  if (kind === 'bookings' && !has('phone', 'name', 'firstName', 'lastName', 'rego'))
    throw new OperatorError('the first line names no column Mobile, Name or Registration');
  return { headings, at, further, ignored };
}
