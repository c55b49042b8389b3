/** Long because its tests share one office, whose start takes a second. Another time for a booking, by mouse, keys, fingers and steps, which each only fill the form of Move in; and the day on paper. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { baseOf, signedInPerson } from '../fixtures/office.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { bookingBody, linkedWorkshop } from '../harness/world.ts';
import { assertAccessible, colourRules, desk, phone, picture } from './customer.ts';
import { type Office, openConsole, says, startOffice } from './office.ts';

let office: Office;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  browser = await launchBrowser();
});
after(() => browser?.close());

/** As the owner. */
const open = (path: string, options?: BrowserContextOptions) => openConsole(browser, office, path, options);

/** Pending, on Monday 4 March 2030 at 12:35, and where the day shows it. */
const nth = 7;
const id = () => office.bookings[nth] ?? '';
const entryOf = (page: Page, booking = id()) => page.locator(`li[data-id="${booking}"]`);
const dateOf = async () => {
  const [row] = await office.app.context.db.query<{ date: Date }>('SELECT date FROM booking WHERE id = $1', [
    id(),
  ]);
  return row?.date.toISOString();
};
const unmoved = '2030-03-04T01:35:00.000Z';
const said = (page: Page) => page.locator('#said').textContent();
const busy = (page: Page) => page.evaluate<string | null>('document.documentElement.dataset.busy ?? null');

/** Scrolls the booking there: near the edges of the window a drag scrolls by itself. */
const toMiddle = (page: Page) =>
  page.evaluate(`document.querySelector('li[data-id="${id()}"]').scrollIntoView({ block: 'center' })`);

