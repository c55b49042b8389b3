/** Columns whose fields a person has chosen, in place of what their headings say. */
import { createHash } from 'node:crypto';
import { OperatorError } from '#base/operator-error.ts';
import type { FieldError } from '#errors.ts';
import {
  type Columns,
  columnsOf,
  fieldsOfKind,
  headingsOf,
  type ImportField,
  type ImportKind,
  lackOf,
  saidBy,
  severalOf,
} from '../columns.ts';
import { labelOfField } from './fields.ts';

/** The field of each column of a file, in order; null: it is not read. */
export type Matched = readonly (ImportField | null)[];

/** Throws OperatorError when they are not of this file. */
export function columnsAsMatched(kind: ImportKind, cells: readonly string[], matched: Matched): Columns {
  const headings = headingsOf(cells);
  const fault = matched.length === headings.length ? faultsOfMatched(kind, headings, matched)[0] : undefined;
  if (matched.length !== headings.length || fault !== undefined)
    throw new OperatorError('the columns that were chosen are not those of the file: match them again');
  return columnsOf(headings, matched);
}

/** The heading of a column, by its number from 0, also where the file has none. */
export const nameOfColumn = (headings: readonly string[], n: number): string =>
  headings[n] || `Column ${n + 1}`;

/** The name of a column's field in forms: counted from 1. */
export const columnField = (n: number): string => `column${n + 1}`;

/** Two columns of one field, but for numbers and addresses, and a field that the kind of file needs; none: they can be read. */
function faultsOfMatched(kind: ImportKind, headings: readonly string[], matched: Matched): FieldError[] {
  const faults: FieldError[] = [];
  const at = new Map<ImportField, number>();
  for (const [n, field] of matched.entries()) {
    const first = field === null ? undefined : at.get(field);
    if (field !== null && first === undefined) at.set(field, n);
    if (field !== null && first !== undefined && !severalOf.includes(field))
      faults.push({
        field: columnField(n),
        message: `is ${labelOfField(field)} too, as "${nameOfColumn(headings, first)}" is: choose it for one of them`,
      });
  }
  const lack = lackOf(kind, at);
  if (lack !== null) faults.push({ field: 'columns', message: `must have one that is ${lack}` });
  return faults;
}

/** As a form sends it: a field, or empty for a column that is not read. */
export function readMatched(
  kind: ImportKind,
  headings: readonly string[],
  given: (name: string) => string | undefined,
): { readonly matched: Matched; readonly faults: readonly FieldError[] } {
  const known: ReadonlySet<string> = new Set(fieldsOfKind(kind));
  const faults: FieldError[] = [];
  const matched = headings.map((_, n) => {
    const field = given(columnField(n));
    if (field === '') return null;
    if (field !== undefined && known.has(field)) return field as ImportField;
    faults.push({ field: columnField(n), message: 'must be one of the choices' });
    return null;
  });
  return { matched, faults: faults.length > 0 ? faults : faultsOfMatched(kind, headings, matched) };
}

/**
 * By the headings that are named; the others by what they say. `{ "Ph": "phone", "Colour": "" }`: empty is not read. Throws OperatorError
 * that names what is wrong.
 */
export function matchedByHeadings(
  kind: ImportKind,
  cells: readonly string[],
  given: ReadonlyMap<string, string>,
): Matched {
  const headings = headingsOf(cells);
  const fields = fieldsOfKind(kind);
  const alike = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();
  const chosen = new Map<number, string>();
  for (const [name, field] of given) {
    const n = headings.findIndex((heading) => alike(heading, name));
    if (n < 0) throw new OperatorError(`the file has no column "${name}"`);
    if (field !== '' && !fields.some((each) => each === field))
      throw new OperatorError(`"${field}" is no field of a column: take one of ${fields.join(', ')}`);
    chosen.set(n, field);
  }
  const { fields: said } = saidBy(
    kind,
    headings.map((heading, n) => (chosen.has(n) ? '' : heading)),
  );
  const matched = headings.map((_, n) => {
    const field = chosen.get(n) ?? said[n] ?? '';
    return field === '' ? null : (field as ImportField);
  });
  const [fault] = faultsOfMatched(kind, headings, matched);
  if (fault !== undefined) {
    const n = matched.findIndex((_, at) => columnField(at) === fault.field);
    const what = n < 0 ? 'the columns' : `"${nameOfColumn(headings, n)}"`;
    throw new OperatorError(`${what} ${fault.message}`);
  }
  return matched;
}

/** SHA-256 of the headings in order, in hex: by it the next file of that form is known. */
export const formOf = (cells: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headingsOf(cells).map((heading) => heading.toLowerCase())))
    .digest('hex');

/** Returns a stored choice; null: this kind of file has no such fields any more. */
export function storedMatched(kind: ImportKind, cells: readonly string[], stored: unknown): Matched | null {
  if (!Array.isArray(stored) || stored.length !== cells.length) return null;
  const fields: ReadonlySet<unknown> = new Set<unknown>([...fieldsOfKind(kind), null]);
  if (!stored.every((field) => fields.has(field))) return null;
  const matched = stored as Matched;
  return faultsOfMatched(kind, headingsOf(cells), matched).length === 0 ? matched : null;
}
