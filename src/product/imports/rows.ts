/** The rows of a CSV file, each with the line on which it begins. */
import { pipeline, Readable } from 'node:stream';
import { givingWay } from '#base/give-way.ts';
import { OperatorError } from '#base/operator-error.ts';
import { normaliseString } from '#base/values/text.ts';
import { cleanText, isNone, several } from './clean.ts';
import { type Columns, type ImportField, type ImportKind, readColumns } from './columns.ts';
import { findHeadings, type Headings, isTotal } from './head.ts';
import { columnsAsMatched, type Matched } from './matched/match.ts';
import { type Encoding, encodingOf, type Source, textOf } from './source.ts';

/** Empty ones count too: a spreadsheet may write hundreds of thousands below the last one. */
export const rowsAtMost = 100_000;
/** The most cells of a row, empty ones too: five times the columns that a file may have. */
export const cellsAtMost = 1_000;
/** In characters. */
const rowAtMost = 128 * 1024;

/** A fault of a row, without its values. */
export interface RowFault {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** The heading; empty: the row as a whole. */
  readonly column: string;
  readonly message: string;
}

export interface Row {
  readonly line: number;
  /**
   * The text of each field, trimmed and in NFC; a field without text is absent. Several values of one field stand in the order of
   * its columns.
   */
  readonly cells: ReadonlyMap<ImportField, string>;
  /** The index of the column of a field's first value, where it is not the first column of that field. */
  readonly from: ReadonlyMap<ImportField, number>;
  /** Its cells in the order of the file, as they stand. */
  readonly record: readonly string[];
}

export interface FaultyRow {
  readonly line: number;
  readonly faults: readonly RowFault[];
}

/** A line of the file that is no row: it is left out, and the dry run names it. */
export interface LeftOut {
  readonly line: number;
  readonly leftOut: string;
}

export type ReadRow = Row | FaultyRow | LeftOut;

export interface Table {
  readonly encoding: Encoding;
  readonly columns: Columns;
  /** Lines above the headings that are not read. */
  readonly above: readonly number[];
  /** In order, from the first row each time it is called. */
  rows(): AsyncGenerator<ReadRow>;
}

/** The headings of a file, as they are. */
export interface Head extends Headings {
  readonly encoding: Encoding;
  /** All records of the file, also what stands above the headings. */
  records(): AsyncGenerator<Parsed>;
}

/**
 * Reads the headings. Throws OperatorError when the file is not text, and ColumnsUnclear when it has no known headings, or an impossible
 * combination of them. `matched`: what a person has chosen for each column, in place of the headings.
 */
export async function openTable(
  kind: ImportKind,
  source: Source,
  matched: Matched | null = null,
): Promise<Table> {
  const { encoding, cells, above, line, records } = await openHead(kind, source);
  const columns = matched === null ? readColumns(kind, cells) : columnsAsMatched(kind, cells, matched);
  return { encoding, columns, above, rows: () => rowsOf(records(), columns, line) };
}

/** Finds the headings. Throws OperatorError when the file is not text, or has no line. */
export async function openHead(kind: ImportKind, source: Source): Promise<Head> {
  const encoding = await encodingOf(source);
  const headings = await findHeadings(kind, source.name, (delimiter) => parsed(source, encoding, delimiter));
  return { ...headings, encoding, records: () => parsed(source, encoding, headings.delimiter) };
}

/** `headings`: the line on which they stand. */
async function* rowsOf(
  records: AsyncIterable<Parsed>,
  columns: Columns,
  headings: number,
): AsyncGenerator<ReadRow> {
  // The last one is known by its end alone.
  let last: Parsed | null = null;
  for await (const each of records) {
    if (each.line <= headings) continue;
    if (last !== null) yield rowOf(last, columns);
    last = each;
  }
  if (last === null) return;
  if (last.record !== null && isTotal(last.record, columns))
    yield { line: last.line, leftOut: 'is the total of the lines above it' };
  else yield rowOf(last, columns);
}

