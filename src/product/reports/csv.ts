/** The groups of a report as CSV (RFC 4180), line by line. No value needs quotes: keys are dates and ids, counts are numbers. */
import { Readable } from 'node:stream';
import { countNames } from './counts.ts';
import type { ReportGroup } from './schema.ts';

export function csvOf(groups: readonly ReportGroup[]): Readable {
  return Readable.from(lines(groups));
}

function* lines(groups: readonly ReportGroup[]): Generator<string> {
  const columns = ['key', ...countNames] as const;
  yield `${columns.join(',')}\r\n`;
  for (const group of groups) yield `${columns.map((column) => group[column]).join(',')}\r\n`;
}
