/** The reference, the guide and the index as people see them: in a browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ensureDemo } from '../../src/operation/demo/demo.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, dark, desk, phone } from './customer.ts';
import { visit } from './visit.ts';

/** Scalar says its version. */
const itsVersion = /^@scalar\/api-reference@/;
/** Its script has 5 MB, which a busy machine takes long to run. */
const drawnWithinMs = 90_000;

let app: TestApp;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  app = await startTestApp();
  await ensureDemo(app.context);
  browser = await launchBrowser();
});
after(() => browser?.close());

async function reference(options: BrowserContextOptions = desk) {
  const visited = await visit(browser, `${app.url}/docs`, options, itsVersion, drawnWithinMs);
  await visited.page.getByRole('heading', { name: 'Pitlane Partner API' }).first().waitFor();
  return visited;
}

interface Document {
  readonly paths: Record<string, Record<string, { tags: string[] }>>;
}

const groundOf = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

describe('/docs', { skip: noBrowser }, () => {
  test('a demo installation is signed in: an operation is found by search and tried out, and this server alone is asked', async () => {
    const { page, close } = await reference();
    const { paths } = (await app.request('GET', '/openapi.json')).body as Document;
    const tags = Object.values(paths).flatMap((path) => Object.values(path).flatMap((each) => each.tags));
    for (const tag of new Set<string>(tags))
      await page.getByRole('button', { name: `Group - ${tag}` }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('create a booking');
    await page
      .getByRole('option', { name: /Create a booking/ })
      .first()
      .click();
    await page
      .getByRole('button', { name: /test request.*\/bookings\b/i })
      .first()
      .click();
    const client = page.getByRole('dialog');
    await client.getByRole('button', { name: /^send/i }).first().click();
    await client.getByText('201 Created').waitFor();
    const [booking] = await app.context.db.query<{ partnerId: string }>('SELECT partner_id FROM booking');
    assert.equal(booking?.partnerId, '01900000-0000-7000-8000-000000000001');
    // Nothing of Scalar's own services is offered.
    assert.equal(await page.getByText(/ask ai|open api client|generate mcp|deploy|connect mcp/i).count(), 0);
    await close();
  });

  test('fits a phone, is dark where that is wanted, and its menu opens', async () => {
    const { page, close } = await reference(dark);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 375);
    assert.match(String(await groundOf(page)), /^rgb\((?:\d|[1-4]\d), /);
    await page.getByRole('button', { name: /open menu/i }).click();
    await page.getByRole('button', { name: 'Group - Availabilities' }).waitFor();
    await close();
  });

  test('its policy allows scripts and style sheets by a nonce of each response, and no requests to elsewhere', async () => {
    const policies = await Promise.all(
      [1, 2].map(
        async () => (await app.request('GET', '/docs')).headers.get('content-security-policy') ?? '',
      ),
    );
    for (const policy of policies) {
      assert.match(
        policy,
        /^default-src 'none'; script-src 'nonce-[\w+/=]{24}'; style-src 'self' 'nonce-[\w+/=]{24}'; /,
      );
      assert.match(policy, /; connect-src 'self'; /);
      // For attributes of style alone, which no nonce can allow.
      assert.doesNotMatch(policy.replace("style-src-attr 'unsafe-inline'", ''), /unsafe|https?:|\*/);
    }
    assert.notEqual(policies[0], policies[1]);
    // It is the pages' policy, not the API's.
    assert.equal((await app.request('GET', '/health/live')).headers.get('content-security-policy'), null);
  });
});

describe('the guide and the index', { skip: noBrowser }, () => {
  for (const path of ['/', '/docs/guide/partner-guide', '/docs/guide/time-zones']) {
    test(`${path} fits a phone and a desktop, in light and in dark, and can be read by all`, async () => {
      const grounds = new Set<unknown>();
      for (const options of [phone, { ...desk, colorScheme: 'dark' }] as const) {
        const { page, close } = await visit(browser, `${app.url}${path}`, options);
        grounds.add(await groundOf(page));
        await assertAccessible(page);
        await close();
      }
      assert.equal(grounds.size, 2);
    });
  }

  test('a block of code is copied by its button, and shows all of each line', async () => {
    const { page, close } = await visit(browser, `${app.url}/docs/guide/partner-guide`, {
      ...phone,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(copied.startsWith(`BASE=${app.url}\nPARTNER=`), copied);
    const cut =
      '[...document.querySelectorAll("pre")].filter((each) => each.scrollWidth > each.clientWidth).length';
    assert.equal(await page.evaluate(cut), 0);
    await close();
  });

  test('the index leads to the guide, and the guide from page to page and to a heading', async () => {
    const { page, close } = await visit(browser, app.url, phone);
    assert.equal(await page.getByText('ptl_key_demo_only_for_trying_out').count(), 1);
    await page.getByRole('link', { name: /^Errors/ }).click();
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'partner guide', exact: true }).click();
    await page.waitForURL(/\/docs\/guide\/partner-guide#when-an-sms-is-not-sent$/);
    await page.getByText('On this page').click();
    await page.getByRole('navigation', { name: 'Guide' }).getByRole('link', { name: 'Rate limits' }).click();
    await page.waitForURL(/#rate-limits$/);
    assert.ok(await page.locator('#rate-limits').isVisible());
    await page.getByRole('link', { name: 'Pitlane', exact: true }).click();
    await page.getByRole('link', { name: /^Booking page/ }).click();
    await page.getByText('Yarra Street Motors').first().waitFor();
    await close();
  });
});
