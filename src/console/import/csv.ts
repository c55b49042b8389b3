/** The faults of a file as CSV (RFC 4180). */
import type { RowFault } from '#product/imports/rows.ts';

export const csvOfFaults = (faults: readonly RowFault[]): string =>
  [
    'Line,Column,Fault',
    ...faults.map(({ line, column, message }) => [line, cell(column), cell(message)].join(',')),
  ]
    .map((each) => `${each}\r\n`)
    .join('');

/** Quoted; what a spreadsheet would take for a formula stands behind an apostrophe. */
const cell = (text: string) => `"${text.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;
