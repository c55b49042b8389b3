/** Where a file's headings stand, and what stands between its cells; what spreadsheets and reports write around the rows. */
import { OperatorError } from '#base/operator-error.ts';
import { type Columns, fieldOf, type ImportKind, readColumns } from './columns.ts';
import type { Parsed } from './rows.ts';

const delimiters = [',', ';', '\t'] as const;
/** A title, an empty line, a date of the report: the headings stand among the first lines that are not empty. */
const linesAtMost = 8;

interface Line {
  readonly line: number;
  readonly delimiter: string;
  readonly cells: readonly string[];
  /** How many of its cells are known headings. */
  readonly known: number;
}

export interface Headings {
  readonly cells: readonly string[];
  readonly delimiter: string;
  /** The line on which the headings stand. */
  readonly line: number;
  /** The lines above them, but for one that names the delimiter. */
  readonly above: readonly number[];
}

/**
 * The first line whose cells are known headings, with the delimiter that finds most of them; without such a line the first of the
 * file. Throws OperatorError when the file has no line at all.
 */
export async function findHeadings(
  kind: ImportKind,
  name: string,
  recordsBy: (delimiter: string) => AsyncIterable<Parsed>,
): Promise<Headings> {
  const lines = (
    await Promise.all(delimiters.map((delimiter) => firstLines(kind, delimiter, recordsBy(delimiter))))
  ).flat();
  const first = Math.min(...lines.map(({ line }) => line));
  const best = byKnown(lines.filter(({ line }) => line === first))[0];
  if (best === undefined) throw new OperatorError(`${name} has no first line with the names of its columns`);
  // One known word may be a title, such as "Contact"; without any it is one.
  const headings =
    best.known > 1 ? best : (lines.filter(fits(kind, best.known)).toSorted(inOrder)[0] ?? best);
  const { line, delimiter, cells } = headings;
  return {
    ...{ cells, delimiter, line },
    above: [...new Set(lines.map((each) => each.line))].filter((each) => each < line),
  };
}

const byKnown = (lines: readonly Line[]) =>
  lines.toSorted((a, b) => b.known - a.known || b.cells.length - a.cells.length);

const inOrder = (a: Line, b: Line) => a.line - b.line || b.known - a.known;

/** Whether a line has more known headings than that, and can be read. */
const fits =
  (kind: ImportKind, than: number) =>
  ({ known, cells }: Line) => {
    if (known <= than) return false;
    try {
      readColumns(kind, cells);
      return true;
    } catch {
      return false;
    }
  };

/** Without the line `sep=;`, which Excel writes and reads. */
async function firstLines(
  kind: ImportKind,
  delimiter: string,
  records: AsyncIterable<Parsed>,
): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const { line, record } of records) {
    if (record === null) break;
    if (lines.length === 0 && isSeparator(record)) continue;
    const known = new Set(record.flatMap((cell) => fieldOf(kind, cell) ?? [])).size;
    if (lines.push({ line, delimiter, cells: record, known }) === linesAtMost) break;
  }
  return lines;
}

const isSeparator = ([first = '', ...rest]: readonly string[]) =>
  /^sep=.?$/i.test(first.trim()) && rest.every((cell) => cell === '');

const total =
  /^(?:grand )?totals?(?: (?:customers|contacts|clients|bookings|appointments|jobs|rows|records))?:?(?: *[\d.,]{1,20})?$/i;
/** Such as `240`, `$1,234.50`. */
const amount = /^[$€£]? ?[\d.,]{1,20} ?%?$/;

/** Whether a last line is the sum of a report: its first filled cell says so, and the others hold amounts. Not a row with a phone. */
export function isTotal(record: readonly string[], { at }: Columns): boolean {
  const [first, ...others] = [...record.entries()].filter(([, cell]) => cell.trim() !== '');
  if (first === undefined || !total.test(first[1].trim())) return false;
  const isOfRow = (n: number, cell: string) => n === at.get('phone') && cell.replace(/\D/g, '').length > 5;
  return others.every(([n, cell]) => amount.test(cell.trim()) && !isOfRow(n, cell));
}
