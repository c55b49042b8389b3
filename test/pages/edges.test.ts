/** The frame of customers' pages: its edges, and that it holds long names and large letters. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { demoSetup } from '../../src/operation/demo/setup.ts';
import { bookingWorld } from '../fixtures/booking-api.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { desk, phone, picture } from './customer.ts';
import { visit } from './visit.ts';

test('header and cards have the same edges; a long name and letters of double size fit', {
  skip: noBrowser,
}, async () => {
  const { app, workshopId } = await bookingWorld();
  const { db, clock } = app.context;
  await db.transaction((tx) => writeSetup(tx, workshopId, demoSetup(0), clock.now()));
  const base = `${app.url}/book/harbour-motors`;
  const browser = await launchBrowser();
  after(() => browser.close());
  const { page, close } = await visit(browser, base, desk);
  // The first time that is free: which that is depends on the time of day.
  for (const part of [/Wheel alignment/, /\d:\d\d [ap]m/, null]) {
    const edges = await page.evaluate(`(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return [box('.mark, .logo').left - box('.card').left, box('.call').right - box('main').right].map(Math.round);
    })()`);
    assert.deepEqual(edges, [0, 0], page.url());
    if (part) await page.getByRole('link', { name: part }).first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  await close();

  const name = 'Vandenbroucke-Papadimitriou & Sons Precision Automotive Engineering of Woolloomooloo';
  await db.query('UPDATE workshop SET name = $1', [name]);
  const { page: small, close: closeSmall } = await visit(browser, base, phone);
  for (const url of [base, `${base}?category=others`, `${base}/manage`]) {
    await small.goto(url);
    await small.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const outside = await small.evaluate(`[...document.querySelectorAll('body *')].filter((each) => {
      const { right, left, width } = each.getBoundingClientRect();
      return width > 1 && left >= 0 && right > 376;
    }).map((each) => each.outerHTML.slice(0, 80))`);
    assert.deepEqual(outside, [], url);
    await picture(small, `large-${url.split(/[/=]/).at(-1)}`);
  }
  await closeSmall();
});
