/** Ratios, the verdict about counts that grew, and what is printed of two builds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reason } from '../counts/budget.ts';
import type { Counts } from '../counts/counts.ts';
import { ratio } from './pair.ts';
import { comparisonIn, countsTable, statementsTable, withComparison } from './table.ts';
import { growthLine, growthOf } from './verdict.ts';
import { sumByTable } from './wal.ts';

const before: Counts = { statements: 9, rows: 8, walRecords: 47, walBytes: 4_000, roundTrips: 1 };
const both = (now: Partial<Counts>) => ({ before, now: { ...before, ...now } });
const reason = (times: number, why: string): Reason => ({
  ...{ path: 'message', count: 'walBytes', since: 'ddf9029' },
  ...{ times, why },
});

test('a ratio is how many times what it was, also of nothing', () => {
  assert.equal(ratio({ before: 4, now: 5 }), 1.25);
  assert.equal(ratio({ before: 0, now: 0 }), 1);
  assert.equal(ratio({ before: 0, now: 1 }), Number.POSITIVE_INFINITY);
});

test('a count that grew by over 3 % needs a line that says why; one of 3 %, or that fell, needs none', () => {
  const of = (now: Partial<Counts>, reasons: readonly Reason[] = []) =>
    growthOf('message', both(now), reasons);
  assert.deepEqual(of({ walBytes: 4_120, statements: 8 }), []);
  const [growth, ...more] = of({ walBytes: 4_121 });
  assert.deepEqual([growth?.count, growth?.why, more.length], ['walBytes', [], 0]);
  assert.match(growthLine(growth ?? assert.fail()), /4000 → 4121, 1\.03 times: .*does not say why/);
  assert.deepEqual(
    of({ roundTrips: 2 }).map(({ count }) => count),
    ['roundTrips'],
  );
});

test('a line allows as much as it says, lines of one count together, and no line another count or path', () => {
  const why = (now: number, ...reasons: readonly Reason[]) =>
    growthOf('message', both({ walBytes: now }), reasons).map((growth) => growth.why);
  assert.deepEqual(why(4_800, reason(1.2, 'an index')), [['an index']]);
  assert.deepEqual(why(5_000, reason(1.2, 'an index')), [[]]);
  assert.deepEqual(why(5_280, reason(1.2, 'an index'), reason(1.1, 'a trigger')), [
    ['an index', 'a trigger'],
  ]);
  assert.deepEqual(why(4_800, { ...reason(1.2, 'x'), path: 'create' }), [[]]);
  assert.deepEqual(why(4_800, { ...reason(1.2, 'x'), count: 'rows' }), [[]]);
});

test('of a worker only WAL is judged: its polls are among the rest', () => {
  const grown = growthOf('drain', both({ statements: 20, rows: 20, roundTrips: 5, walBytes: 5_000 }), []);
  assert.deepEqual(
    grown.map(({ count }) => count),
    ['walBytes'],
  );
});

test('WAL is summed by table, with its indexes; that of other databases and of no table is left out', () => {
  const line = (file: string, bytes: number) =>
    `rmgr: Heap        len (rec/tot):     54/${String(bytes).padStart(6)}, tx: 9, lsn: 0/1, prev 0/0, desc: INSERT off 3, blkref #0: rel 1663/${file} blk 0`;
  const dump = [
    line('5/100', 186),
    line('5/101', 64),
    line('6/100', 999),
    'rmgr: Transaction len (rec/tot):     34/    34, tx: 9, lsn: 0/2, prev 0/1, desc: COMMIT',
    '',
  ].join('\n');
  const tables = new Map([
    ['5/100', 'message'],
    ['5/101', 'message'],
  ]);
  assert.deepEqual([...sumByTable(dump, tables)], [['message', { records: 2, bytes: 250 }]]);
});

const everyPath = <Of>(of: Of) => ({
  ...{ create: of, read: of, list: of, message: of, availabilities: of, drain: of },
});

test('each count has before, now and its ratio; a text that changed has two lines, cut and closed in', () => {
  const counts = countsTable(
    everyPath({ before: { counts: before }, now: { counts: { ...before, walBytes: 5_000, rows: 0 } } }),
  );
  assert.match(
    counts,
    /\n\| message \| 9 → 9 \(\*\*1\.00\*\*\) \| 8 → 0 \(\*\*0\.00\*\*\) \|.*\| 4,000 → 5,000 \(\*\*1\.25\*\*\) \|/,
  );
  const cost = { isNested: true, calls: 2, rows: 3, walRecords: 1, walBytes: 54 };
  const statements = statementsTable(
    everyPath({
      before: { statements: [{ ...cost, text: 'SELECT a || `b`\n FROM c' }] },
      now: { statements: [{ ...cost, isNested: false, text: `SELECT ${'x'.repeat(200)}` }] },
    }),
  );
  assert.match(statements, /\| message \| ↳ `SELECT a b FROM c` \| 2 × 3 rows, 54 B \| – \|/);
  assert.match(statements, /\| message \| `SELECT x{83}…` \| – \| 2 × 3 rows, 54 B \|/);
});

test('the section takes the place of the one before, and a page that is written again keeps it', () => {
  const page = '# Benchmark\n\nRows.\n';
  const section = '## Beside the build before\n\nA table.\n';
  const once = withComparison(page, section);
  assert.equal(once, `${page}\n${section}`);
  assert.equal(
    withComparison(once, section.replace('A', 'Another')),
    once.replace('A table', 'Another table'),
  );
  assert.equal(
    withComparison('# Benchmark\n\nNew.\n', comparisonIn(once)),
    `# Benchmark\n\nNew.\n\n${section}`,
  );
  assert.equal(withComparison(page, comparisonIn(page)), page);
});
