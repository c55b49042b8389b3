/** What a piece of work costs the database, in numbers that do not depend on how busy the machine is. */

/** The hot paths whose counts are held: five requests, and what a booking's notices cost until they are sent. */
export const pathNames = ['create', 'read', 'list', 'message', 'availabilities', 'drain'] as const;
export type PathName = (typeof pathNames)[number];

/** In the order of the columns of `bench/budget.md`, with their titles there. */
export const countNames = {
  statements: 'statements',
  rows: 'rows',
  walRecords: 'WAL records',
  walBytes: 'WAL bytes',
  roundTrips: 'round trips',
} as const;
export type CountName = keyof typeof countNames;
export const counted = Object.keys(countNames) as CountName[];

export type Counts = Readonly<Record<CountName, number>>;

/** One text of SQL. */
export interface StatementCost {
  readonly text: string;
  /** True of one that a trigger, a foreign key's check or a function has run. */
  readonly isNested: boolean;
  readonly calls: number;
  readonly rows: number;
  readonly walRecords: number;
  /** With those of the statements that are nested in it. */
  readonly walBytes: number;
}

export interface Measured {
  readonly counts: Counts;
  readonly statements: readonly StatementCost[];
}

/**
 * Of the same work done several times, the least of each count: pages that were split, rows that were pruned and a poll that
 * came in between only add. All else is of the time that wrote least.
 */
export function least<Of extends Measured>(found: readonly Of[]): Of {
  const of = (name: CountName) => Math.min(...found.map(({ counts }) => counts[name]));
  const [best] = found.toSorted(
    (a, b) => a.counts.walBytes - b.counts.walBytes || a.counts.statements - b.counts.statements,
  );
  if (best === undefined) throw new Error('nothing was measured');
  return { ...best, counts: Object.fromEntries(counted.map((name) => [name, of(name)])) as Counts };
}
