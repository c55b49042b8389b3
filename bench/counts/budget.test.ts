/** The form of `bench/budget.md`, and what differs from it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, parseBudget, withCounts } from './budget.ts';
import { type Counts, least, type Measured, pathNames } from './counts.ts';

const head =
  '| path | statements | rows | WAL records | WAL bytes | round trips | WAL may differ by |\n|---|---|---|---|---|---|---|';
const reasonsHead = '| path | count | since | times | why |\n|---|---|---|---|---|';
const page = (rows: readonly string[], reasons: readonly string[] = []) =>
  ['# What', '', head, ...rows, '', 'Text.', '', reasonsHead, ...reasons, ''].join('\n');
const all = (changed: Partial<Record<string, string>> = {}) =>
  pathNames.map((name) => changed[name] ?? `| ${name} | 6 | 5 | 30 | 4000 | 1 | 0.5 % |`);
const counts: Counts = { statements: 6, rows: 5, walRecords: 30, walBytes: 4_000, roundTrips: 1 };

test('a budget is read: counts, tolerances, and why some grew', () => {
  const reason = '| message | WAL bytes | ddf9029 | 1.2 | an index for the inbox |';
  const budget = parseBudget(page(all({ drain: '| drain | 60 | 46 | 220 | 20873 | 45 | 2 % |' }), [reason]));
  assert.deepEqual(budget.paths.create, { counts, walTolerance: 0.005 });
  assert.equal(budget.paths.drain.counts.walBytes, 20_873);
  assert.equal(budget.paths.drain.walTolerance, 0.02);
  assert.deepEqual(budget.reasons, [
    { path: 'message', count: 'walBytes', since: 'ddf9029', times: 1.2, why: 'an index for the inbox' },
  ]);
});

test('a line that is not of the form is named, and so is a path without one', () => {
  const refused = (rows: readonly string[], pattern: RegExp, reasons: readonly string[] = []) =>
    assert.throws(() => parseBudget(page(rows, reasons)), pattern);
  refused(all().slice(1), /no line for create/);
  refused(all({ read: '| raed | 6 | 5 | 30 | 4000 | 1 | 0.5 % |' }), /raed .* is not a path/);
  refused(all({ read: '| read | 6 | 5 | 30 | 4000 | 1 | 0.5 |' }), /\| 0\.5 \| is not/);
  refused(all({ read: '| read | 6.5 | 5 | 30 | 4000 | 1 | 0 % |' }), /6\.5/);
  refused(all({ read: '| read | 6 | 5 | 30 | 4000 | 0 % |' }), /is not a path/);
  for (const bad of [
    '| message | WAL | ddf9029 | 1.2 | why |',
    '| message | WAL bytes | main | 1.2 | why |',
    '| message | WAL bytes | ddf9029 | 0.9 | why |',
    '| message | WAL bytes | ddf9029 | 1.2 |  |',
  ])
    refused(all(), /is not a path, a count/, [bad]);
  assert.throws(() => parseBudget('# What'), /no table/);
});

test('counts that are written again leave the rest of the page, and are read back', () => {
  const before = page(all());
  const written = (walBytes: number) => {
    const measured: Measured = { counts: { ...counts, walBytes }, statements: [] };
    const costs = Object.fromEntries(pathNames.map((name) => [name, measured]));
    return withCounts(before, costs as Parameters<typeof withCounts>[1]);
  };
  assert.equal(written(4_100), before.replaceAll('4000', '4100'));
  assert.equal(parseBudget(written(4_100)).paths.list.counts.walBytes, 4_100);
  assert.equal(written(4_020), before, 'what WAL may differ by changes no line');
});

test('a count differs upwards and downwards; WAL may by its share, rounded down', () => {
  const of = (changes: Partial<Counts>) =>
    differences('message', { counts, walTolerance: 0.005 }, { ...counts, ...changes });
  assert.deepEqual(of({}), []);
  assert.deepEqual(of({ walBytes: 4_020 }), []);
  assert.deepEqual(of({ walBytes: 3_980 }), []);
  assert.match(of({ walBytes: 4_021 }).join(), /^message: 4021 WAL bytes, more than the 4000 /);
  assert.match(of({ walRecords: 31 }).join(), /31 WAL records, more/);
  assert.match(of({ statements: 5 }).join(), /5 statements, less than the 6/);
  assert.equal(of({ rows: 6, roundTrips: 2 }).length, 2);
});

test('of several times each count is the least, and all else is of the time that wrote least', () => {
  const of = (text: string, changes: Partial<Counts>): Measured => ({
    counts: { ...counts, ...changes },
    statements: [{ text, isNested: false, calls: 1, rows: 1, walRecords: 1, walBytes: 1 }],
  });
  const polled = of('polled', { statements: 7, roundTrips: 2 });
  const best = of('best', { statements: 7, walBytes: 3_900 });
  const found = least([polled, of('split', { walBytes: 12_000, walRecords: 31 }), best]);
  assert.deepEqual(found.counts, { ...counts, walBytes: 3_900 });
  assert.equal(found.statements, best.statements);
  assert.throws(() => least([]), /nothing was measured/);
});
