/** The tables of docs/programs.md. */
import type { Trial } from './trial.ts';

export interface TriedRow {
  readonly trial: Trial;
  readonly version: string;
  readonly result: string;
}

/** A table for each kind, under its heading. */
export function tableOf(rows: readonly TriedRow[]): string {
  const kinds = [...new Set(rows.map(({ trial }) => trial.kind))];
  return kinds
    .map((kind) =>
      [
        `## ${kind}`,
        '',
        '| Program | Version | Tried | Result |',
        '|---|---|---|---|',
        ...rows
          .filter(({ trial }) => trial.kind === kind)
          .map(
            ({ trial, version, result }) => `| ${trial.program} | ${version} | ${trial.tried} | ${result} |`,
          ),
        '',
      ].join('\n'),
    )
    .join('\n');
}

const [begin, end] = ['<!-- made by npm run programs -->', '<!-- end -->'];

/** The page with these tables in the place of those that it has. */
export function withTable(page: string, table: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/programs.md lacks ${begin} or ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${table}\n${page.slice(to)}`;
}
