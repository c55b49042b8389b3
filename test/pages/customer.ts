/** Visiting the pages of customers: at the size of a phone or of a desk, with and without JavaScript, and checked by axe. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

export const phone: BrowserContextOptions = {
  viewport: { width: 375, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
export const dark: BrowserContextOptions = { ...phone, colorScheme: 'dark' };
export const scriptless: BrowserContextOptions = { ...phone, javaScriptEnabled: false };

/** What the browser says of a page with a status of 4xx. */
export const refusals = /the server responded with a status of 4\d\d/;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Fails with what axe finds. The page needs JavaScript. It also must not be wider than its window. `rules` names the only ones to run;
 * without it all do, and that of targets of 24 pixels, which axe leaves out unless asked.
 */
export async function assertAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // The policy of the page lets no script of ours in by a tag; evaluating is the debugger's. A preload would add style sheets.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe);
  const options = {
    ...{ resultTypes: ['violations'], preload: false, rules: { 'target-size': { enabled: true } } },
    ...(rules && { runOnly: { type: 'rule', values: rules }, rules: {} }),
  };
  const violations: Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  const found = violations.map(({ id, help, nodes }) =>
    [`${id}: ${help}`, ...nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`)].join(
      '\n',
    ),
  );
  assert.deepEqual(found, [], `${page.url()}\n${found.join('\n')}`);
  const tooWide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  assert.ok(Number(tooWide) <= 0, `${page.url()} is ${tooWide} pixels too wide`);
}

/** For a look at a page by hand: PITLANE_TEST_SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PITLANE_TEST_SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Those that depend on the colours: the rest is the same in all. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** Bytes of CSS and scripts as sent, whether they came now or were kept. */
export const weight = `performance.getEntriesByType('resource').filter(({ name }) => /\\.m?(css|js)$/.test(new URL(name).pathname))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  + [...document.querySelectorAll('style')].reduce((sum, { textContent }) => sum + textContent.length, 0)`;
