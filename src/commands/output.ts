/** The output of commands: results on standard output, everything else on standard error. */

import { visible } from '#base/values/bidi.ts';
import { escapedControls, terminalText } from '#base/values/controls.ts';
import { terminal } from './terminal.ts';
import { at } from './times.ts';

/** Both forms of a command's result; `json` is printed with `--json`, `text` without. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
}

export function print(text: string): void {
  terminal().stdout.write(`${terminalText(text)}\n`);
}

/** Prints a result, as JSON with `--json`. */
export function printResult({ json, text }: CommandResult): void {
  print(terminal().json ? jsonText(json) : text);
}

/** JSON in which control characters of terminals are escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return escapedControls(JSON.stringify(value, null, indent));
}

/** Prints notes and warnings, which are not part of the result. */
export function note(text: string): void {
  terminal().stderr.write(`${terminalText(text)}\n`);
}

/** A time is formatted by `at`, a list has commas, an absent value is an empty text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return at(value) ?? '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The text on one line, so that no value breaks a table or the terminal. */
export const oneLine = (text: string) => visible(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** One `name  value` a line. */
export function details(values: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${oneLine(cell(value))}`.trimEnd())
    .join('\n');
}
