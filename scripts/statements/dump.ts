/** Makes `statements.sql`: what the source tells, and what tests send of the rest. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compose, type Entry, entriesOf, merge, parse, readRecords, withTold } from './mirror.ts';
import { recordsSetting, type Sent } from './recorder.ts';
import { type Told, toldStatements } from './told.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The present text with what the source tells now. No test runs, and no database. */
export function dumpTold(): string {
  return compose(present(toldStatements()));
}

/** The same, and what these tests send of composed texts. A failed test makes the process's exit code 1. */
export async function dumpSentBy(tests: readonly string[]): Promise<string> {
  const sent = await sentBy(tests);
  return compose(withTold(merge(parse(textOf('statements.sql')), sent, textOf), toldStatements(), textOf));
}

/** What all tests send. A failed test makes the process's exit code 1. */
export async function dumpSentByAll(): Promise<string> {
  // One server: each has the same statements.
  return compose(entriesOf(await sentBy(['--only', '18'])));
}

/** The entries of `statements.sql` with what the source tells now. */
export function present(told: readonly Told[]): Entry[] {
  return withTold(parse(textOf('statements.sql')), told, textOf);
}

async function sentBy(args: readonly string[]): Promise<Sent[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-statements-'));
  try {
    const run = spawn(process.execPath, [join(root, 'scripts/test.ts'), ...args], {
      env: { ...process.env, [recordsSetting]: folder },
      stdio: 'inherit',
    });
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) process.exitCode = 1;
    const sent = readRecords(folder);
    if (sent.length === 0) throw new Error('the tests have sent no statement');
    return sent;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(file: string): string {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
