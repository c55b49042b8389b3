/** What commands print: results on standard output, everything else on standard error. */
import { terminal } from './terminal.ts';

/** Both forms of a command's result; `json` is printed with `--json`, `text` without. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
}

export function print(text: string): void {
  terminal().stdout.write(`${text}\n`);
}

/** Prints notes and warnings, which are not part of the result. */
export function note(text: string): void {
  terminal().stderr.write(`${text}\n`);
}

/** `2026-03-01T09:30:00.000Z`, lists with commas, an empty text for an absent value. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** One line, whatever the text holds: a value must break neither a table nor the terminal. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ');

/** Aligned columns under their headings. */
export function table<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => unknown>>,
): string {
  const headings = Object.keys(columns);
  const lines = rows.map((row) => headings.map((heading) => oneLine(cell(columns[heading]?.(row)))));
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...lines.map((line) => [...(line[index] ?? '')].length)),
  );
  const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - [...text].length));
  return [headings, ...lines]
    .map((line) =>
      line
        .map((text, index) => pad(text, widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One `name  value` a line. */
export function details(values: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${oneLine(cell(value))}`.trimEnd())
    .join('\n');
}
