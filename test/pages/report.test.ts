/** The report of a workshop in a browser: checked by axe, readable on a phone and in any colours, with its numbers beside the plots. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { fillReport } from '../fixtures/workshop-report.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, colourRules, picture, weight } from './customer.ts';
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
      await picture(page, `report-${name}-1280`);
      await assertAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, `report-${name}-dark`);
      await assertAccessible(page, colourRules);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
      await picture(page, `report-${name}-forced`);
      await assertAccessible(page, colourRules);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      await page.setViewportSize({ width: 320, height: 740 });
      await picture(page, `report-${name}-320`);
      await assertAccessible(page);
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(wide) <= 0, `${name}: ${wide} px too wide`);
      assert.ok(Number(await page.evaluate(weight)) <= 60 * 1024);
      await close();
    }
  });
});
