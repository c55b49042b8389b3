/** An import in a browser: a file with headings of its own, columns matched by hand, imported and taken back; and cars that are one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { bookingBody } from '../harness/world.ts';
import { desk } from './customer.ts';
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

const wide = { width: 1280, height: 900 };
const rows = [
  'Kunde;Erreichbar;Kennzeichen;Farbe;Sehr lange Überschrift einer Spalte, die niemand braucht',
  'Greta Grün;0491571266;GG-12;grün;',
  'Hans Hell;0491572665;HH·34;weiß;x',
];

describe('the import in a browser', { skip: noBrowser }, () => {
  test('columns are matched by hand, the file is imported and taken back, without scripts too, and axe finds nothing', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await openConsole(browser, office, `${office.busy}/import`, {
        ...desk,
        javaScriptEnabled,
      });
      const file = {
        name: `alt-${javaScriptEnabled}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(rows.join('\n')),
      };
      await page.getByLabel('CSV file').setInputFiles(file);
      await page.getByRole('button', { name: 'Check file' }).click();
      if (javaScriptEnabled) {
        await page.getByRole('heading', { name: 'Match columns' }).waitFor();
        assert.equal(await page.getByLabel('Erreichbar').inputValue(), 'phone', 'a guess');
        await page.getByLabel('Kunde').selectOption('Mobile');
        assert.deepEqual(await faultsOfLooks(page, 'import-columns', [320]), []);
        await page.setViewportSize(wide);
        await page.getByRole('button', { name: 'Check file' }).click();
        // The fault leads to its field.
        await page.getByRole('link', { name: /is Mobile too, as "Kunde" is/ }).click();
        assert.deepEqual(await faultsOfLooks(page, 'import-columns-refused', []), []);
        await page.getByLabel('Kunde').selectOption('Name');
        await page.getByLabel('Kennzeichen').selectOption('Registration');
        await page.getByRole('button', { name: 'Check file' }).click();
      }
      await page.getByText('as matched by hand').waitFor();
      if (javaScriptEnabled) assert.deepEqual(await faultsOfLooks(page, 'import-dry-run', [320]), []);
      await page.setViewportSize(wide);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('button', { name: 'Take back import' }).waitFor();
      if (javaScriptEnabled) assert.deepEqual(await faultsOfLooks(page, 'import-done', [320]), []);
      await page.setViewportSize(wide);
      await office.app.context.db.query(`UPDATE customer SET company = 'Since' WHERE name = 'Hans Hell'`);
      await page.getByRole('button', { name: 'Take back import' }).click();
      await page.getByRole('heading', { name: 'Taken back' }).waitFor();
      if (javaScriptEnabled) assert.deepEqual(await faultsOfLooks(page, 'import-taken-back', [320]), []);
      await page.setViewportSize(wide);
      await page.getByRole('link', { name: 'What stayed' }).click();
      await page.getByRole('link', { name: 'Hans Hell' }).waitFor();
      if (javaScriptEnabled) assert.deepEqual(await faultsOfLooks(page, 'import-stayed', [320]), []);
      // For the second round.
      await office.app.context.db.query(`UPDATE customer SET company = NULL WHERE name = 'Hans Hell'`);
      await close();
      await office.app.context.db.query(
        `UPDATE customer SET phone = NULL, merged_into = NULL WHERE name = 'Hans Hell'`,
      );
    }
  });

  test('cars that differ in punctuation alone stand together, and are one by the button', async () => {
    const { app, partner, busy } = office;
    const workshopId =
      (
        await app.context.db.query<{ id: string }>('SELECT workshop_id AS id FROM customer WHERE id = $1', [
          office.customerId,
        ])
      )[0]?.id ?? '';
    for (const carRego of ['PUN-123', 'PUN·123', 'OTH456'])
      assert.equal(
        (
          await partner.call(
            'POST',
            '/bookings',
            bookingBody(workshopId, { customerPhone: '0491573087', carRego }),
          )
        ).status,
        201,
      );
    const [customer] = await app.context.db.query<{ id: string }>(
      `SELECT id FROM customer WHERE phone = '+61491573087'`,
    );
    const { page, close } = await openConsole(browser, office, `${busy}/customers/${customer?.id}`);
    await page.getByText('These differ in punctuation alone').waitFor();
    assert.deepEqual(await faultsOfLooks(page, 'same-car', [320]), []);
    await page.setViewportSize(wide);
    await page.getByRole('button', { name: 'Same car' }).click();
    await says(page, 'They are one car now.');
    await page.getByText('also PUN').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Same car' }).count(), 0);
    await close();
  });
});
