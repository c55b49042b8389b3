/** Finds Chromium for the browser tests, or installs Debian's when possible. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './apt.ts';
import type { Run } from './run.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export type Browser = { readonly path: string } | { readonly missing: string };

/** The path of Chromium; undefined where there is none. */
export function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = [
    process.env['PITLANE_TEST_CHROMIUM'] ?? '',
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
  ];
  return [...paths, ...elsewhere].find((path) => path !== '' && existsSync(path));
}

/** Resolves to the path of Chromium, or to why there is none; takes five minutes at most and never rejects. */
export async function provideBrowser(run: Run): Promise<Browser> {
  const present = findBrowser();
  if (present !== undefined) return { path: present };
  const missing = await installPackages(run, 'Chromium', ['chromium']);
  if (missing !== null) return { missing };
  const installed = findBrowser();
  return installed === undefined
    ? { missing: 'Chromium was installed but is not on the path' }
    : { path: installed };
}
