/** The rows of a CSV file, each with the line on which it begins. */
import { pipeline, Readable } from 'node:stream';
import { OperatorError } from '#base/operator-error.ts';
import { normaliseString } from '#base/values/text.ts';
import { type Columns, fieldOf, type ImportField, type ImportKind, readColumns } from './columns.ts';
import { type Encoding, encodingOf, type Source, textOf } from './source.ts';

export const rowsAtMost = 100_000;
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

/**
 * Reads the headings. Throws OperatorError when the file is not text, has no known headings, or an impossible combination of them.
 */
export async function openTable(kind: ImportKind, source: Source): Promise<Table> {
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
  const columns = readColumns(kind, best.cells);
  return { encoding, columns, rows: () => rowsOf(parsed(source, encoding, best.delimiter), columns) };
}

async function* rowsOf(records: AsyncIterable<Parsed>, columns: Columns): AsyncGenerator<ReadRow> {
  let isFirst = true;
  let read = 0;
  for await (const { line, record } of records) {
    if (isFirst) {
      isFirst = false;
      continue;
    }
    if (++read > rowsAtMost)
      throw new OperatorError(`the file has more than ${rowsAtMost} rows: import it in parts`);
    yield record === null ? broken(line) : rowOf(line, record, columns);
  }
}

const ofRow = (line: number, message: string) => ({ line, faults: [{ line, column: '', message }] });

const broken = (line: number) =>
  ofRow(line, 'has a quotation mark that is not closed, or is too long; what follows it was not read');

function rowOf(line: number, record: readonly string[], { headings, at }: Columns): ReadRow {
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

interface Parsed {
  readonly line: number;
  /** Null: it could not be parsed. */
  readonly record: readonly string[] | null;
}

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
    on_skip: () => void unread.push(next),
  });
  // An error of the source ends the parser, and a reader that stops ends the source.
  pipeline(Readable.from(textOf(source, encoding)), parser, () => undefined);
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    if (record.every((cell) => cell.trim() === '')) continue;
    yield { line: info.lines - breaks, record };
  }
  for (const line of unread) yield { line, record: null };
}
