/** The groups of a report as CSV, line by line. */
import { Readable } from 'node:stream';
import { csvLine } from '#base/values/csv.ts';
import { countNames } from './counts.ts';
import type { ReportGroup } from './schema.ts';

export function csvOf(groups: readonly ReportGroup[]): Readable {
  return Readable.from(lines(groups));
}

function* lines(groups: readonly ReportGroup[]): Generator<string> {
  const columns = ['key', ...countNames] as const;
  yield csvLine(columns);
  for (const group of groups) yield csvLine(columns.map((column) => group[column]));
}
