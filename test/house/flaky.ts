/** House rules about flaky tests: those that were seen are mended soon, and what must never be forgiven says so. */
import { type Flake, flakyRow, readFlake } from '../../scripts/test/flaky.ts';
import { never } from '../../scripts/test/forgive.ts';
import { type Finding, finding, type Rule } from './rule.ts';
import { isTest, type SourceFile } from './source.ts';

const page = 'test/flaky.md';
const daysAtMost = 14;
const dayMs = 86_400_000;

/** Midnight UTC of a date like 2026-11-28, in milliseconds; null for what is no date. */
function dayOf(date: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date ? null : at;
}

/** The test's own name, its suites' left out, is a literal of its file, or what a template of it makes. */
function isThere({ file, test }: Flake, files: readonly SourceFile[]): boolean {
  const source = files.find(({ path }) => path === file);
  const title = test.split(' › ').at(-1) ?? '';
  if (source === undefined || title === '') return source !== undefined;
  return (
    source.literals.some(({ text }) => text.replaceAll('\\', '') === title) ||
    [...source.text.matchAll(/`([^`]*\$\{[^`]*)`/g)].some(([, template = '']) => {
      const parts = template.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
      return parts.join('').length > 3 && new RegExp(`^${parts.join('.*')}$`, 's').test(title);
    })
  );
}

function wrongWith(flake: Flake | string, files: readonly SourceFile[]): string | null {
  if (typeof flake === 'string') return 'has not the four cells file, test, message, date';
  const seen = dayOf(flake.date);
  if (seen === null) return `"${flake.date}" is no date like 2026-11-28`;
  const days = Math.floor((Date.now() - seen) / dayMs);
  if (days > daysAtMost) return `was seen ${days} days ago`;
  return isThere(flake, files) ? null : `${flake.file} has no test "${flake.test}"`;
}

function flakesOf(file: SourceFile, files: readonly SourceFile[]): Finding[] {
  let at = 0;
  return file.text.split('\n').flatMap((line) => {
    const start = at;
    at += line.length + 1;
    const flake = readFlake(line);
    const wrong = flake === null ? null : wrongWith(flake, files);
    return wrong === null ? [] : [finding(file, start, wrong)];
  });
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const sample = (flake: Partial<Flake>) => ({
  'src/a.test.ts': `test('it | works', f);\ntest(\`round \${n} of it\`, f);`,
  [page]: `# Flaky\n\n| File | Test | Message | Date |\n| --- | --- | --- | --- |\n${flakyRow({
    ...{ file: 'src/a.test.ts', test: 'a suite › it | works', message: 'waited', date: daysAgo(1) },
    ...flake,
  })}\n`,
});

const mendedSoon: Rule = {
  name: 'a flaky test is mended within 14 days',
  instead: `mend the test or the product, and delete its line of ${page}; the line of a test that was renamed is changed, that of one that is gone deleted`,
  find: (files) => files.filter(({ path }) => path === page).flatMap((file) => flakesOf(file, files)),
  bad: [
    sample({ date: daysAgo(daysAtMost + 1) }),
    sample({ date: '2026-02-30' }),
    sample({ date: 'yesterday' }),
    sample({ file: 'src/b.test.ts' }),
    sample({ test: 'it works not' }),
    sample({ test: 'round 3 of them' }),
    { [page]: '| src/a.test.ts | it works | 2026-11-28 |\n' },
  ],
  good: [
    sample({}),
    sample({ date: daysAgo(daysAtMost) }),
    sample({ test: 'round 3 of it' }),
    sample({ test: '' }),
    { [page]: '# Flaky\n\n| File | Test | Message | Date |\n| --- | --- | --- | --- |\n' },
  ],
};

/** Files of this name kill, or race. */
const bold = /(?:^|[-/])(?:kill|crash|races?|contention|evidence|lost|last-place)[-.][^/]*test\.ts$/;
/** A process is killed; one that is only cleaned away is not what the test is about. */
const kills = /^(?!.*(?:after\(|exitCode)).*\b(?:end|kill)\(.*'SIGKILL'|\b(?:kannel|exim|smsc)\.kill\(/gm;
/** What gateways and webhooks were sent is counted. */
const counts = /\bassertNothingLost\(|\.(?:sent|to\([^()]*\)|carriedTo\([^()]*\))\.length, \d/g;

const saysAlways: Rule = {
  name: 'a test that kills, races or counts what was sent says always:',
  instead: `begin the title of each test about a double, a loss, an order, a place, money, tenancy or a permission with "${never} ": a run forgives it no time-out`,
  find: (files) =>
    files
      .filter((file) => isTest(file) && !file.literals.some(({ text }) => text.includes(never)))
      .flatMap((file) => {
        const [match] = [...file.text.matchAll(kills), ...file.text.matchAll(counts)];
        if (match !== undefined) return [finding(file, match.index, match[0].trim())];
        return bold.test(file.path) ? [finding(file, 0, 'has no such title')] : [];
      }),
  bad: [
    { 'src/a/races.test.ts': "test('two at once', f);" },
    { 'test/last-place.test.ts': "// always: one\ntest('two at once', f);" },
    { 'src/a.test.ts': "await server.end('SIGKILL');" },
    { 'src/a.test.ts': "child.kill('SIGKILL');" },
    { 'src/a.test.ts': "process.kill(postmasterOf(dataDir), 'SIGKILL');" },
    { 'src/a.test.ts': "await kannel.kill('smsbox');" },
    { 'src/a.test.ts': 'assert.equal(app.sms.to(phone).length, 1);' },
    { 'src/a.test.ts': 'await assertNothingLost(db, load.created);' },
  ],
  good: [
    { 'src/a/races.test.ts': "test('always: one of two is refused', f);" },
    { 'src/a.test.ts': "t.after(() => child.kill('SIGKILL'));\nserver.end('SIGTERM');" },
    { 'src/a.test.ts': 'assert.equal(app.sms.to(phone).at(-1)?.body, text);' },
    { 'src/races.ts': 'assert.equal(app.sms.to(phone).length, 1);' },
  ],
};

export const flakyRules: readonly Rule[] = [mendedSoon, saysAlways];
