/**
 * Chromium for browser tests. `npm test` finds or installs it for the files that import this one:
 * `test('…', { skip: noBrowser }, async () => { const browser = await launchBrowser(); … })`.
 */
import { type Browser, chromium } from 'playwright-core';
import { atProcessEnd } from './clean-up.ts';

const whole = process.env['PITLANE_TEST_CHROMIUM'];
/** The same engine without windows: half the CPU. */
const shell = process.env['PITLANE_TEST_HEADLESS_SHELL'];

/** Why browser tests are skipped; false when they are not. */
export const noBrowser: string | false = whole
  ? false
  : (process.env['PITLANE_TEST_NO_BROWSER'] ?? 'PITLANE_TEST_CHROMIUM names no Chromium');

const shared = new Map<string, Promise<Browser>>();

/**
 * A headless browser. All files of a process share one, since a start takes about a second of a core; closing it closes what has been
 * opened in it, and the browser itself ends with the process. Each context has cookies, storage and a renderer of its own.
 */
export function launchBrowser(): Promise<Browser> {
  return launched(shell || whole || '');
}

/** As `launchBrowser`, for what only a browser with windows does: it shows notifications, and a page that is closed hears of it (`pagehide`). */
export function launchWholeBrowser(): Promise<Browser> {
  return launched(whole || '');
}

async function launched(path: string): Promise<Browser> {
  const running = await shared.get(path);
  if (running?.isConnected()) return running;
  const starting = launch(path);
  shared.set(path, starting);
  return starting;
}

async function launch(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const end = browser.close.bind(browser);
  atProcessEnd(end);
  return Object.assign(browser, {
    close: async () => void (await Promise.all(browser.contexts().map((context) => context.close()))),
  });
}
