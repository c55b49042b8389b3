/** Makes `statements.sql` by running tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compose, entriesOf, merge, parse, readRecords } from './mirror.ts';
import { recordsSetting } from './recorder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What all tests send, or the present text with what these tests send. A failed test makes the process's exit code 1. */
export async function dumpStatements(tests: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-statements-'));
  try {
    // One server: each has the same statements.
    const args = tests.length > 0 ? tests : ['--only', '18'];
    const run = spawn(process.execPath, [join(root, 'scripts/test.ts'), ...args], {
      env: { ...process.env, [recordsSetting]: folder },
      stdio: 'inherit',
    });
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) process.exitCode = 1;
    const sent = readRecords(folder);
    if (sent.length === 0) throw new Error('the tests have sent no statement');
    if (tests.length === 0) return compose(entriesOf(sent));
    return compose(merge(parse(textOf('statements.sql')), sent, textOf));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(file: string): string {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
