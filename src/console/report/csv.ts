/** A table of a report as CSV, line by line: numbers bare, money with two decimals at most. */
import { csvLine } from '#base/values/csv.ts';
import type { ReportTable } from './tables.ts';

export function* csvOf({ heads, columns, rows }: ReportTable): Generator<string> {
  yield csvLine([...heads, ...columns.map(({ head }) => head)]);
  for (const { cells, values } of rows) yield csvLine([...cells, ...values]);
}