/** Where the page stands once it has not scrolled for 20 frames: a fling goes on by itself. */
const settledScroll = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => {
    let at = scrollY;
    let still = 0;
    const look = () => {
      still = scrollY === at ? still + 1 : 0;
      at = scrollY;
      if (still === 20) done(at);
      else requestAnimationFrame(look);
    };
    look();
  })`);

async function centreOf(at: Locator): Promise<{ x: number; y: number }> {
  const box = (await at.boundingBox()) ?? assert.fail('it is not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Of the form of Move that has opened. */
async function formOf(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'Move this booking' }).waitFor();
  return `${await page.getByLabel('Date').first().inputValue()} ${await page.getByLabel('Time').first().inputValue()}`;
}

describe('another time', { skip: noBrowser }, () => {
  test('by mouse: a drag opens the form filled in, Escape takes it back, and a click opens the booking (specification: The console 10)', async () => {
    const { page, close } = await open(`${office.busy}/today`);
    const entry = entryOf(page);
    const grab = async (rows: number) => {
      await toMiddle(page);
      const at = await centreOf(entry);
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x, at.y + 10);
      await page.mouse.move(at.x + 3, at.y + rows * 28);
    };
    await grab(3);
    await says(page, /^Move AB71CD from 12:35 pm to 1:15 pm\. Enter/);
    assert.equal(await page.locator('.ghost:visible').textContent(), '1:15 pm');
    assert.equal(await busy(page), 'move');
    await picture(page, 'day-moves-drag');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await says(page, 'AB71CD stays at 12:35 pm.');
    assert.equal(await busy(page), null);
    assert.equal(await page.locator('.ghost, #proposal:visible').count(), 0);
    assert.match(page.url(), /\/today$/);

    // The list is replaced while it is dragged: it goes on. The booking is gone: it ends.
    await grab(2);
    await page.evaluate(
      `(() => { const list = document.querySelector('.lanes'); list.querySelector('.ghost').remove(); for (const one of list.querySelectorAll('[style=""]')) one.removeAttribute('style'); list.outerHTML = list.outerHTML; })()`,
    );
    const { x, y } = await centreOf(entry);
    await page.mouse.move(x, y + 4 * 28);
    await page.locator('.ghost', { hasText: /^1:30 pm$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await grab(2);
    await page.evaluate(`document.querySelector('li[data-id="${id()}"]').dataset.id = 'gone'`);
    await page.mouse.move(x, y + 5 * 28);
    await page.locator('html:not([data-busy])').waitFor({ state: 'attached' });
    await page.mouse.up();
    await page.evaluate(`document.querySelector('li[data-id="gone"]').dataset.id = '${id()}'`);

    // Far past the end of the day: not offered, and it stays open to be put right.
    await page.evaluate('scrollTo(0, 0)');
    await grab(60);
    await page.evaluate(`new Promise((done) => {
      const look = () => (scrollY > 100 ? done(true) : requestAnimationFrame(look));
      look();
    })`);
    await page.mouse.up();
    await says(page, /hours of this day is not offered/);
    assert.equal(await page.getByRole('link', { name: 'Open the form' }).isVisible(), false);
    await page.getByRole('button', { name: 'Keep it' }).click();
    assert.equal(await busy(page), null);

    await grab(3);
    await page.mouse.up();
    assert.equal(await formOf(page), '2030-03-04 13:15');
    assert.equal(await dateOf(), unmoved, 'a drag changes nothing');
    await page.goBack();
    assert.equal(await busy(page), null);
    const { x: left, y: top } = await centreOf(entry);
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.move(left + 2, top + 3);
    await page.mouse.up();
    await page.getByRole('link', { name: 'Move', exact: true }).waitFor();
    await close();
  });

  test('by keys: said before anything happens, and changed when Move is pressed (specification: The console 10)', async () => {
    const { page, close } = await open(`${office.busy}/today`);
    const link = entryOf(page).locator('a').first();
    const keys = await link.getAttribute('aria-describedby');
    assert.match((await page.locator(`#${keys}`).textContent()) ?? '', /Enter then opens the form, Escape/);
    await link.focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await says(page, /^Move AB71CD from 12:35 pm to 12:15 pm\. Enter opens the form, Escape/);
    await assertAccessible(page);
    await picture(page, 'day-moves-keys');
    await page.emulateMedia({ colorScheme: 'dark' });
    await assertAccessible(page, colourRules);
    await picture(page, 'day-moves-keys-dark');
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    await picture(page, 'day-moves-keys-forced');
    await page.emulateMedia({ forcedColors: 'none' });
    await page.keyboard.press('Escape');
    await says(page, 'AB71CD stays at 12:35 pm.');
    assert.equal(await page.evaluate('document.activeElement.closest("li").dataset.id'), id());

    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowRight');
    await says(page, /to Tue 5 Mar, 12:45 pm\./);
    // Whoever goes on with Tab lets it be.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await link.focus();
    assert.equal(await busy(page), null);
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await formOf(page), '2030-03-03 12:45');
    assert.equal(await dateOf(), unmoved);
    await page.goBack();
    await link.focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await formOf(page), '2030-03-04 12:45');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await says(page, 'Moved.');
    assert.equal(await dateOf(), '2030-03-04T01:45:00.000Z');
    await page.getByRole('button', { name: 'Undo' }).click();
    await says(page, 'Undone.');
    assert.equal(await dateOf(), unmoved);
    await close();
  });

  test('on a phone: the handle drags and opens steps, a touch elsewhere scrolls the page', async () => {
    const { page, close } = await open(`${office.busy}/today`, phone);
    const input = await page.context().newCDPSession(page);
    const touch = (type: string, at?: { x: number; y: number }) =>
      input.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: at ? [{ x: at.x, y: at.y }] : [],
      });
    const swipe = async (from: { x: number; y: number }, by: number) => {
      await touch('touchStart', from);
      for (const part of [0.2, 0.5, 0.8, 1]) await touch('touchMove', { x: from.x, y: from.y + part * by });
    };
    const entry = entryOf(page);
    const handle = entry.locator('.handle');
    await toMiddle(page);
    const before = await settledScroll(page);
    await swipe(await centreOf(entry.locator('strong')), -120);
    await touch('touchEnd');
    assert.ok((await settledScroll(page)) > before + 40);
    assert.deepEqual([await busy(page), await said(page)], [null, ''], 'a touch beside the handle scrolls');

    await toMiddle(page);
    const settled = await settledScroll(page);
    await swipe(await centreOf(handle), 2 * 28);
    await says(page, /^Move AB71CD from 12:35 pm to 1:00 pm\./);
    assert.equal(await page.evaluate<number>('scrollY'), settled, 'a drag at the handle does not');
    await picture(page, 'day-moves-phone-drag');
    await touch('touchCancel');
    await page.locator('html:not([data-busy])').waitFor({ state: 'attached' });

    await handle.tap();
    await page.getByRole('button', { name: '15 min later' }).tap();
    await page.getByRole('button', { name: '15 min later' }).tap();
    await page.getByRole('button', { name: 'Day after' }).tap();
    await says(page, /to Tue 5 Mar, 1:00 pm/);
    await picture(page, 'day-moves-phone-steps');
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Open the form' }).tap();
    assert.equal(await formOf(page), '2030-03-05 13:00');
    await page.goBack();
    await toMiddle(page);
    await swipe(await centreOf(handle), 2 * 28);
    await touch('touchEnd');
    assert.equal(await formOf(page), '2030-03-04 13:00');
    assert.equal(await dateOf(), unmoved);
    await close();
  });

  test('a day of 23 and one of 25 hours: rows are instants, what is closed is said and not offered (specification: The console 10)', async () => {
    const { app, partner, strict, strictId } = office;
    const night = [{ from: '00:00', to: '12:00' }];
    await app.context.db.transaction((tx) =>
      writeSetup(
        tx,
        strictId,
        {
          custom: ['2030-04-07', '2030-10-06'].map((date) => ({
            date,
            hours: night,
            pickupTimes: null,
            bays: null,
            note: null,
          })),
        },
        app.clock.now(),
      ),
    );
    const book = async (bookingTime: string) => {
      const { status, body } = await partner.call(
        'POST',
        '/bookings',
        bookingBody(strictId, { bookingTime, carRego: 'CLOCK1' }),
      );
      assert.equal(status, 201, JSON.stringify(body));
      return body.booking.id as string;
    };
    const [short, long] = [await book('2030-10-05T15:30:00Z'), await book('2030-04-06T15:30:00Z')];
    const { page, close } = await open(`${strict}/today?date=2030-10-06`);
    await entryOf(page, short).locator('a').first().focus();
    for (const time of ['1:45 am', '3:00 am']) {
      await page.keyboard.press('Alt+ArrowDown');
      await says(page, new RegExp(`from 1:30 am to ${time}\\.`));
    }
    for (let n = 0; n < 36; n++) await page.keyboard.press('Alt+ArrowDown');
    await says(page, /not offered/);
    await page.keyboard.press('Enter');
    assert.match(page.url(), /\/today\?date=2030-10-06$/);

    await page.goto(`${app.url}${strict}/today?date=2030-04-07`);
    await entryOf(page, long).locator('a').first().focus();
    for (let n = 0; n < 4; n++) await page.keyboard.press('Alt+ArrowDown');
    await says(page, /from 2:30 am AEDT to 2:30 am AEST\./);
    await page.keyboard.press('Enter');
    assert.equal(await formOf(page), '2030-04-07 02:30');
    assert.equal(await page.getByLabel('which of the two').inputValue(), 'second');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await says(page, 'Moved.');
    const [row] = await app.context.db.query<{ date: Date }>('SELECT date FROM booking WHERE id = $1', [
      long,
    ]);
    assert.equal(row?.date.toISOString(), '2030-04-06T16:30:00.000Z');
    await close();
  });

  test('a day and a week on paper: axe finds nothing, and a booking is not split between two sheets', async () => {
    const { page, close } = await open(`${office.busy}/print?date=2030-03-04`);
    await assertAccessible(page);
    await page.setViewportSize({ width: 320, height: 740 });
    await assertAccessible(page);
    await picture(page, 'print-day-320');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const style = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    assert.deepEqual(
      [await style('body', 'backgroundColor'), await style('body', 'color')],
      ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
    );
    assert.equal(await style('.lane > li', 'breakInside'), 'avoid');
    for (const gone of ['.top', '.controls', '.foot'])
      assert.equal(await page.locator(gone).isVisible(), false, gone);
    await paper(page, 'print-day');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate('window.print = () => { window.printed = true; }');
    await page.getByRole('button', { name: 'Print' }).click();
    assert.equal(await page.evaluate('window.printed'), true);
    await page.getByRole('link', { name: 'The week' }).click();
    await page.getByRole('heading', { name: /^Seven days from Mon 4 Mar/ }).waitFor();
    await assertAccessible(page);
    await page.setViewportSize({ width: 320, height: 740 });
    await assertAccessible(page);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await style('.jobs li', 'breakInside'), 'avoid');
    await paper(page, 'print-week');
    await close();
  });
});

