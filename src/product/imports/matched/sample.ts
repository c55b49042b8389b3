/** The headings and first values of a file's columns, for somebody who matches them by hand. */
import { oneLineOf } from '#base/values/one-line.ts';
import { headingsOf, type ImportKind } from '../columns.ts';
import { openHead } from '../rows.ts';
import type { Source } from '../source.ts';
import type { SampledColumn } from './guess.ts';
import { formOf } from './match.ts';

const samplesAtMost = 3;
const sampleAtMost = 40;
/** In which samples are looked for. */
const rowsAtMost = 50;

export interface Sampled {
  readonly columns: readonly SampledColumn[];
  /** By which the next file like this one is known. */
  readonly form: string;
  readonly cells: readonly string[];
}

/** Throws OperatorError when the file is not text, or has no first line. */
export async function sampleColumns(kind: ImportKind, source: Source): Promise<Sampled> {
  const { cells, line, records } = await openHead(kind, source);
  const samples: string[][] = cells.map(() => []);
  let read = 0;
  for await (const { line: at, record } of records()) {
    if (at <= line) continue;
    if (read++ === rowsAtMost) break;
    if (record === null) continue;
    for (const [n, its] of samples.entries()) {
      const sample = oneLineOf(record[n] ?? '', sampleAtMost);
      if (sample !== '' && its.length < samplesAtMost && !its.includes(sample)) its.push(sample);
    }
  }
  const columns = headingsOf(cells).map((heading, n) => ({ heading, samples: samples[n] ?? [] }));
  return { columns, form: formOf(cells), cells };
}
