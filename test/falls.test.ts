/** What `npm test` does about a file that falls: only waits are forgiven, and only once; and how `--strain` finds it before. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { shuffled } from '../scripts/test/seed.ts';
import { findFaketime } from '../scripts/test/strain/faketime.ts';
import { strainHours } from '../scripts/test/strain/hours.ts';
import { childEnvironment } from './harness/child.ts';

const folder = fileURLToPath(new URL('fixtures/suite/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'pitlane-suite-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs files as a whole run does. */
function runForgiving(files: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const { status, stdout } = spawnSync(process.execPath, [`${folder}run-forgiving.ts`, ...files], {
    env: childEnvironment(settings),
    encoding: 'utf8',
  });
  return { status, lines: stdout.split('\n') };
}

/** The fixture that falls when it runs first, in these ways; `ranAgain` is the setting that its second run had. */
function fallsOnce(kinds: string) {
  const mark = join(scratch, kinds);
  const told = runForgiving([`${folder}falls-once.ts`], { SUITE_MARK: mark, SUITE_KINDS: kinds });
  const flaky = told.lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ').slice(1, -1));
  const runs = told.lines.filter((line) => /^ {2}[✔✖] .*falls-once\.ts {2}/.test(line)).length;
  return { ...told, flaky, runs };
}

test('a file that fell by waits and limits of time runs once more, alone, and is forgiven when it passes then', () => {
  const { status, lines, flaky, runs } = fallsOnce('limit,wait');
  assert.equal(status, 0, lines.join('\n'));
  assert.equal(runs, 2);
  assert.deepEqual(flaky, [
    ['takes its time', 'test timed out after 50ms'],
    ['waits \\| for it', 'waited 0.1 s in vain: it is there'],
  ]);
  assert.ok(lines.includes('ℹ fail 0') && lines.some((line) => line.startsWith('Flaky, ')), lines.join('\n'));
  // With what its first run was given.
  assert.equal(readFileSync(join(scratch, 'limit,wait'), 'utf8'), '7');
});

for (const [what, kinds, expectedRuns] of [
  ['a file that falls alone too fails the run', 'wait,twice', 2],
  ['a test whose title says always: is not forgiven, whatever it failed by', 'always', 1],
  ['an assertion that fails is not forgiven, and does not run again', 'assertion', 1],
  ['nor is a wait beside it', 'wait,assertion', 1],
] as const)
  test(what, () => {
    const { status, lines, flaky, runs } = fallsOnce(kinds);
    assert.deepEqual([status, runs, flaky], [1, expectedRuns, []], lines.join('\n'));
  });

test('the seventh file that fails ends the run at once, and none runs again', () => {
  const waiting = join(scratch, 'waits.test.ts');
  const ended = join(scratch, 'ended');
  const made = Array.from({ length: 8 }, (_, at) => join(scratch, `${at}.test.ts`));
  for (const path of made)
    writeFileSync(
      path,
      "require('node:test').test('waits', { timeout: 1 }, () => new Promise((r) => setTimeout(r, 99)));",
    );
  const waits = `require('node:test').test('waits', () => new Promise((r) => setTimeout(() => r(require('node:fs').writeFileSync('${ended}', '')), 60_000)));`;
  writeFileSync(waiting, waits);
  const startedAt = performance.now();
  const six = runForgiving(made.slice(0, 6));
  assert.equal(
    six.lines.filter((line) => line.startsWith('Once more, alone')).length,
    6,
    six.lines.join('\n'),
  );
  const { status, lines } = runForgiving([waiting, ...made]);
  assert.equal(status, 1);
  assert.ok(lines.includes('✖ 7 files failed: something is broken, so the run ends here'), lines.join('\n'));
  assert.equal(lines.filter((line) => line.startsWith('  ✖ ') && line.includes('1 test')).length, 7);
  assert.ok(!lines.some((line) => line.startsWith('Once more, alone')));
  assert.ok(!existsSync(ended) && performance.now() - startedAt < 55_000);
});

test('a process that ends is one failure, however many files it had to run: the others go on', () => {
  const [ends, passes] = [join(scratch, 'ends.test.ts'), join(scratch, 'passes.test.ts')];
  writeFileSync(ends, "require('node:test').test('ends', () => process.exit(3));");
  writeFileSync(passes, "require('node:test').test('passes', () => undefined);");
  const never = Array.from({ length: 8 }, (_, at) => join(scratch, `never-${at}.test.ts`));
  for (const path of never) writeFileSync(path, "require('node:test').test('never', () => undefined);");
  const { status, lines } = runForgiving([[ends, ...never].join(','), passes]);
  assert.equal(status, 1);
  assert.ok(!lines.some((line) => line.includes('something is broken')), lines.join('\n'));
  assert.ok(
    lines.some((line) => line.startsWith('  ✔ ') && line.includes('passes.test.ts')),
    lines.join('\n'),
  );
});

test('strain finds what falls at an hour, with a PostgreSQL and child processes that see the same hour, and runs it again there', {
  skip: findFaketime() === null && 'there is no faketime: apt-get install faketime',
}, () => {
  const { status, stdout } = spawnSync(process.execPath, [`${folder}strain.ts`, `${folder}falls-late.ts`], {
    env: childEnvironment({}),
    encoding: 'utf8',
  });
  assert.equal(status, 1, stdout);
  const [, ...rows] = stdout.slice(stdout.indexOf('| File |')).trim().split('\n').slice(1);
  const cells = rows.map((row) => row.split(' | '));
  assert.deepEqual(
    [rows.length, cells[0]?.slice(1)],
    [1, ['23:50 UTC', '12', '2 of 2', 'holds a minute until tomorrow', 'tomorrow has begun |']],
    stdout,
  );
});

test('strain has each hour ahead: before the next switch, on a 31 January, and ten minutes before a day ends', () => {
  for (const [now, ...expected] of [
    ['2026-11-28T18:00:00Z', '2027-04-03T15:40:00Z', '2027-01-31T01:00:00Z', '2026-11-28T23:50:00Z'],
    ['2027-01-31T23:55:00Z', '2027-04-03T15:40:00Z', '2028-01-31T01:00:00Z', '2027-02-01T23:50:00Z'],
    ['2027-06-01T00:00:00Z', '2027-10-02T15:40:00Z', '2028-01-31T01:00:00Z', '2027-06-01T23:50:00Z'],
  ] as const) {
    const at = Temporal.Instant.from(now);
    const hours = strainHours(at).map(({ fromNowMs }) => `${at.add({ milliseconds: fromNowMs })}`);
    assert.deepEqual(hours, expected);
  }
});

test('the same seed shuffles in the same way, another in another', () => {
  const all = Array.from({ length: 20 }, (_, at) => at);
  assert.deepEqual(shuffled(all, 1), shuffled(all, 1));
  assert.notDeepEqual(shuffled(all, 1), shuffled(all, 2));
  assert.deepEqual(
    shuffled(all, 1).sort((a, b) => a - b),
    all,
  );
});
