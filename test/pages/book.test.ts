/** /book/{slug} as customers see it: in a browser, with and without JavaScript, at the size of a phone and of a desk. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { demoSetup } from '../../src/operation/demo/setup.ts';
import { type BookingWorld, bookingWorld } from '../fixtures/booking-api.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, dark, desk, phone, picture, refusals, scriptless } from './customer.ts';
import { tabTo } from './keyboard.ts';
import { visit } from './visit.ts';

let world: BookingWorld;
let browser: Browser;
/** Both of the workshop's zone within the next year, in order. */
let changes: readonly { readonly date: string; readonly isBack: boolean }[];

before(async () => {
  if (noBrowser) return;
  world = await bookingWorld();
  const { db, clock } = world.app.context;
  const setup = demoSetup(0);
  const settings = { ...setup.settings, leadTimeMinutes: 0, horizonDays: 400 };
  changes = nextClockChanges(clock.now());
  const custom = changes.map(({ date }) => ({
    ...{ date, bays: null, pickupTimes: [], note: 'The clocks change' },
    hours: [{ from: '01:00', to: '05:00' }],
  }));
  await db.transaction((tx) => writeSetup(tx, world.workshopId, { ...setup, settings, custom }, clock.now()));
  browser = await launchBrowser();
});
after(() => browser?.close());

function nextClockChanges(now: Date): typeof changes {
  let at = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('Australia/Melbourne');
  return [1, 2].map(() => {
    const next = at.getTimeZoneTransition('next') ?? at;
    const isBack = next.offsetNanoseconds < next.subtract({ nanoseconds: 1 }).offsetNanoseconds;
    at = next;
    return { date: next.toPlainDate().toString(), isBack };
  });
}

/** The address of the page, for a link with this prefill. */
async function linkTo(prefill: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams(prefill);
  const answer = await world.partner.call('GET', `/workshops/${world.workshopId}/booking-url?${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.url;
}

describe('booking', { skip: noBrowser }, () => {
  // One customer books more often here than pages let anybody in an hour.
  beforeEach(() => world.app.context.db.query('TRUNCATE page_use'));

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
      await page.getByRole('link', { name: 'Later month' }).click();
      await page.locator('.month a').nth(1).click();
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
      await page.getByRole('link', { name: /Enter a phone number, such as/ }).waitFor();
      await look('3-details-wrong');
      assert.match(await page.title(), /^Error: Your details/);
      assert.equal(await page.locator('.notice:focus').count(), 1, 'the focus is on what is wrong');
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

  test('by keyboard alone: every step is reached, and the focus goes on where the visitor was', async () => {
    const { page, close } = await visit(
      browser,
      await linkTo({ name: 'Kim Lee', email: 'kim@mail.example' }),
      desk,
    );
    await tabTo(page, /Skip to the page/);
    await tabTo(page, /Wheel alignment/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'When can you bring it?' }).waitFor();
    await tabTo(page, /Later month/);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Earlier month' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.dataset.swap'), 'later', 'still at the arrow');
    await tabTo(page, /Wed/);
    await page.keyboard.press('Enter');
    await page.locator('.day[aria-current=date]', { hasText: 'Wed' }).waitFor();
    await tabTo(page, /9:30/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Who is coming?' }).waitFor();
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Kim Lee', 'filled in by the link');
    await tabTo(page, /Mobile number/);
    await page.keyboard.type('0491570006');
    await tabTo(page, /Registration/);
    await page.keyboard.type('KEY 1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thank you, your booking is in.' }).waitFor();
    await close();
  });

  for (const [how, options] of Object.entries({ desk, scriptless })) {
    test(`across both changes of the clocks, times are those of the workshop (${how})`, async () => {
      const start = new URL(await linkTo());
      start.searchParams.set('category', 'others');
      for (const { date, isBack } of changes) {
        start.searchParams.set('day', date);
        const { page, close } = await visit(browser, start.href, {
          ...options,
          timezoneId: 'America/New_York',
        });
        const times = await page.locator('.time').allTextContents();
        const repeated = ['2:00 am AEDT', '2:30 am AEDT', '2:00 am AEST', '2:30 am AEST'];
        const night = [
          '1:00 am',
          '1:30 am',
          ...(isBack ? repeated : []),
          '3:00 am',
          '3:30 am',
          '4:00 am',
          '4:30 am',
        ];
        assert.deepEqual(times, night, date);
        const wanted = isBack ? '2:30 am AEST' : '3:00 am';
        await page.getByRole('link', { name: wanted, exact: true }).click();
        await page.getByRole('button', { name: new RegExp(`, ${wanted}$`) }).waitFor();
        for (const [label, value] of Object.entries({
          'Your name': 'Kim Lee',
          'Mobile number': '0491570006',
          'E-mail': 'kim@mail.example',
          Registration: '1AB2CD',
        })) {
          await page.getByLabel(label).fill(value);
        }
        await page.getByRole('button', { name: /^Book for/ }).click();
        await page.getByText(`, ${wanted}`).waitFor();
        const [booking] = (await world.partner.call('GET', '/bookings?limit=1')).body.bookings;
        assert.equal(
          booking.date,
          new Date(`${date}T${isBack ? '02:30:00+10:00' : '03:00:00+11:00'}`).toISOString(),
        );
        await close();
      }
    });
  }

  test('without a link: several services, a date in two months, and the look-up from the done page', async () => {
    const from = Temporal.PlainDate.from(world.app.context.clock.now().toISOString().slice(0, 10)).add({
      months: 2,
    });
    const date = from.add({ days: (10 - from.dayOfWeek) % 7 }).toString();
    const { page, close } = await visit(browser, `${world.app.url}/book/harbour-motors`, scriptless);
    await page.getByRole('link', { name: /Logbook service/ }).click();
    await page.getByRole('link', { name: 'Add another service' }).click();
    await page.getByRole('link', { name: /Wheel alignment/ }).click();
    await page.getByText('2 h 45 min').waitFor();
    await page.getByLabel('Go to a date').fill(date);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator(`.day[data-swap="${date}"][aria-current=date]`).waitFor();
    await page.locator('.time').first().click();
    for (const [label, value] of Object.entries({
      'Your name': 'Kim Lee',
      'Mobile number': '0491570110',
      'E-mail': 'kim@mail.example',
      Registration: '1AB2CD',
    })) {
      await page.getByLabel(label).fill(value);
    }
    await page.getByRole('button', { name: /^Book for/ }).click();
    await page.getByText('Logbook service, Wheel alignment').waitFor();
    assert.equal(await page.getByRole('link', { name: /find your booking/i }).count(), 2);
    await page.getByRole('link', { name: 'Find your booking', exact: true }).click();
    await page.getByRole('heading', { name: 'Find your booking' }).waitFor();
    await close();
  });

  test('a link that has ended says so, with the phone of the workshop', async () => {
    const { page, close } = await visit(browser, `${await linkTo()}x`, phone, refusals);
    await page.getByRole('heading', { name: /can not be used/ }).waitFor();
    await page.getByRole('link', { name: /^Call \(03\)/ }).waitFor();
    await assertAccessible(page);
    await picture(page, 'ended-phone');
    await close();
  });
});
