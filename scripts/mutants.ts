/** `npm run mutants`: breaks one rule of the product at a time, in a copy of it, and looks whether the tests notice (docs/testing.md). */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { mutants } from '../test/mutants/mutants.ts';
import { endAll, run } from './test/run.ts';

const usage = `npm run mutants              each mutation with the test that must fail; takes some minutes
npm run mutants -- NAME …    these alone (test/mutants/NAME.patch)
`;
const root = join(import.meta.dirname, '..');
const say = (line: string) => process.stdout.write(`${line}\n`);

/** What is tracked or would be, as it is now; the dependencies are those of this folder. */
function copyOf(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0'))
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => mutants.every((mutant) => mutant.name !== name));
  if (unknown.length > 0) throw new Error(`there is no mutation ${unknown.join(', ')}`);
  const chosen = mutants.filter(({ name }) => names.length === 0 || names.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  copyOf(folder);
  const git = async (...args: string[]) => (await run('git', ['-C', folder, 'apply', ...args])).code === 0;
  const tests = (files: readonly string[]) =>
    run(process.execPath, [join(folder, 'bin/run.mjs'), join(folder, 'scripts/test.ts'), ...files], {
      cwd: folder,
    });

  const files = [...new Set(chosen.map(({ test }) => test))];
  say(`${files.length} test files without a mutation …`);
  const before = await tests(files);
  if (before.code !== 0) throw new Error(`${before.output}\nthey fail without a mutation`);

  const unnoticed: string[] = [];
  for (const [n, { name, rule, test }] of chosen.entries()) {
    const patch = join(root, 'test/mutants', `${name}.patch`);
    const startedAt = performance.now();
    const isApplied = await git(patch);
    const { code, output } = isApplied ? await tests([test]) : { code: 0, output: '' };
    const isNoticed = code !== 0;
    if (isApplied && !(await git('--reverse', patch))) throw new Error(`${name} can't be taken back`);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const what = isNoticed ? 'noticed' : isApplied ? 'NOT NOTICED' : 'DOES NOT APPLY';
    const [, failed = test] = / › (.*)/.exec(output) ?? [];
    say(
      `${isNoticed ? styleText('green', '✔') : styleText('red', '✖')} ${n + 1}/${chosen.length} ${name}: ${what}, ${seconds} s: ${failed}`,
    );
    if (!isNoticed) unnoticed.push(`${name} (${what.toLowerCase()}): ${rule}`);
  }
  if (unnoticed.length === 0) {
    say(`\nAll ${chosen.length} mutations were noticed.`);
    return;
  }
  say(`\n${unnoticed.length} of ${chosen.length} mutations were not:\n  ${unnoticed.join('\n  ')}`);
  process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    endAll();
    process.exit(130);
  });

try {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(usage);
  else await main(positionals);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
