/** How `npm test` treats files that share a process: no file passes without running, and none affects the next. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { testsReached } from '../scripts/test/changed.ts';
import { cpuOf } from '../scripts/test/cpu.ts';
import { patterns, planFor } from '../scripts/test/plan.ts';
import { createReport } from '../scripts/test/report.ts';
import { noCounts } from '../scripts/test/results.ts';
import { runLanes } from '../scripts/test/schedule.ts';
import { childEnvironment } from './harness/child.ts';
import { parseSource } from './house/source.ts';

interface Told {
  readonly file: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly (readonly [name: string, message: string])[];
  readonly skipped: readonly string[];
  readonly cpuMs: number | null;
}

const onLinux = { skip: process.platform !== 'linux' && 'only Linux tells the CPU of other processes' };
const folder = fileURLToPath(new URL('fixtures/suite/', import.meta.url));

/** Runs fixtures in one process. */
function runFiles(...names: readonly string[]): Told[] {
  const files = names.map((name) => `${folder}${name}.ts`);
  const output = execFileSync(process.execPath, [`${folder}run.ts`, ...files], {
    env: childEnvironment({}),
    encoding: 'utf8',
  });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((told: Told) => ({ ...told, file: told.file.slice(folder.length, -'.ts'.length) }));
}

const several = ['passes', 'needs-timers', 'fails', 'cannot-load', 'no-test'];
const all = runFiles(...several, 'burns', 'child-burns', 'logs-error', 'never-logs');
const toldOf = (...names: readonly string[]) => names.map((name) => all.find(({ file }) => file === name));

test('each file has its own result, and a failure in one leaves the others alone', () => {
  assert.equal(all.length, 9);
  const told = all
    .slice(0, several.length)
    .map(({ file, counts, failures }) => [
      file,
      [counts['tests'], counts['pass'], counts['fail'], counts['cancelled'], counts['skipped']],
      failures.map(([name, message]) => `${name}: ${message.split('\n')[0]}`),
    ]);
  assert.deepEqual(told, [
    ['passes', [2, 1, 0, 0, 1], []],
    ['needs-timers', [1, 1, 0, 0, 0], []],
    ['fails', [2, 1, 1, 0, 0], ['arithmetic › is strange: Expected values to be strictly equal:']],
    [
      'cannot-load',
      [2, 0, 1, 1, 0],
      ['is never run: test did not finish before its parent and was cancelled', ': broken on the way'],
    ],
    ['no-test', [1, 0, 1, 0, 0], [': there is no test in this file']],
  ]);
  assert.deepEqual(all[0]?.skipped, ['is skipped (no reason given)']);
});

test('a line that was logged as an error fails its test unless one has named it, and then it must come', () => {
  const [logs, never] = toldOf('logs-error', 'never-logs');
  assert.deepEqual(
    logs?.failures.map(([name]) => name),
    ['does not name it'],
  );
  assert.match(logs?.failures[0]?.[1] ?? '', /named by no expectErrors\(\):\n.*a surprise/);
  assert.deepEqual([logs?.counts['pass'], logs?.counts['fail']], [2, 1]);
  assert.match(never?.failures[0]?.[1] ?? '', /never written/);
});

test('an error that nobody has caught fails the test during which it came', () => {
  const [escapes, next] = runFiles('escapes', 'needs-timers');
  assert.deepEqual(escapes?.failures, [
    ['leaves a promise alone', 'nobody awaits this'],
    ['throws in a callback', 'nobody can catch this'],
  ]);
  assert.deepEqual([escapes.counts['pass'], next?.counts['pass']], [2, 1]);
});

test('a process that ends early fails the file that it was at, and those that it did not get to', () => {
  const told = runFiles('exits', 'needs-timers');
  assert.deepEqual(
    told.map(({ file, counts }) => [file, counts['fail']]),
    [
      ['exits', 1],
      ['needs-timers', 1],
    ],
  );
});

test(
  'a file is charged with the CPU of its own process and of its children, and no other file is',
  onLinux,
  () => {
    const [, itself, child, last] = runFiles('passes', 'burns', 'child-burns', 'needs-timers');
    const cpuMs = [itself, child, last].map((told) => told?.cpuMs ?? 0);
    assert.ok((cpuMs[0] ?? 0) >= 290 && (cpuMs[1] ?? 0) >= 290, `${cpuMs}`);
    assert.ok((cpuMs[2] ?? 0) < 200, `${cpuMs}`);
  },
);

test('the CPU of a process has that of its children, of those that still run too', onLinux, async () => {
  const before = cpuOf(process.pid) ?? 0;
  const burn =
    'while (process.cpuUsage().user < 3e5) for (let n = 0; n < 1e6; n++); console.log(); setInterval(() => 0, 1e6)';
  const child = spawn(process.execPath, ['-e', burn]);
  await once(child.stdout, 'data');
  const whileItRuns = (cpuOf(process.pid) ?? 0) - before;
  child.kill('SIGTERM');
  await once(child, 'close');
  const afterwards = (cpuOf(process.pid) ?? 0) - before;
  assert.ok(whileItRuns >= 290 && afterwards >= whileItRuns - 20, `${whileItRuns}, ${afterwards}`);
});

