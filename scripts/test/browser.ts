/** Finds Chromium for the browser tests, or installs Debian's when possible. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './apt.ts';
import type { Run } from './run.ts';

const debians = '/usr/bin/chromium';
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** `shell` is the one without windows; the whole one stands in for it where there is none. */
export type Browser = { readonly path: string; readonly shell: string | null } | { readonly missing: string };

/** The path of Chromium; undefined where there is none. */
export function findBrowser(): string | undefined {
  return [...inPath('PITLANE_TEST_CHROMIUM', names), ...elsewhere].find(isThere);
}

function findShell(): string | null {
  return inPath('PITLANE_TEST_HEADLESS_SHELL', ['chromium-headless-shell']).find(isThere) ?? null;
}

function inPath(setting: string, programs: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [
    process.env[setting] ?? '',
    ...folders.flatMap((folder) => programs.map((name) => join(folder, name))),
  ];
}

const isThere = (path: string) => path !== '' && existsSync(path);

/** Resolves to the paths of Chromium, or to why there is none; takes ten minutes at most and never rejects. */
export async function provideBrowser(run: Run): Promise<Browser> {
  const lacking = findBrowser() === undefined ? await installPackages(run, 'Chromium', ['chromium']) : null;
  if (lacking !== null) return { missing: lacking };
  const path = findBrowser();
  if (path === undefined) return { missing: 'Chromium was installed but is not on the path' };
  // A browser that somebody chose, or that is not of this package, has no shell beside it.
  const isDebians = path === debians && !process.env['PITLANE_TEST_CHROMIUM'];
  if (isDebians && findShell() === null)
    await installPackages(run, "Chromium's headless shell", ['chromium-headless-shell']);
  return { path, shell: isDebians ? findShell() : (process.env['PITLANE_TEST_HEADLESS_SHELL'] ?? null) };
}
