/**
 * Chromium for browser tests. `npm test` finds or installs it for the files that import this one:
 * `test('…', { skip: noBrowser }, async () => { const browser = await launchBrowser(); … })`.
 */
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const path = process.env['PITLANE_TEST_CHROMIUM'];

/** Why browser tests are skipped; false when they are not. */
export const noBrowser: string | false = path
  ? false
  : (process.env['PITLANE_TEST_NO_BROWSER'] ?? 'PITLANE_TEST_CHROMIUM names no Chromium');

/** What tests take of a browser: pages, in contexts of their own. */
export interface TestBrowser extends Pick<Browser, 'newContext' | 'newPage'> {
  /** Also closes the contexts and pages that it has opened. */
  close(): Promise<void>;
}

/** Between two files of a process. */
const keptMs = 3_000;
let shared: { readonly browser: Promise<Browser>; users: number } | undefined;

/** A headless browser; the test closes it. Those of a process share one, whose start costs most of a second of a core. */
export async function launchBrowser(): Promise<TestBrowser> {
  shared ??= { browser: launch(), users: 0 };
  const mine = shared;
  mine.users++;
  const browser = await mine.browser;
  const contexts: BrowserContext[] = [];
  const opened = (context: BrowserContext) => {
    contexts.push(context);
    return context;
  };
  let isClosed = false;
  return {
    newContext: async (options) => opened(await browser.newContext(options)),
    newPage: async (options) => opened(await browser.newContext(options)).newPage(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all(contexts.map((context) => context.close()));
      mine.users--;
      setTimeout(() => {
        if (mine.users > 0 || shared !== mine) return;
        shared = undefined;
        void browser.close();
      }, keptMs);
    },
  };
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: path ?? '',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
