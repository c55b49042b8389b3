/** What the desk begins itself: a quote, a message and a customer, and a message of a booking; in a browser, checked by axe at each size. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { desk, picture, scriptless } from './customer.ts';
import { faultsOfLooks } from './looks.ts';
import { type Office, openConsole, says, startOffice } from './office.ts';

let office: Office;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  browser = await launchBrowser();
});
after(() => browser?.close());

const open = (path: string, options?: BrowserContextOptions) =>
  openConsole(browser, office, `${office.busy}/${path}`, options);

describe('what the desk begins', { skip: noBrowser }, () => {
  test('axe finds nothing at any size and in any colours; they are no heavier than other pages', async () => {
    const pages = {
      'new-quote': 'quotes/new',
      'new-message': 'inbox/new',
      'new-customer': 'customers/new',
      'booking-message': `bookings/${office.bookings[3]}/message`,
    };
    const faults: string[] = [];
    for (const [name, path] of Object.entries(pages)) {
      const { page, close } = await open(path);
      faults.push(...(await faultsOfLooks(page, name)));
      for (const width of [375, 1366, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `${name}-at-${width}`);
      }
      await close();
    }
    for (const [name, path] of Object.entries({ quotes: 'quotes', customers: 'customers', inbox: 'inbox' })) {
      const { page, close } = await open(path);
      for (const width of [375, 1366]) {
        await page.setViewportSize({ width, height: 900 });
        await picture(page, `list-${name}-at-${width}`);
      }
      await close();
    }
    assert.deepEqual(faults, []);
  });

  test('a quote is written with its total and its text beside it, and sent', async () => {
    const { page, close } = await open('quotes/new', desk);
    await page.getByLabel('Registration').fill('NEW123');
    await page.getByLabel('Mobile number').fill('0491 570 906');
    await page.getByLabel('Name', { exact: true }).fill('Noor Haddad');
    await page.getByLabel('Title').first().fill('Brake pads');
    await page.getByLabel('Price').first().fill('94.50');
    await page.locator('#total', { hasText: '94.50' }).waitFor();
    await page.locator('#told-quote .message', { hasText: '94.50' }).waitFor();
    await page.getByRole('button', { name: 'Add line' }).click();
    await page.getByLabel('Title').nth(1).fill('Labour');
    await page.getByLabel('Price').nth(1).fill('120');
    await page.locator('#total', { hasText: '214.50' }).waitFor();
    assert.equal(await page.getByLabel('Registration').inputValue(), 'NEW123');
    await picture(page, 'new-quote-filled');
    await page.getByRole('button', { name: 'Send quote' }).click();
    await says(page, 'Sent to the customer.');
    await close();
  });

  test('without JavaScript lines are added, what is known is filled in, and the quote goes', async () => {
    const { page, close } = await open(`quotes/new?customer=${office.customerId}`, scriptless);
    await page.getByLabel('Title').first().fill('Brake pads');
    await page.getByLabel('Price').first().fill('94.50');
    await page.getByRole('button', { name: 'Add line' }).click();
    assert.equal(await page.getByLabel('Title').count(), 2);
    await page.getByRole('button', { name: 'Send quote' }).click();
    await says(page, 'Sent to the customer.');
    await close();
  });
});
