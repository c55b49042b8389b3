/**
 * Chromium for browser tests. `npm test` finds or installs it for the files that import this one:
 * `test('…', { skip: noBrowser }, async () => { const browser = await launchBrowser(); … })`.
 */
import { type Browser, chromium } from 'playwright-core';

const path = process.env['PITLANE_TEST_CHROMIUM'];

/** Why browser tests are skipped; false when they are not. */
export const noBrowser: string | false = path
  ? false
  : (process.env['PITLANE_TEST_NO_BROWSER'] ?? 'PITLANE_TEST_CHROMIUM names no Chromium');

/** A headless browser; the test closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: path ?? '',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
