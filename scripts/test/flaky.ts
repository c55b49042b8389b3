/** The table of `test/flaky.md`: what a run has forgiven, until it is mended. */

export interface Flake {
  readonly file: string;
  /** The names of its suites and its own; empty for what the file does before its tests. */
  readonly test: string;
  readonly message: string;
  /** When it was seen: `2026-11-28`. */
  readonly date: string;
}

const messageAtMost = 120;

/** A line of the table. */
export function flakyRow({ file, test, message, date }: Flake): string {
  const cells = [file, test, message.slice(0, messageAtMost), date];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The flake of a line of the page; null for a line that is not of the table's body, and the line itself where its cells are not four. */
export function readFlake(line: string): Flake | string | null {
  if (!line.startsWith('|') || /^\| *(?:File|-+) *\|/.test(line)) return null;
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  const [, file = '', test = '', message = '', date = ''] = cells;
  return cells.length === 6 ? { file, test, message, date } : line;
}
