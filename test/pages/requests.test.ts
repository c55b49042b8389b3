/** /sandbox/requests.html as people see it: in a browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type BookingWorld, bookingWorld } from '../fixtures/booking-api.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { bookingBody } from '../harness/world.ts';
import { assertAccessible, dark } from './customer.ts';
import { visit } from './visit.ts';

let world: BookingWorld;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  world = await bookingWorld({ sandbox: true });
  browser = await launchBrowser();
});
after(() => browser?.close());

describe('/sandbox/requests.html', { skip: noBrowser }, () => {
  test('shows the last requests, one in detail: failing fields, ignored fields, bodies as text', async () => {
    const { app, partner, workshopId, book } = world;
    const { partnerId, appKey, secret } = partner;
    await app.request('POST', '/auth/token', {
      headers: { 'x-partner-id': partnerId },
      body: { appKey, secret },
    });
    await book();
    const script = '<img src=x onerror=alert(1)>';
    await partner.call('POST', '/bookings', {
      ...bookingBody(workshopId),
      customerEmail: script,
      [script]: 1,
    });
    const { page, close } = await visit(browser, `${app.url}/sandbox/requests.html`);
    const rows = page.locator('#requests .row');
    await rows.nth(2).waitFor();
    assert.match((await rows.first().textContent()) ?? '', /^400POST \/bookings.*000001 · ignores <img/);
    const detail = rows.first().locator('xpath=..').locator('.request');
    await rows.first().click();
    await detail.getByText('must be a valid e-mail address').first().waitFor();
    await detail.getByText('Ignored: the operation does not know').waitFor();
    assert.equal(await page.locator('#requests :is(img, script)').count(), 0);

    await page.getByText(/requests, newest first · 1 with ignored fields$/).waitFor();
    const times = rows.locator('time');
    assert.match((await times.first().textContent()) ?? '', /^\d\d:\d\d:\d\d$/);
    // Status, what was asked and time stand in one line.
    const tops = await Promise.all(
      ['.status', '.what', 'time'].map(
        async (part) => (await rows.first().locator(part).boundingBox())?.y ?? Number.NaN,
      ),
    );
    assert.ok(Math.max(...tops) - Math.min(...tops) < 6, `${tops}`);

    await page.getByLabel('Show').selectOption('Accepted ones');
    await page.getByText('2 requests, newest first').waitFor();
    await page.getByLabel('Path, operation or request id').fill('createBooking');
    await page.getByText('1 request', { exact: true }).waitFor();
    await rows.first().click();
    await detail.getByText('createBooking').waitFor();
    assert.match((await detail.locator('pre').last().textContent()) ?? '', /"status": "pending"/);
    await page.getByLabel('Path, operation or request id').fill('nothing like it');
    await page.getByText('No request fits the filter.').waitFor();
    await close();
  });

  test('a request that comes later appears by itself; the sandbox leads here; it fits a phone', async () => {
    const { app, partner } = world;
    const { page, close } = await visit(browser, `${app.url}/sandbox`, dark);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await partner.call('GET', '/bookings?status=lost');
    await page.getByText('GET /bookings?status=lost').first().waitFor();
    await assertAccessible(page);
    await close();
  });
});
