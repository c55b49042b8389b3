/** /q/{code} as customers see it: in a browser at the size of a phone, with and without JavaScript, and in the dark. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { actors } from '#base/values/actor.ts';
import { declineQuote } from '#product/quotes/decline.ts';
import { type QuoteWorld, quoteWorld } from '../fixtures/quote-api.ts';
import { pricedQuote } from '../fixtures/quote-pages.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, dark, phone, picture, scriptless } from './customer.ts';
import { visit } from './visit.ts';

let world: QuoteWorld;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  world = await quoteWorld();
  browser = await launchBrowser();
});
after(() => browser?.close());

describe('a quote', { skip: noBrowser }, () => {
  for (const [how, options] of Object.entries({ phone, scriptless, dark })) {
    test(`is accepted with a time, and leads to its booking (${how})`, async () => {
      const quote = await pricedQuote(world);
      const { page, close } = await visit(browser, `${world.app.url}/q/${quote.code}`, options);
      const look = async (name: string) => {
        if (options !== scriptless) await assertAccessible(page);
        await picture(page, `quote-${name}-${how}`);
      };
      await page.getByRole('row', { name: 'Total $369.00' }).waitFor();
      await look('offer');
      await page.getByRole('link', { name: 'Accept and choose a time' }).click();
      await page.getByRole('heading', { name: 'When can you bring it?' }).waitFor();
      await look('times');
      await page.locator('.time').first().click();
      await page.getByRole('heading', { name: 'Accept and book?' }).waitFor();
      await look('confirm');
      await page.getByRole('button', { name: 'Accept and book' }).click();
      await page.getByRole('heading', { name: 'You have accepted this quote' }).waitFor();
      await look('accepted');
      await page.getByRole('link', { name: 'See your booking' }).click();
      await page.getByRole('heading', { name: 'Your booking' }).waitFor();
      assert.equal((await world.read(quote.id)).status, 'accepted');
      await close();
    });
  }

  test('that is declined elsewhere while its page is open is shown so once it is looked at again', async () => {
    const quote = await pricedQuote(world);
    const { page, close } = await visit(browser, `${world.app.url}/q/${quote.code}`, phone);
    await page.getByRole('link', { name: 'Decline' }).waitFor();
    await declineQuote(world.app.context, quote.id, actors.operator);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('This quote was declined.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Decline' }).count(), 0);
    await assertAccessible(page);
    await close();
  });

  test('is declined after one more question', async () => {
    const quote = await pricedQuote(world);
    const { page, close } = await visit(browser, `${world.app.url}/q/${quote.code}`, phone);
    await page.getByRole('link', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Decline this quote?' }).waitFor();
    await assertAccessible(page);
    await picture(page, 'quote-decline');
    await page.getByRole('button', { name: 'Decline the quote' }).click();
    await page.getByText('This quote was declined.').waitFor();
    assert.equal((await world.read(quote.id)).status, 'declined');
    await close();
  });
});
