/** The report of a workshop in a browser: checked by axe, readable on a phone and in any colours, with its numbers beside the plots. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { fillReport } from '../fixtures/workshop-report.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { picture } from './customer.ts';
import { faultsOfLooks } from './looks.ts';
import { type Office, openConsole, startOffice } from './office.ts';

let office: Office;
let browser: Browser;
let report: string;

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  report = `${office.busy}/report`;
  await fillReport(office.app.context.db, { bookingId: office.bookings[0] ?? '', partner: office.partner });
  browser = await launchBrowser();
});
after(() => browser?.close());

describe('the report', { skip: noBrowser }, () => {
  test('axe finds nothing at any size and in any colours, and nothing is wider than a phone', async () => {
    for (const [name, path] of Object.entries({
      weeks: report,
      year: `${report}?period=12-months`,
      days: `${report}?from=2029-11-01&to=2030-03-04&by=day`,
      empty: `${report}?from=2027-01-01&to=2027-01-31`,
      refused: `${report}?from=2030-03-04&to=2030-03-01`,
    })) {
      const { page, close } = await openConsole(browser, office, path);
      await picture(page, `report-${name}`);
      for (const summary of await page.locator('main summary').all()) await summary.click();
      assert.deepEqual(await faultsOfLooks(page, `report-${name}`, [320]), []);
      await close();
    }
  });
});
