/** Tables of the command line: aligned columns, no wider than the terminal. */
import truncatedWidth from 'fast-string-truncated-width';
import { statusColumn, statusStyled, styled } from './colours.ts';
import { cell, details, oneLine } from './output.ts';
import { lineWidth } from './wrap.ts';

/** The value of a row, by heading. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

const between = '  ';
/** The least width of a shortened column. */
const keptAtLeast = 10;
/** Ids, codes, slugs, times and phones are useless when they are cut. */
const uncut =
  /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d\S* ?\S*|[A-Z0-9]{1,12}|[a-z0-9-]{1,40}|\+\d+|[+(]?\d[\d ()-]{4,20}|\d\d:\d\d)$/;

const widthOf = (text: string) => truncatedWidth(text).width;

/** Aligned columns under their headings. */
export function table<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  isDimmed?: (row: Row) => boolean,
): string {
  return tableOf(columns, isDimmed)(rows);
}

/**
 * A table whose rows come in parts: the first part has the headings, and decides how wide columns are. On a terminal long texts are
 * cut so that a row fits; where that is not enough, each row is a list of its values.
 */
export function tableOf<Row>(
  columns: Columns<Row>,
  isDimmed: (row: Row) => boolean = () => false,
): (rows: readonly Row[]) => string {
  const headings = Object.keys(columns);
  const atMost = lineWidth();
  let widths: readonly number[] | null | undefined;
  return (rows) => {
    const lines = rows.map((row) => headings.map((heading) => oneLine(cell(columns[heading]?.(row)))));
    const isFirst = widths === undefined;
    if (widths === undefined) widths = fit([headings, ...lines], atMost);
    if (widths === null) {
      const records = lines.map((line) =>
        details(Object.fromEntries(headings.map((name, n) => [name, line[n]]))),
      );
      return `${isFirst || records.length === 0 ? '' : '\n'}${records.join('\n\n')}`;
    }
    const shown = lines.map((line, n) => {
      const row = rows[n];
      return row !== undefined && isDimmed(row)
        ? styled('dim', joined(line, widths ?? [], atMost))
        : joined(line, widths ?? [], atMost, headings);
    });
    return (isFirst ? [styled('bold', joined(headings, widths, atMost)), ...shown] : shown).join('\n');
  };
}

/** The widths of columns; null when they can't fit. */
function fit(lines: readonly (readonly string[])[], atMost: number): readonly number[] | null {
  const texts = (lines[0] ?? []).map((_, n) => lines.map((line) => line[n] ?? ''));
  const widths = texts.map((column) => Math.max(...column.map(widthOf)));
  const least = texts.map((column, n) => {
    const kept = column.filter((text, row) => row === 0 || uncut.test(text)).map(widthOf);
    return Math.min(widths[n] ?? 0, Math.max(keptAtLeast, ...kept));
  });
  const excess = () => widths.reduce((sum, width) => sum + width + between.length, -between.length) - atMost;
  while (excess() > 0) {
    // Shortens the widest column that may be cut, down to the next widest or to the width that fits.
    const spare = widths.map((width, n) => (width > (least[n] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) return null;
    const n = spare.indexOf(widest);
    const next = Math.max(...spare.filter((width) => width < widest), 0);
    widths[n] = Math.max(least[n] ?? 0, next - 1, widest - excess());
  }
  return widths;
}

function joined(
  texts: readonly string[],
  widths: readonly number[],
  atMost: number,
  headings: readonly string[] = [],
): string {
  const padded = texts.map((text, n) => {
    const width = widths[n] ?? 0;
    const short = atMost < Number.POSITIVE_INFINITY ? cut(text, width) : text;
    const full = short + ' '.repeat(Math.max(0, width - widthOf(short)));
    return statusColumn.test(headings[n] ?? '') ? statusStyled(full) : full;
  });
  return padded.join(between).trimEnd();
}

function cut(text: string, width: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: width, ellipsis: '…' });
  return truncated ? `${text.slice(0, index)}…` : text;
}
