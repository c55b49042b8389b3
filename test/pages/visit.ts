/** A page in a browser of its own, which records actions that a page of this service must not do. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface Visit {
  readonly page: Page;
  /** Requests to elsewhere, lines on the console, errors, dialogs. */
  readonly complaints: readonly string[];
  /** Fails when there were complaints. */
  close(): Promise<void>;
}

export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  /** Lines on the console that are right: a browser reports each refusal. */
  expected: RegExp | null = null,
  /** How long each step may take. */
  withinMs = 30_000,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-AU',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(withinMs);
  const complaints: string[] = [];
  page.on('console', (line) => {
    if (!expected?.test(line.text())) complaints.push(`${line.type()}: ${line.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== 'data:') complaints.push(`asks ${origin}`);
  });
  await page.goto(url);
  return {
    page,
    complaints,
    async close() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}
