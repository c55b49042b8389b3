/** The week in a browser: a booking is moved to another day by mouse, keys, fingers and steps, which each only fill the form of Move in; what it looks like. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, phone, picture } from './customer.ts';
import { faultsOfLooks } from './looks.ts';
import { type Office, openConsole, says, startOffice } from './office.ts';

let office: Office;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  const { app, busy, owner } = office;
  const [workshop] = await app.context.db.query<{ id: string }>('SELECT id FROM workshop WHERE slug = $1', [
    busy.split('/').at(-1),
  ]);
  const custom = [
    { date: '2030-03-07', hours: [{ from: '10:00', to: '14:00' }], note: 'Short day' },
    { date: '2030-03-08', hours: [], note: 'Show day' },
  ].map((day) => ({ ...day, bays: null, pickupTimes: null }));
  await app.context.db.transaction((tx) => writeSetup(tx, workshop?.id ?? '', { custom }, app.clock.now()));
  await owner.submit(`${busy}/week`, `${busy}/week/close`, {
    date: '2030-03-06',
    bays: '2',
    reason: 'Hoist 2',
  });
  browser = await launchBrowser();
});
after(() => browser?.close());

const open = (path = `${office.busy}/week`, options?: BrowserContextOptions) =>
  openConsole(browser, office, path, options);

/** Pending, on Monday 4 March 2030 at 12:35. */
const id = () => office.bookings[7] ?? '';
const entryOf = (page: Page) => page.locator(`li[data-id="${id()}"]`);
const dateOf = async () => {
  const [row] = await office.app.context.db.query<{ date: Date }>('SELECT date FROM booking WHERE id = $1', [
    id(),
  ]);
  return row?.date.toISOString();
};
const unmoved = '2030-03-04T01:35:00.000Z';
const busy = (page: Page) => page.evaluate<string | null>('document.documentElement.dataset.busy ?? null');

/** The hour of a day, by what clocks show there. */
const cellOf = (page: Page, day: string, hour: string) =>
  page
    .getByRole('region', { name: day, exact: true })
    .locator('.cell')
    .filter({ has: page.locator('.load span', { hasText: new RegExp(`^${hour}$`) }) });

async function boxOf(at: Locator) {
  return (await at.boundingBox()) ?? assert.fail('it is not shown');
}

async function middleOf(at: Locator): Promise<{ x: number; y: number }> {
  const box = await boxOf(at);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function formOf(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'Move this booking' }).waitFor();
  return `${await page.getByLabel('Date').first().inputValue()} ${await page.getByLabel('Time').first().inputValue()}`;
}

