/**
 * Chromium for browser tests. `npm test` finds or installs it for the files that import this one:
 * `test('…', { skip: noBrowser }, async () => { const browser = await launchBrowser(); … })`.
 */
import { type Browser, chromium } from 'playwright-core';
import { atProcessEnd } from './clean-up.ts';

const path = process.env['PITLANE_TEST_CHROMIUM'];

/** Why browser tests are skipped; false when they are not. */
export const noBrowser: string | false = path
  ? false
  : (process.env['PITLANE_TEST_NO_BROWSER'] ?? 'PITLANE_TEST_CHROMIUM names no Chromium');

let shared: Promise<Browser> | undefined;

/**
 * A headless browser. All files of a process share one, since a start takes about a second of a core; closing it closes what has been
 * opened in it, and the browser itself ends with the process. Each context has cookies, storage and a renderer of its own.
 */
export async function launchBrowser(): Promise<Browser> {
  const running = await shared;
  if (running?.isConnected()) return running;
  shared = launch();
  return shared;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: path ?? '',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const end = browser.close.bind(browser);
  atProcessEnd(end);
  return Object.assign(browser, {
    close: async () => void (await Promise.all(browser.contexts().map((context) => context.close()))),
  });
}
