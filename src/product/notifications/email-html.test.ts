/** Notices in a browser: nothing is wider than a phone, and the contrast is sufficient, in light and dark mode. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { emails } from '../../../test/fixtures/notice-emails.ts';
import { launchBrowser, noBrowser } from '../../../test/harness/browser.ts';

const lowestContrast = readFileSync(new URL('../../../test/fixtures/contrast.mjs', import.meta.url), 'utf8');
/** WCAG 2.2, 1.4.3. */
const contrastAtLeast = 4.5;
const phone = { width: 375, height: 800 };

/** The picture that goes along in its place. */
function asMailProgram({ html, logo }: OutboundEmail): string {
  if (!logo) return html;
  const shown = `src="data:image/${logo.kind};base64,${logo.content.toString('base64')}"`;
  return html.replace(`src="cid:${logo.cid}"`, shown);
}

async function assertReadable(page: Page, where: string): Promise<void> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.equal(width, page.viewportSize()?.width, `it scrolls sideways ${where}`);
  const { ratio, words } = await page.evaluate<{ ratio: number; words: string }>(lowestContrast);
  assert.ok(ratio >= contrastAtLeast, `${ratio.toFixed(2)} of "${words}" ${where}`);
}

describe('the HTML of e-mails', { skip: noBrowser }, () => {
  let browser: Browser;
  let page: Page;
  let asked: string[] = [];
  // One browser for all tests, since each is a process.
  before(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (line) => asked.push(line.text()));
  });
  beforeEach(async () => {
    await page.setViewportSize(phone);
    await page.emulateMedia({ colorScheme: 'light' });
    asked = [];
  });
  after(() => browser.close());

  for (const [name, email] of Object.entries(emails)) {
    const { subject } = email;
    const html = asMailProgram(email);
    it(`fits a phone and a window, light and dark, and loads nothing: ${name}`, async () => {
      await page.setContent(html);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [375, 700]) {
          await page.setViewportSize({ width, height: 800 });
          await assertReadable(page, `at ${width} px, ${colorScheme}`);
        }
      }
      assert.equal(await page.locator('body > div').first().isVisible(), false, 'the preview shows');
      assert.equal(await page.title(), subject);
      assert.deepEqual(asked, []);
    });

    it(`is readable when <style> is ignored: ${name}`, async () => {
      await page.setContent(html.replace(/<style>[\s\S]*?<\/style>/, ''));
      await assertReadable(page, 'without <style>');
    });
  }
});
