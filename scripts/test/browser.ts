/** Finds Chromium for the browser tests, and installs Debian's where that can be done. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Run } from './run.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const limitMs = 5 * 60_000;

export type Browser = { readonly path: string } | { readonly missing: string };

function find(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = [
    process.env['PITLANE_TEST_CHROMIUM'] ?? '',
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
  ];
  return [...paths, ...elsewhere].find((path) => path !== '' && existsSync(path));
}

/** Resolves to where Chromium is, or to why there is none; takes five minutes at most and never rejects. */
export async function provideBrowser(run: Run): Promise<Browser> {
  const present = find();
  if (present !== undefined) return { path: present };
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return { missing: 'there is no Chromium, and no apt-get to install it with' };
  }
  if (process.getuid?.() !== 0)
    return { missing: 'there is no Chromium, and only root can install it: apt-get install chromium' };
  const deadline = AbortSignal.timeout(limitMs);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { code, output } = await run('apt-get', ['-q', ...args], { env, signal: deadline });
    if (code !== 0) {
      const reason = deadline.aborted
        ? `not done in ${limitMs / 60_000} minutes`
        : output.trim().split('\n').at(-1);
      return { missing: `apt-get ${args[0]} failed: ${reason}` };
    }
  }
  const installed = find();
  return installed === undefined
    ? { missing: 'Chromium was installed but is not on the path' }
    : { path: installed };
}
