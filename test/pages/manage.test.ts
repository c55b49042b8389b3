/** /book/{slug}/manage and /b/{code} as customers see them: in a browser, at the size of a phone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type BookingWorld, bookingWorld } from '../fixtures/booking-api.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, phone, picture, refusals, scriptless } from './customer.ts';
import { visit } from './visit.ts';

let world: BookingWorld;
let browser: Browser;
let slug: string;

before(async () => {
  if (noBrowser) return;
  world = await bookingWorld();
  const [row] = await world.app.context.db.query<{ slug: string }>('SELECT slug FROM workshop');
  slug = row?.slug ?? '';
  browser = await launchBrowser();
});
after(() => browser?.close());

describe('finding a booking', { skip: noBrowser }, () => {
  for (const [how, options] of Object.entries({ phone, scriptless })) {
    test(`by its code and phone number leads to the booking, which names nobody (${how})`, async () => {
      const booking = await world.book({ customerName: 'Kim Lee', customerEmail: 'kim@mail.example' });
      const { page, close } = await visit(browser, `${world.app.url}/book/${slug}/manage`, options, refusals);
      if (options !== scriptless) await assertAccessible(page);
      await picture(page, `look-up-${how}`);
      await page.getByLabel('Booking code').fill(booking.code.toLowerCase());
      await page.getByLabel('Phone number').fill('0491 570 156');
      await page.keyboard.press('Enter');
      await page.getByText('There is no booking with this code and phone number.').waitFor();
      await picture(page, `look-up-wrong-${how}`);
      await page.getByLabel('Phone number').fill(booking.customer.phone ?? '');
      await page.getByRole('button', { name: 'Find my booking' }).click();
      await page.getByRole('heading', { name: 'Your booking' }).waitFor();
      assert.match(page.url(), /\/b\/[0-9A-Z]{10}$/);
      if (options !== scriptless) await assertAccessible(page);
      await picture(page, `booking-${how}`);
      const text = (await page.content()).toLowerCase();
      assert.ok(text.includes(booking.code.toLowerCase()));
      for (const secret of ['kim', 'lee', 'mail.example', booking.customer.phone ?? '?']) {
        assert.ok(!text.includes(secret), `the page shows ${secret}`);
      }
      await close();
    });
  }
});
