/** Removes the signs that spreadsheets and other programs put around a value, and the words for none (specification: Imports 12). */
import type { ImportField } from './columns.ts';

/** Between several values of one cell, as Google Contacts writes them; and between those of a row's columns of one field. */
export const several = ' ::: ';

/** These are never words: an apostrophe before them is a spreadsheet's sign of a text. */
const noWords = new Set<ImportField>([
  ...([
    'reference',
    'phone',
    'email',
    'postcode',
    'rego',
    'year',
    'vin',
    'date',
    'time',
    'dateTime',
  ] as const),
]);
/** The fields of whole numbers. */
const numbers = new Set<ImportField>(['reference', 'phone', 'postcode', 'year']);

/** `N/A`, `-` and the like stand for no value. */
export const isNone = (text: string): boolean =>
  text.length < 5 && /^(?:n\/a|n\.a\.|-{1,3}|[–—])$/i.test(text);

/** Without the apostrophe of a spreadsheet, or the `.0` of a whole number; empty: none. The text is trimmed. */
export function cleanText(field: ImportField, text: string): string {
  const bare = text.startsWith("'") && (noWords.has(field) || isGuarded(text)) ? text.slice(1).trim() : text;
  if (isNone(bare)) return '';
  return numbers.has(field) ? bare.replace(/^(\d{1,15})\.0{1,2}$/, '$1') : bare;
}

/** An apostrophe that keeps a spreadsheet from computing: as our own files have it (`csvLine`). */
const isGuarded = (text: string) => /^'[=+\-@＝＋－＠]/.test(text);

/** The most values of a field: each is looked at, and one is taken. */
const valuesAtMost = 12;

/** The values of a field, of one cell or of several columns. */
export const valuesOf = (field: ImportField, text: string): string[] =>
  text
    .split(':::', valuesAtMost)
    .map((value) => cleanText(field, value.trim()))
    .filter((value) => value !== '');

/** The cells as they are read; a field without a value is absent. */
export function cleanCells(cells: ReadonlyMap<ImportField, string>): ReadonlyMap<ImportField, string> {
  const clean = [...cells].map(([field, text]) => [field, cleanText(field, text)] as const);
  return new Map(clean.filter(([, text]) => text !== ''));
}

/** The words of a list, each once, on one line. */
export function listed(text: string | undefined, between: RegExp): string[] {
  const words = (text ?? '').split(between).map((word) => word.trim().replace(/\s+/g, ' '));
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Null: neither yes nor no. */
export function readYes(text: string | undefined): boolean | null {
  if (text === undefined || /^(?:no|n|false|0|-)$/i.test(text)) return false;
  return /^(?:yes|y|true|1|x|stop|opted out)$/i.test(text) ? true : null;
}
