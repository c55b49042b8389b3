/** The rows of a CSV file, each with the line on which it begins. */
import { pipeline, Readable } from 'node:stream';
import { givingWay } from '#base/give-way.ts';
import { OperatorError } from '#base/operator-error.ts';
import { normaliseString } from '#base/values/text.ts';
import { type Columns, fieldOf, type ImportField, type ImportKind, readColumns } from './columns.ts';
import { columnsAsMatched, type Matched } from './matched/match.ts';
import { type Encoding, encodingOf, type Source, textOf } from './source.ts';

/** Empty ones count too: a spreadsheet may write hundreds of thousands below the last one. */
export const rowsAtMost = 100_000;
/** Of a row, empty ones too: five times the columns that a file may have. */
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
  /** The text of each field, trimmed and in NFC; a field without text is absent. */
  readonly cells: ReadonlyMap<ImportField, string>;
}

export type ReadRow = Row | { readonly line: number; readonly faults: readonly RowFault[] };

export interface Table {
  readonly encoding: Encoding;
  readonly columns: Columns;
  /** In order, from the first row each time it is called. */
  rows(): AsyncGenerator<ReadRow>;
}

const delimiters = [',', ';', '\t'] as const;

/** The first line of a file, as it is. */
export interface Head {
  readonly encoding: Encoding;
  readonly cells: readonly string[];
  /** All records, this one first. */
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
  const { encoding, cells, records } = await openHead(kind, source);
  const columns = matched === null ? readColumns(kind, cells) : columnsAsMatched(kind, cells, matched);
  return { encoding, columns, rows: () => rowsOf(records(), columns) };
}

/** Reads the first line. Throws OperatorError when the file is not text, or has none. */
export async function openHead(kind: ImportKind, source: Source): Promise<Head> {
  const encoding = await encodingOf(source);
  const found = await Promise.all(
    delimiters.map(async (delimiter) => {
      for await (const { record } of parsed(source, encoding, delimiter)) {
        if (record === null) break;
        return { delimiter, cells: record, known: record.filter((cell) => fieldOf(kind, cell)).length };
      }
      return null;
    }),
  );
  const best = found
    .filter((each) => each !== null)
    .toSorted((a, b) => b.known - a.known || b.cells.length - a.cells.length)[0];
  if (best === undefined)
    throw new OperatorError(`${source.name} has no first line with the names of its columns`);
  return { encoding, cells: best.cells, records: () => parsed(source, encoding, best.delimiter) };
}

async function* rowsOf(records: AsyncIterable<Parsed>, columns: Columns): AsyncGenerator<ReadRow> {
  let isFirst = true;
  for await (const { line, record } of records) {
    if (isFirst) {
      isFirst = false;
      continue;
    }
    yield record === null ? broken(line) : rowOf(line, record, columns);
  }
}

const ofRow = (line: number, message: string) => ({ line, faults: [{ line, column: '', message }] });

const broken = (line: number) =>
  ofRow(line, 'has a quotation mark that is not closed, or is too long; what follows it was not read');

function rowOf(line: number, record: readonly string[], { headings, at }: Columns): ReadRow {
  if (record.length > cellsAtMost)
    return ofRow(
      line,
      `has more than ${counted(cellsAtMost)} cells: delete the columns to the right of the last one in the spreadsheet, and save it again`,
    );
  const cells = record.length > headings.length ? withoutEmptyEnd(record, headings.length) : record;
  if (cells.length !== headings.length)
    return ofRow(line, `has ${cells.length} cells where the first line has ${headings.length}`);
  const filled = [...at].map(([field, n]) => [field, normaliseString(cells[n] ?? '')] as const);
  return { line, cells: new Map(filled.filter(([, text]) => text !== '')) };
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
    // What is unreadable may be so piece after piece.
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