const ofRow = (line: number, message: string) => ({ line, faults: [{ line, column: '', message }] });

const broken = (line: number) =>
  ofRow(line, 'has a quotation mark that is not closed, or is too long; what follows it was not read');

function rowOf({ line, record }: Parsed, { headings, at, further }: Columns): Row | FaultyRow {
  if (record === null) return broken(line);
  if (record.length > cellsAtMost)
    return ofRow(
      line,
      `has more than ${counted(cellsAtMost)} cells: delete the columns to the right of the last one in the spreadsheet, and save it again`,
    );
  const texts = record.length > headings.length ? withoutEmptyEnd(record, headings.length) : record;
  if (texts.length !== headings.length)
    return ofRow(line, `has ${texts.length} cells where the first line has ${headings.length}`);
  const cells = new Map<ImportField, string>();
  const from = new Map<ImportField, number>();
  const textOf = (n: number) => normaliseString(texts[n] ?? '');
  for (const [field, first] of at) {
    const others = further.get(field);
    const text = field === 'reference' ? cleanText(field, textOf(first)) : textOf(first);
    if (others === undefined) {
      if (text !== '') cells.set(field, text);
      continue;
    }
    const filled = [first, ...others]
      .map((n) => [n, textOf(n)] as const)
      .filter(([, each]) => each !== '' && !isNone(each));
    const [begin] = filled;
    if (begin === undefined) continue;
    if (begin[0] !== first) from.set(field, begin[0]);
    cells.set(field, [...new Set(filled.map(([, each]) => each))].join(several));
  }
  return { line, cells, from, record: texts };
}

/** Some programs end every line but the first with a delimiter. */
function withoutEmptyEnd(cells: readonly string[], length: number): readonly string[] {
  return cells.slice(length).every((cell) => cell.trim() === '') ? cells.slice(0, length) : cells;
}

export interface Parsed {
  readonly line: number;
  /** Null: it could not be parsed. */
  readonly record: readonly string[] | null;
}

/** Empty rows are skipped. Throws OperatorError for more rows than a file may have. */
async function* parsed(source: Source, encoding: Encoding, delimiter: string): AsyncGenerator<Parsed> {
  const { parse } = await import('csv-parse');
  const unread: number[] = [];
  let next = 1;
  const parser = parse({
    ...{ delimiter, bom: true, info: true, record_delimiter: '\n', max_record_size: rowAtMost },
    // A row with too many cells or misplaced quotation marks must not affect the following rows.
    ...{
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
    },
    // Called while parsing, which is ahead of the reader below.
    on_record: (record, { lines }) => {
      next = lines + 1;
      return record;
    },
    // An unreadable file may be so piece after piece.
    on_skip: () => void (unread.at(-1) === next || unread.push(next)),
  });
  // An error of the source ends the parser, and a reader that stops ends the source.
  pipeline(Readable.from(textOf(source, encoding)), parser, () => undefined);
  const giveWay = givingWay();
  let [filled, empty] = [0, 0];
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number; empty_lines: number };
  }>) {
    await giveWay();
    const cells = record.slice(0, cellsAtMost);
    const isEmpty = record.length <= cellsAtMost && cells.every((cell) => cell.trim() === '');
    if (isEmpty) empty++;
    else filled++;
    requireRoom(filled + unread.length, empty + info.empty_lines);
    const breaks = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    if (!isEmpty) yield { line: info.lines - breaks, record };
  }
  // The line break of the last row counts as one.
  requireRoom(filled + unread.length, empty + parser.info.empty_lines - 1);
  for (const line of unread) yield { line, record: null };
}

/** The first line counts as none. */
function requireRoom(filled: number, empty: number): void {
  if (filled + empty <= rowsAtMost + 1) return;
  const way =
    empty > 0
      ? `, ${counted(empty)} of those read so far are empty: delete the rows below the last one in the spreadsheet, and save it again`
      : ': import it in parts';
  throw new OperatorError(`the file has more than ${counted(rowsAtMost)} rows${way}`);
}

const counted = (count: number) => count.toLocaleString('en');
