/** The programs beside Node that tests need: found, or installed when possible, for the files that use them. */
import { readFileSync } from 'node:fs';
import { provideBrowser } from './browser.ts';
import { provideExim } from './exim.ts';
import { provideKannel } from './kannel.ts';
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
    if ('path' in browser) env['PITLANE_TEST_CHROMIUM'] = browser.path;
    else lack('browser tests', 'PITLANE_TEST_NO_BROWSER', browser.missing);
  }
  if (anyUses('harness/kannel.ts')) {
    const reason = await provideKannel(run);
    if (reason !== null) lack('tests with Kannel', 'PITLANE_TEST_NO_KANNEL', reason);
  }
  if (anyUses('harness/exim.ts')) {
    const reason = await provideExim(run);
    if (reason !== null) lack('tests with Exim', 'PITLANE_TEST_NO_EXIM', reason);
  }
  return { env, skipped };
}