test('the report tells the CPU of each file, folder and server, the most expensive first', () => {
  const lines: string[] = [];
  const report = createReport((line) => lines.push(stripVTControlCharacters(line)));
  const files = Array.from(
    { length: 12 },
    (_, at) => `src/product/${at < 6 ? 'bookings' : 'quotes'}/${at}.test.ts`,
  );
  for (const [at, file] of [...files, 'test/ended.test.ts'].entries()) {
    const cpuMs = file.startsWith('test') ? null : at * 1000;
    const counts = { ...noCounts(), tests: 1, pass: 1 };
    report.add({ file, counts, failures: [], skipped: [], durationMs: 500, cpuMs }, '');
  }
  report.close(60_000, { servers: [{ label: 'PostgreSQL 18', cpuMs: 20_000 }], totalMs: 100_000 });

  assert.ok(lines.includes('  ✔ src/product/bookings/5.test.ts  1 test  0.5 s, CPU 5.0 s'));
  assert.ok(lines.includes('  ✔ test/ended.test.ts  1 test  0.5 s'));
  const after = (title: string, count: number) =>
    lines.slice(lines.indexOf(`\n${title}`) + 1).slice(0, count);
  assert.deepEqual(after('Most CPU:', 2), [
    '    11.0 s  src/product/quotes/11.test.ts',
    '    10.0 s  src/product/quotes/10.test.ts',
  ]);
  assert.deepEqual(after('CPU by folder:', 3), [
    '    51.0 s  src/product/quotes',
    '    15.0 s  src/product/bookings',
    '     0.0 s  test',
  ]);
  assert.equal(lines.at(-1), 'ℹ cpu 100.0 s: tests 66.0 s, PostgreSQL 18 20.0 s, checks and the rest 14.0 s');

  report.close(60_000, null);
  assert.equal(lines.at(-1), 'ℹ duration_ms 60000');
});

test('the last page of the report repeats each failure with the beginning of its error', () => {
  const lines: string[] = [];
  const report = createReport((line) => lines.push(stripVTControlCharacters(line)));
  const error = new Error(['not so', ...Array(40).fill('more')].join('\n'));
  const failure = { name: 'it works', error, kind: 'wrong' as const };
  const counts = { ...noCounts(), tests: 1, fail: 1 };
  const file = { file: 'test/a.test.ts', counts, skipped: [], durationMs: 500, cpuMs: 1 };
  report.add({ ...file, failures: [failure] }, 'PostgreSQL 15');
  lines.length = 0;
  report.close(60_000, null);
  const last = lines.join('\n').split('\n');
  const from = last.indexOf('  ✖ test/a.test.ts  (PostgreSQL 15) › it works');
  assert.equal(last[from + 1], '    Error: not so');
  assert.equal(last.filter((line) => line === '    more').length, 14);
});

test('lanes run that many pieces at once, in their order, and begin none after a failure', async () => {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const piece = (name: string, work: Promise<void>) => () => {
    begun.push(name);
    return work;
  };
  const running = runLanes([
    { slots: 1, pieces: [piece('a', gate.promise), piece('b', Promise.resolve())] },
    { slots: 2, pieces: [piece('c', gate.promise), piece('d', gate.promise), piece('e', gate.promise)] },
  ]);
  assert.deepEqual(begun, ['a', 'c', 'd']);
  gate.resolve();
  await running;
  assert.deepEqual(begun.sort(), ['a', 'b', 'c', 'd', 'e']);

  const afterwards: string[] = [];
  const broken = piece('broken', Promise.reject(new Error('broken')));
  const late = async () => void afterwards.push('late');
  await assert.rejects(runLanes([{ slots: 1, pieces: [broken, late] }]), /broken/);
  assert.deepEqual(afterwards, []);
});

test('a change reaches the tests that import it, the nearest first, and those that name a page', () => {
  const repository = Object.entries({
    'src/a.ts': '',
    'src/b.ts': "import './a.ts';",
    'src/b.test.ts': "import './b.ts';",
    'src/a.test.ts': "import '#a.ts';",
    'src/c.test.ts': "read('docs/errors.md');",
    'src/d.test.ts': '',
    'packages/e/src/index.ts': '',
    'src/f/count.sql': '-- Edition 1.',
    'src/f/f.test.ts': '',
    'src/e.test.ts': "const { e } = await import('#e'); const id = '#d';",
  }).map(([path, text]) => parseSource(path, text));
  assert.deepEqual(testsReached(repository, ['src/a.ts']), ['src/a.test.ts', 'src/b.test.ts']);
  assert.deepEqual(testsReached(repository, ['docs/errors.md']), ['src/c.test.ts']);
  assert.deepEqual(testsReached(repository, ['src/d.test.ts']), ['src/d.test.ts']);
  assert.deepEqual(testsReached(repository, ['packages/e/src/index.ts']), ['src/e.test.ts']);
  assert.deepEqual(testsReached(repository, ['src/f/count.sql']), ['src/f/f.test.ts']);
});

const root = fileURLToPath(new URL('..', import.meta.url));

test('the plan runs each file once; a few files have a process each', () => {
  const all = globSync('{src,packages,test}/**/*.test.ts', { cwd: root }).sort();
  for (const files of [all, all.slice(0, 60), all.slice(0, 5), []]) {
    const { waiting, busy } = planFor(files);
    assert.deepEqual([...waiting, ...busy].flat().sort(), files);
    assert.ok([...waiting, ...busy].every((group) => group.length > 0));
  }
  const { waiting, busy } = planFor(['src/a.test.ts', 'test/crash.test.ts', 'src/b.test.ts']);
  assert.deepEqual([waiting, busy], [[['test/crash.test.ts']], [['src/a.test.ts'], ['src/b.test.ts']]]);
});

test('each pattern of the plan names a test file', () => {
  assert.deepEqual(
    patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0),
    [],
  );
});
