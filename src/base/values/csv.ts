/** CSV as RFC 4180 has it, line by line, safe to open in a spreadsheet. */

/** Null: an empty cell. */
export type CsvCell = string | number | null;

/**
 * One line with its end. A text is quoted where it has to be; one that a spreadsheet would take for a formula stands behind an apostrophe, so no
 * text of others is ever computed. Numbers stay as they are, negative ones too.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = cell.replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'");
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