describe('a day of twenty bookings on paper', { skip: noBrowser }, () => {
  test('is one page of A4, its lanes side by side, with the job notes', async () => {
    const { app, partner, owner } = office;
    const workshopId = await linkedWorkshop(app, [partner]);
    for (const n of Array(20).keys()) {
      const { status, body } = await partner.call(
        'POST',
        '/bookings',
        bookingBody(workshopId, {
          ...{
            customerName: `Customer Longname ${n}`,
            customerPhone: `04915${71100 + n}`,
            carRego: `LANE${n}`,
          },
          bookingTime: new Date(
            Date.parse('2030-03-04T21:30:00Z') + Math.floor(n / 4) * 5_400_000,
          ).toISOString(),
          services: [{ title: 'Logbook service' }, { title: 'Wheel alignment' }],
          notes: 'Brakes squeal when it rains',
          ...(n % 2 === 0 && {
            jobNotes: ['Check the left front caliper', 'Rotate tyres'],
            productNotes: ['Pads'],
          }),
          ...{ pickupTime: '2030-03-05T05:30:00Z', skipNotification: true },
        }),
      );
      assert.equal(status, 201, JSON.stringify(body));
    }
    await app.context.db.query(
      `UPDATE booking SET occupied_from = date, occupied_until = date + interval '90 minutes' WHERE workshop_id = $1`,
      [workshopId],
    );
    const person = await signedInPerson(app, [workshopId]);
    assert.notEqual(person.personId, owner.personId);
    const { page, close } = await openConsole(
      browser,
      office,
      `${await baseOf(app, workshopId)}/print?date=2030-03-05`,
      desk,
      person,
    );
    const boxes = await Promise.all(
      ['LANE0', 'LANE1', 'LANE2', 'LANE3'].map((rego) => page.getByText(rego, { exact: true }).boundingBox()),
    );
    const [first] = boxes;
    boxes.forEach((box, n) => {
      assert.ok(first && box && Math.abs(box.y - first.y) < 2, 'they begin at the same height');
      if (n > 0) assert.ok(box.x > (boxes[n - 1]?.x ?? 0) + 50, 'side by side');
    });
    await page.getByText('Check the left front caliper; Rotate tyres').first().waitFor();
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    await paper(page, 'print-twenty');
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 703, height: 1_032 });
    await picture(page, 'print-twenty');
    assert.equal(pages.length, 1);
    await close();
  });
});

/** For a look by hand, as `picture`. */
async function paper(page: Page, name: string): Promise<void> {
  const folder = process.env['PITLANE_TEST_SCREENSHOTS'];
  if (folder) await page.pdf({ path: `${folder}/${name}.pdf`, format: 'A4', preferCSSPageSize: true });
}