describe('the week', { skip: noBrowser }, () => {
  test('by mouse: dropped on an hour of another day the form opens filled in; nothing is changed by it', async () => {
    // So tall that nothing scrolls while it is dragged.
    const { page, close } = await open(undefined, { viewport: { width: 1280, height: 2_400 } });
    const entry = entryOf(page);
    const grab = async () => {
      const at = await middleOf(entry.locator('strong'));
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x + 4, at.y + 8);
    };
    await grab();
    await says(page, /^AB71CD stays at 12:35 pm\./);
    // Three quarters down: the last quarter of the hour.
    const box = await boxOf(cellOf(page, 'Thu 7 Mar', '1:00 pm'));
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.8);
    await says(page, /^Move AB71CD from 12:35 pm to Thu 7 Mar, 1:45 pm\. Enter/);
    assert.equal(await page.locator('.ghost:visible').textContent(), '1:45 pm');
    assert.equal(await busy(page), 'move');
    await picture(page, 'week-drag');
    // No hours there, and none outside of them.
    const closed = await boxOf(page.getByRole('region', { name: 'Fri 8 Mar', exact: true }));
    await page.mouse.move(closed.x + 20, box.y + 10);
    await says(page, /hours of Fri 8 Mar is not offered/);
    const early = await boxOf(cellOf(page, 'Wed 6 Mar', '9:00 am'));
    await page.mouse.move(box.x + 20, early.y + 10);
    await says(page, /hours of Thu 7 Mar is not offered/);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await says(page, 'AB71CD stays at 12:35 pm.');
    assert.equal(await busy(page), null);
    assert.equal(await page.locator('.ghost, #proposal:visible').count(), 0);
    assert.match(page.url(), /\/week$/);

    await grab();
    const target = await middleOf(cellOf(page, 'Wed 6 Mar', '2:00 pm'));
    await page.mouse.move(target.x, target.y + 2);
    await page.mouse.up();
    assert.equal(await formOf(page), '2030-03-06 14:30');
    assert.equal(await dateOf(), unmoved, 'a drag changes nothing');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await says(page, 'Moved.');
    assert.equal(await dateOf(), '2030-03-06T03:30:00.000Z');
    await page.getByRole('button', { name: 'Undo' }).click();
    await says(page, 'Undone.');
    assert.equal(await dateOf(), unmoved);
    await close();
  });

  test('by keys: to the next days at the same time, over those that have none, past the last', async () => {
    const { page, close } = await open();
    const link = entryOf(page).locator('a').first();
    await link.focus();
    await page.keyboard.press('Alt+ArrowRight');
    await says(page, /to Tue 5 Mar, 12:35 pm\. Enter opens the form/);
    await page.keyboard.press('Alt+ArrowDown');
    await says(page, /to Tue 5 Mar, 12:45 pm\./);
    await assertAccessible(page);
    for (const words of [
      /to Wed 6 Mar, 12:45 pm\. Enter/,
      /to Thu 7 Mar, 12:45 pm\. Enter/,
      /hours of Fri 8 Mar is not offered/,
      /hours of Sat 9 Mar is not offered/,
      /hours of Sun 10 Mar is not offered/,
    ]) {
      await page.keyboard.press('Alt+ArrowRight');
      await says(page, words);
    }
    for (let n = 0; n < 3; n++) await page.keyboard.press('Alt+ArrowLeft');
    await says(page, /to Thu 7 Mar, 12:45 pm\. Enter/);
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.closest("li").dataset.id'), id());
    // Before the first day, and back.
    await page.keyboard.press('Alt+ArrowLeft');
    await says(page, /to Sun 3 Mar, 12:35 pm\. Enter/);
    await page.keyboard.press('Alt+ArrowRight');
    await says(page, /stays at 12:35 pm/);
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Enter');
    assert.equal(await formOf(page), '2030-03-05 12:35');
    assert.equal(await dateOf(), unmoved);
    await close();
  });

  test('on a phone: the handle opens steps and drags to another hour, a touch elsewhere is the page’s', async () => {
    const { page, close } = await open(undefined, phone);
    const handle = entryOf(page).locator('.handle');
    await handle.tap();
    await page.getByRole('button', { name: 'Day after' }).tap();
    await page.getByRole('button', { name: '15 min later' }).tap();
    await says(page, /to Tue 5 Mar, 12:45 pm\./);
    await picture(page, 'week-phone-steps');
    await page.getByRole('link', { name: 'Open the form' }).tap();
    assert.equal(await formOf(page), '2030-03-05 12:45');
    await page.goto(`${office.app.url}${office.busy}/week`);
    await page.evaluate(
      `document.querySelector('li[data-id="${id()}"]').scrollIntoView({ block: 'center' })`,
    );
    const input = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      input.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
    const from = await middleOf(handle);
    await touch('touchStart', from);
    await touch('touchMove', { x: from.x, y: from.y + 10 });
    await page.locator('#proposal').waitFor();
    const to = await boxOf(cellOf(page, 'Mon 4 Mar', '11:00 am'));
    for (const y of [to.y + 20, to.y + 3]) await touch('touchMove', { x: from.x, y });
    await page.locator('#said', { hasText: 'to 11:00 am.' }).waitFor({ state: 'attached' });
    await touch('touchEnd');
    assert.equal(await formOf(page), '2030-03-04 11:00');
    assert.equal(await dateOf(), unmoved);
    await close();
  });

  test('a day is closed from the week and opened again; what others change is on it, and what is proposed stays', async () => {
    const { page, close } = await open();
    await page.getByText('Close a day or bays').click();
    await page.getByLabel('From', { exact: true }).fill('2030-03-05');
    await page.getByLabel('How many bays').fill('all');
    await page.getByLabel('Reason').fill('Training');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await says(page, /^Closed\. \d+ bookings? lies? in it, and stays?\.|^Closed\. No booking/);
    const tuesday = page.getByRole('region', { name: 'Tue 5 Mar', exact: true });
    await tuesday.getByText('All bays closed all day: Training').waitFor();
    await entryOf(page).locator('a').first().focus();
    await page.keyboard.press('Alt+ArrowRight');
    await says(page, /closed at Tue 5 Mar, 12:35 pm, not offered/);
    await page.keyboard.press('Escape');
    await page.getByText('Training').locator('visible=true').last().waitFor();
    const card = page.locator('.closed', { hasText: 'Training' });
    await card.getByRole('button', { name: 'Open again' }).click();
    await says(page, 'Open again.');
    assert.equal(await tuesday.getByText('Training').count(), 0);

    await entryOf(page).locator('a').first().focus();
    await page.keyboard.press('Alt+ArrowRight');
    await page.evaluate(
      `document.querySelector('.ghost').remove(); document.querySelectorAll('.cells').forEach((list) => (list.outerHTML = list.outerHTML))`,
    );
    await page.evaluate(`document.dispatchEvent(new Event('console:updated'))`);
    await says(page, /to Tue 5 Mar, 12:35 pm\. Enter/);
    assert.equal(await page.locator('.ghost:visible').count(), 1);
    await close();
  });

  test('closing over days: the number of bookings in it follows what is chosen, and the form is read without a fault', async () => {
    const { page, close } = await open();
    await page.getByText('Close a day or bays').click();
    await page.getByLabel('From', { exact: true }).fill('2030-03-04');
    await page.getByLabel('To', { exact: true }).fill('2030-03-17');
    await page.getByLabel('Reason').fill('Holiday');
    await page
      .locator('#closing-count')
      .getByText(/^\d+ bookings lie in it, and stay\.$/)
      .waitFor();
    await page.getByLabel('Repeat').selectOption('Each year');
    await page.getByLabel('Until').fill('2032-12-31');
    await page
      .locator('#closing-count')
      .getByText(/^3 closings\. /)
      .waitFor();
    assert.equal(await page.getByLabel('Reason').inputValue(), 'Holiday');
    await assertAccessible(page);
    for (const width of [375, 1366, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await picture(page, `week-closing-${width}`);
    }
    await close();
  });

  test('axe finds nothing at 320, 375 and 1,280 px, in the dark, in forced colours; it is light enough', async () => {
    const { page, close } = await open();
    await page.getByText('The load as a table').click();
    assert.deepEqual(await faultsOfLooks(page, 'week', [768, 375, 320]), []);
    await close();
  });
});
