/** The faults of a file as CSV. */
import { csvLine } from '#base/values/csv.ts';
import type { RowFault } from '#product/imports/rows.ts';

export const csvOfFaults = (faults: readonly RowFault[]): string =>
  [['Line', 'Column', 'Fault'], ...faults.map(({ line, column, message }) => [line, column, message])]
    .map(csvLine)
    .join('');
