/** The programs beside Node that tests need: found, or installed when possible, for the files that use them. */
import { readFileSync } from 'node:fs';
import { provideBrowser } from './browser.ts';
import { programs, provideProgram } from './programs.ts';
import type { Run } from './run.ts';

export interface Tools {
  /** Environment that tells the tests where the programs are, or why they are missing. */
  readonly env: Readonly<Record<string, string>>;
  /** Lines about skipped tests. */
  readonly skipped: readonly string[];
}

/** Never rejects. One after the other, since apt-get allows one run at a time. */
export async function provideTools(run: Run, files: readonly string[]): Promise<Tools> {
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const anyUses = (path: string) => texts.some((text) => text.includes(path));
  const env: Record<string, string> = {};
  const skipped: string[] = [];
  const lack = (what: string, variable: string, reason: string) => {
    env[variable] = reason;
    skipped.push(`- ${what.padEnd(30)} skipped: ${reason}`);
  };
  if (anyUses('harness/browser.ts')) {
    const browser = await provideBrowser(run);
    if ('path' in browser) {
      env['PITLANE_TEST_CHROMIUM'] = browser.path;
      env['PITLANE_TEST_HEADLESS_SHELL'] = browser.shell ?? '';
    } else lack('browser tests', 'PITLANE_TEST_NO_BROWSER', browser.missing);
  }
  for (const program of programs) {
    if (!anyUses(program.harness)) continue;
    const reason = await provideProgram(run, program);
    if (reason !== null) lack(`tests with ${program.name}`, program.variable, reason);
  }
  return { env, skipped };
}
