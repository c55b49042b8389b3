/** `bench/budget.md`: what the hot paths may cost, and why some of them cost more than they did. */
import {
  type CountName,
  type Counts,
  counted,
  countNames,
  type Measured,
  type PathName,
  pathNames,
} from './counts.ts';

export interface Allowed {
  readonly counts: Counts;
  /** Shares by which WAL may differ, records and bytes: 0.01 is 1 %. All else is exact. */
  readonly walTolerance: number;
}

/** A line that says why a count grew. */
export interface Reason {
  readonly path: PathName;
  readonly count: CountName;
  /** The commit that the growth is measured beside. */
  readonly since: string;
  /** How many times what it was. */
  readonly times: number;
  readonly why: string;
}

export interface Budget {
  readonly paths: Readonly<Record<PathName, Allowed>>;
  readonly reasons: readonly Reason[];
}

const titles = Object.values(countNames);
const pathsHead = ['path', ...titles, 'WAL may differ by'];
const reasonsHead = ['path', 'count', 'since', 'times', 'why'];

/** The cells of the table with this head; null when there is none. The table ends with the first line that is no row. */
function cellsUnder(head: readonly string[], text: string): string[][] | null {
  const lines = text.split('\n');
  const at = lines.indexOf(row(head));
  if (at < 0) return null;
  const rest = lines.slice(at + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** Throws an error that names the line which is not of the form. */
export function parseBudget(text: string): Budget {
  const rows = cellsUnder(pathsHead, text);
  const reasons = cellsUnder(reasonsHead, text);
  if (rows === null) throw new Error(`bench/budget.md has no table with the head ${row(pathsHead)}`);
  if (reasons === null) throw new Error(`bench/budget.md has no table with the head ${row(reasonsHead)}`);
  const paths = Object.fromEntries(rows.map(pathOf));
  const missing = pathNames.filter((name) => paths[name] === undefined);
  if (missing.length > 0) throw new Error(`bench/budget.md has no line for ${missing.join(', ')}`);
  return { paths: paths as Budget['paths'], reasons: reasons.map(reasonOf) };
}

function pathOf(cells: readonly string[]): [PathName, Allowed] {
  const [path = '', ...values] = cells;
  const tolerance = /^(\d+(?:\.\d+)?) %$/.exec(values.at(-1) ?? '')?.[1];
  const numbers = values.slice(0, counted.length).map(Number);
  if (
    !isOneOf(pathNames, path) ||
    cells.length !== pathsHead.length ||
    numbers.some((number) => !Number.isInteger(number) || number < 0) ||
    tolerance === undefined
  )
    throw new Error(
      `bench/budget.md: ${row(cells)} is not a path, ${counted.length} whole numbers, and a share in %`,
    );
  const counts = Object.fromEntries(counted.map((name, at) => [name, numbers[at] ?? 0])) as Counts;
  return [path, { counts, walTolerance: Number(tolerance) / 100 }];
}

function reasonOf(cells: readonly string[]): Reason {
  const [path = '', title = '', since = '', times = '', why = ''] = cells;
  const count = counted.find((name) => countNames[name] === title);
  if (
    !isOneOf(pathNames, path) ||
    count === undefined ||
    cells.length !== reasonsHead.length ||
    !/^[0-9a-f]{7,40}$/.test(since) ||
    !(Number(times) > 1) ||
    why === ''
  )
    throw new Error(
      `bench/budget.md: ${row(cells)} is not a path, a count (${titles.join(', ')}), a commit, a number over 1, and a reason`,
    );
  return { path, count, since, times: Number(times), why };
}

const isOneOf = <Of extends string>(all: readonly Of[], value: string): value is Of =>
  all.includes(value as Of);

/** The text with these counts in its first table. A path that does not differ keeps its line; what WAL may differ by stays, and so does all else. */
export function withCounts(text: string, costs: Readonly<Record<PathName, Measured>>): string {
  const { paths } = parseBudget(text);
  const lines = text.split('\n');
  const from = lines.indexOf(row(pathsHead)) + 2;
  const rows = pathNames.map((path) => {
    const allowed = paths[path];
    const found = costs[path].counts;
    const counts = differences(path, allowed, found).length === 0 ? allowed.counts : found;
    const share = Number((allowed.walTolerance * 100).toFixed(3));
    return row([path, ...counted.map((name) => counts[name]), `${share} %`]);
  });
  const end = lines.findIndex((line, at) => at >= from && !line.startsWith('|'));
  return [...lines.slice(0, from), ...rows, ...lines.slice(end)].join('\n');
}

/** What differs from the budget, a line for each count: a path that got cheaper has to be written down as well, or the next growth would go unseen. */
export function differences(path: PathName, { counts, walTolerance }: Allowed, found: Counts): string[] {
  return counted.flatMap((name) => {
    const isWal = name === 'walBytes' || name === 'walRecords';
    const slack = isWal ? Math.floor(counts[name] * walTolerance) : 0;
    const more = found[name] - counts[name];
    if (Math.abs(more) <= slack) return [];
    return [
      `${path}: ${found[name]} ${countNames[name]}, ${more > 0 ? 'more' : 'less'} than the ${counts[name]} of bench/budget.md`,
    ];
  });
}
