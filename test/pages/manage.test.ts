/** /book/{slug}/manage, /b/{code} and /u/{code} as customers see them: in a browser, at the size of a phone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { newCode } from '#base/values/code.ts';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { keepWayOuts } from '#product/way-out/store.ts';
import { demoSetup } from '../../src/operation/demo/setup.ts';
import { type BookingWorld, bookingWorld } from '../fixtures/booking-api.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, dark, phone, picture, refusals, scriptless } from './customer.ts';
import { visit } from './visit.ts';

let world: BookingWorld;
let browser: Browser;
let slug: string;

before(async () => {
  if (noBrowser) return;
  world = await bookingWorld();
  const { db, clock } = world.app.context;
  const [row] = await db.query<{ slug: string }>('SELECT slug FROM workshop');
  slug = row?.slug ?? '';
  const setup = demoSetup(0);
  await db.transaction((tx) => writeSetup(tx, world.workshopId, setup, clock.now()));
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
      await page.getByRole('link', { name: 'There is no booking with this code and phone number' }).waitFor();
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

  for (const width of [375, 1366, 1920]) {
    test(`a wrong link leads on to it, by code and phone (${width} px)`, async () => {
      const booking = await world.book({ customerName: 'Kim Lee' });
      const size = { viewport: { width, height: 768 } };
      const { page, close } = await visit(browser, `${world.app.url}/b/${booking.code}`, size, refusals);
      await assertAccessible(page);
      await picture(page, `wrong-link-${width}`);
      await page.getByRole('link', { name: 'Find your booking' }).click();
      await page.getByRole('heading', { name: 'Find your booking' }).waitFor();
      assert.equal(await page.getByLabel('Booking code').inputValue(), booking.code);
      await assertAccessible(page);
      await picture(page, `find-anywhere-${width}`);
      await page.getByLabel('Phone number').fill(booking.customer.phone ?? '');
      await page.getByRole('button', { name: 'Find my booking' }).click();
      await page.getByRole('heading', { name: 'Your booking' }).waitFor();
      await page.getByRole('link', { name: 'Move it' }).click();
      await page.getByRole('heading', { name: 'When would suit you better?' }).waitFor();
      await assertAccessible(page);
      await picture(page, `move-${width}`);
      await close();
    });
  }

  for (const [how, options] of Object.entries({ phone, dark, scriptless })) {
    test(`it is moved, and then cancelled (${how})`, async () => {
      const { db } = world.app.context;
      const booking = await world.book({ bookingTime: '2030-03-04T22:30:00Z' });
      const url = `${world.app.url}/b/${await manageCode(db, booking.id)}`;
      const { page, close } = await visit(browser, url, options);
      const look = async (name: string) => {
        if (options !== scriptless) await assertAccessible(page);
        await picture(page, `${name}-${how}`);
      };
      await page.getByRole('link', { name: 'Move it' }).click();
      await page.getByRole('heading', { name: 'When would suit you better?' }).waitFor();
      await look('move');
      await page.getByRole('link', { name: 'Later month' }).click();
      await page.locator('.month a').nth(1).click();
      await page.locator('.day[aria-current=date]').waitFor();
      await page.locator('.time').first().click();
      await page.getByRole('heading', { name: 'Move your booking?' }).waitFor();
      await look('move-question');
      await page.getByRole('button', { name: 'Move it' }).click();
      await page.getByRole('heading', { name: 'Your booking has moved.' }).waitFor();
      await look('moved');
      assert.notEqual((await world.read(booking.id)).date, booking.date);
      await page.getByRole('link', { name: 'Cancel it' }).click();
      await page.getByLabel('Why?').fill('The car is sold');
      await look('cancel');
      await page.getByRole('button', { name: 'Cancel my booking' }).click();
      await page.getByRole('heading', { name: 'Your booking is cancelled.' }).waitFor();
      await look('cancelled');
      const { status, cancelReason } = await world.read(booking.id);
      assert.deepEqual([status, cancelReason], ['cancelled', 'The car is sold']);
      await close();
    });
  }
});

describe('stopping texts', { skip: noBrowser }, () => {
  for (const [how, options] of Object.entries({ phone, scriptless })) {
    test(`the link of a text stops them, and the browser takes it back (${how})`, async () => {
      const { db, clock } = world.app.context;
      const booking = await world.book({ customerName: 'Kim Lee' });
      const [code, to] = [newCode(10), booking.customer.phone ?? ''];
      await keepWayOuts(db, [{ code, workshopId: world.workshopId, phone: to }], clock.now());
      const { page, close } = await visit(browser, `${world.app.url}/u/${code}`, options);
      const look = async (name: string) => {
        if (options !== scriptless) await assertAccessible(page);
        await picture(page, `${name}-${how}`);
      };
      const stop = page.getByRole('button', { name: /^Stop texts of / });
      await look('stop-texts');
      await stop.click();
      await page.getByRole('heading', { name: 'Texts are stopped' }).waitFor();
      await look('texts-stopped');
      await page.getByRole('button', { name: 'I did not mean it' }).click();
      await stop.waitFor();
      const rows = await db.query('SELECT FROM customer WHERE phone = $1 AND opted_out_at IS NOT NULL', [to]);
      assert.deepEqual(rows, []);
      await close();
    });
  }
});
