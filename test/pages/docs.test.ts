/** /docs, the interactive reference, as people see it: in a browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { ensureDemo } from '../../src/demo.ts';
import { demoPartner } from '../../src/demo-data.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { visit } from './visit.ts';

let app: TestApp;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  app = await startTestApp();
  await ensureDemo(app.context);
  browser = await launchBrowser();
});
after(() => browser?.close());

describe('/docs', { skip: noBrowser }, () => {
  test('shows every operation, asks this server only, and the console stays empty', async () => {
    const { page, close } = await visit(browser, `${app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    const paths = Object.values((await app.request('GET', '/openapi.json')).body.paths) as object[];
    const count = paths.reduce((sum: number, operations) => sum + Object.keys(operations).length, 0);
    assert.equal(await page.locator('.opblock').count(), count);
    for (const id of ['updateBooking', 'sendMessage']) {
      const block = page.locator(`[id$="-${id}"].opblock`);
      await block.locator('.opblock-summary-control').click();
      await block.getByText('Request body').waitFor();
    }
    assert.equal(await page.locator('.errors-wrapper').count(), 0);
    await close();
  });

  test('keeps a policy that is stricter than the own one of the plugin', async () => {
    const { headers } = await app.request('GET', '/docs');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.doesNotMatch(policy, /unsafe|https:|\*/);
    // It is the pages' policy, not the API's.
    assert.equal((await app.request('GET', '/health/live')).headers.get('content-security-policy'), null);
  });

  test('"try it out" works with the demo: sign in, authorize, call', async () => {
    const { page, close } = await visit(browser, `${app.url}/docs`);
    const open = async (id: string) => {
      const block = page.locator(`[id$="-${id}"].opblock`);
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Execute' }).click();
      const answered = block.locator('.live-responses-table');
      const status = await answered.locator('tbody .response-col_status').textContent();
      const body = await answered.locator('.highlight-code code').first().textContent();
      return { status: status?.trim(), body: JSON.parse(body ?? '') };
    };
    const signedIn = await open('signIn');
    assert.equal(signedIn.status, '200');
    await page.locator('.scheme-container').getByRole('button', { name: 'Authorize' }).click();
    const containers = page.locator('.auth-container');
    for (const value of [signedIn.body.token, demoPartner.id]) {
      const container = containers.filter({ has: page.locator('input') }).first();
      await container.locator('input').fill(value);
      await container.getByRole('button', { name: 'Apply credentials' }).click();
    }
    await page.locator('.modal-ux .btn-done').first().click();
    const listed = await open('listWorkshops');
    assert.deepEqual([listed.status, listed.body.workshops.length], ['200', 3]);
    const booked = await open('createBooking');
    assert.deepEqual([booked.status, booked.body.booking.status], ['201', 'pending']);
    const sent = await open('sendMessage');
    assert.deepEqual([sent.status, sent.body.sms.sent], ['200', true]);
    await close();
  });
});
