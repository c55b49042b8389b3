/** /book/{slug} as customers see it: in a browser, with and without JavaScript, at the size of a phone and of a desk. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { writeSetup } from '#availability/set-up/import.ts';
import { demoSetup } from '../../src/demo-setup.ts';
import { type BookingWorld, bookingWorld } from '../fixtures/booking-api.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, dark, desk, phone, picture, refusals, scriptless } from './customer.ts';
import { visit } from './visit.ts';

let world: BookingWorld;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  world = await bookingWorld();
  const { db, clock } = world.app.context;
  const setup = demoSetup(0);
  const settings = { ...setup.settings, leadTimeMinutes: 0 };
  const days = setup.hours;
  const hours = { ...days, sunday: days.monday };
  await db.transaction((tx) => writeSetup(tx, world.workshopId, { ...setup, settings, hours }, clock.now()));
  browser = await launchBrowser();
});
after(() => browser?.close());

/** The address of the page, for a link with this prefill. */
async function linkTo(prefill: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams(prefill);
  const answer = await world.partner.call('GET', `/workshops/${world.workshopId}/booking-url?${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.url;
}

describe('booking', { skip: noBrowser }, () => {
  for (const [how, options] of Object.entries({ phone, desk, dark, scriptless })) {
    test(`service, day and time, details, done (${how})`, async () => {
      const { page, close } = await visit(browser, await linkTo(), options, refusals);
      const look = async (name: string) => {
        if (options !== scriptless) await assertAccessible(page);
        await picture(page, `${name}-${how}`);
      };
      await page.getByRole('heading', { name: 'What can we do for your car?' }).waitFor();
      await look('1-service');
      await page.getByRole('link', { name: /Logbook service/ }).click();
      await page.getByRole('heading', { name: 'When can you bring it?' }).waitFor();
      await look('2-time');
      await page.getByRole('link', { name: 'Later days' }).click();
      await page.locator('.days a').nth(1).click();
      await page.locator('.day[aria-current=date]').waitFor();
      await page.locator('.time').first().click();
      await page.getByRole('heading', { name: 'Who is coming?' }).waitFor();
      await look('3-details');
      await page.getByLabel('Your name').fill('Kim Lee');
      await page.getByLabel('Mobile number').fill('12');
      await page.getByLabel('E-mail').fill('kim@mail.example');
      await page.getByLabel('Registration').fill('1ab 2cd');
      await page.getByLabel('Anything we should know?').fill('The left tail-light is out');
      await page.getByRole('button', { name: /^Book for/ }).click();
      await page.getByRole('link', { name: /is not a phone number/ }).waitFor();
      await look('3-details-wrong');
      assert.equal(await page.getByLabel('Registration').inputValue(), '1ab 2cd', 'what was typed stays');
      await page.getByLabel('Mobile number').fill('0491 570 006');
      await page.getByRole('button', { name: /^Book for/ }).click();
      await page.getByRole('heading', { name: 'Thank you, your booking is in.' }).waitFor();
      await look('4-done');
      const code = await page.locator('.code').textContent();
      const { body } = await world.partner.call('GET', '/bookings?limit=1');
      const [booking] = body.bookings;
      assert.equal(booking.code, code);
      assert.deepEqual(
        [booking.customer.name, booking.customer.phone, booking.car.rego, booking.status],
        ['Kim Lee', '+61491570006', '1AB2CD', 'pending'],
      );
      assert.equal(booking.services[0].title, 'Logbook service');
      assert.equal(booking.notes, 'The left tail-light is out');
      await close();
    });
  }
});
