/** The tables of `npm run bench -- --against REF`. */
import {
  type Counts,
  counted,
  countNames,
  type PathName,
  pathNames,
  type StatementCost,
} from '../counts/counts.ts';
import { type Pair, ratio, sideNames } from './pair.ts';
import type { Speeds } from './rates.ts';
import type { SideCost } from './side.ts';
import { type Growth, growthLine } from './verdict.ts';
import type { TableWal } from './wal.ts';

export type Costs = Readonly<Record<PathName, Pair<SideCost>>>;

const times = (values: Pair<number>) => {
  const found = ratio(values);
  return Number.isFinite(found) ? found.toFixed(2) : 'new';
};
const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toFixed(1)));
const cell = (values: Pair<number>) =>
  `${number(values.before)} → ${number(values.now)} (**${times(values)}**)`;
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const head = (titles: readonly string[]) => `${row(titles)}\n|${'---|'.repeat(titles.length)}`;

/** Then and now of each path, and how many times what it was. */
export function countsTable(costs: Readonly<Record<PathName, Pair<{ readonly counts: Counts }>>>): string {
  const lines = pathNames.map((path) => {
    const { before, now } = costs[path];
    return row([
      path,
      ...counted.map((name) => cell({ before: before.counts[name], now: now.counts[name] })),
    ]);
  });
  return [head(['Counts', ...Object.values(countNames)]), ...lines].join('\n');
}

export function speedTable(speeds: Speeds): string {
  const lines = pathNames.map((path) => {
    const { before, now } = speeds[path];
    return row([
      path,
      cell({ before: before.perSecond, now: now.perSecond }),
      cell({ before: before.p99, now: now.p99 }),
    ]);
  });
  return [head(['Speed', 'a second', 'p99 in ms']), ...lines].join('\n');
}

/** Of the paths that write: bytes by table, with its indexes. */
export function tablesTable(costs: Readonly<Record<PathName, Pair<Pick<SideCost, 'tables'>>>>): string {
  const lines = pathNames.flatMap((path) => {
    const { before, now } = costs[path];
    const nothing: TableWal = { records: 0, bytes: 0 };
    const names = [...new Set([...before.tables.keys(), ...now.tables.keys()])].sort();
    return names.map((name) => {
      const of = { before: before.tables.get(name) ?? nothing, now: now.tables.get(name) ?? nothing };
      return row([
        path,
        `\`${name}\``,
        cell({ before: of.before.records, now: of.now.records }),
        cell({ before: of.before.bytes, now: of.now.bytes }),
      ]);
    });
  });
  return [head(['WAL by table', 'table', 'records', 'bytes']), ...lines].join('\n');
}

const shownOfText = 90;

/** One line, with nothing that would end a cell or the code that it stands in. */
function shortText(text: string): string {
  const line = text
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/[|`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > shownOfText ? `${line.slice(0, shownOfText)}…` : line;
}

/** Those of both builds: a statement whose text has changed has two lines. */
export function statementsTable(
  costs: Readonly<Record<PathName, Pair<Pick<SideCost, 'statements'>>>>,
): string {
  const shown = (of: StatementCost | undefined) =>
    of === undefined ? '–' : `${of.calls} × ${of.rows} rows, ${of.walBytes} B`;
  const keyOf = ({ text, isNested }: StatementCost) => `${isNested} ${text}`;
  const lines = pathNames.flatMap((path) => {
    const all = new Map<string, Partial<Record<(typeof sideNames)[number], StatementCost>>>();
    for (const side of sideNames)
      for (const cost of costs[path][side].statements)
        all.set(keyOf(cost), { ...all.get(keyOf(cost)), [side]: cost });
    return [...all.values()].map(({ before, now }) => {
      const one = now ?? before;
      return row([
        path,
        `${one?.isNested ? '↳ ' : ''}\`${shortText(one?.text ?? '')}\``,
        shown(before),
        shown(now),
      ]);
    });
  });
  return [
    head(['Statements', 'text; ↳ is run by a trigger, a key’s check or a function', 'before', 'now']),
    ...lines,
  ].join('\n');
}

export interface Comparison {
  readonly ref: string;
  /** Short hashes. */
  readonly commits: Pair<string>;
  readonly server: string;
  readonly costs: Costs;
  readonly speeds: Speeds;
  readonly growth: readonly Growth[];
  readonly rounds: { readonly rounds: number; readonly seconds: number };
}

const title = '## Beside the build before';

/** The section of `bench/results.md`, which ends it; empty when there is none. */
export function comparisonIn(results: string): string {
  const at = results.indexOf(`${title}\n`);
  return at < 0 ? '' : results.slice(at);
}

/** The page with this section in place of the one that it has. */
export const withComparison = (results: string, section: string): string =>
  `${`${results.slice(0, results.length - comparisonIn(results).length).trimEnd()}\n\n${section}`.trimEnd()}\n`;

export function comparisonSection(found: Comparison): string {
  const { ref, commits, server, costs, speeds, growth, rounds } = found;
  return `${title}

\`npm run bench -- --against ${ref}\`: ${commits.before} → ${commits.now} (**ratio**), ${server}, both on databases of their own. Counts are exact: one caller, one request at a time,
the least of twelve. \`drain\` is what a worker does about one booking: its polls are among its statements, rows and round trips, which are therefore not judged here. Speeds are the
median of ${rounds.rounds} rounds of ${rounds.seconds} s by turns, 16 connections; load, servers and database share the machine, which may have been busy with other work. Whole pages are not copied to the WAL.

${countsTable(costs)}

${speedTable(speeds)}

${growth.length === 0 ? 'No count grew by more than 3 %.' : `Counts that grew by more than 3 %:\n\n${growth.map((one) => `- ${growthLine(one)}\n`).join('')}`}
`;
}
