/** Long because one office serves all of it. The office as its people use it: in a browser, by keyboard alone, on a phone without JavaScript, and checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Person, signedInPerson } from '../fixtures/office.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, desk, picture, scriptless } from './customer.ts';
import { press, tabTo } from './keyboard.ts';
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

/** Opens a place in a browser of its own, as the owner unless told. */
const open = (path: string, options?: BrowserContextOptions, person?: Person | null) =>
  openConsole(browser, office, path, options, person);

const statusOf = async (id: string) =>
  (
    await office.app.context.db.query<{ status: string; date: Date }>(
      'SELECT status, date FROM booking WHERE id = $1',
      [id],
    )
  )[0];
const idOf = (page: Page) => /bookings\/([\da-f-]{36})/.exec(page.url())?.[1] ?? '';
/** Undo's time is over. */
async function later(): Promise<void> {
  await office.app.context.db.query(
    "UPDATE held_event SET held_until = clock_timestamp() - interval '1 second'",
  );
  await office.app.drain();
}

describe('the console', { skip: noBrowser }, () => {
  test('axe finds nothing at any size and in any colours; CSS and scripts of a first visit are at most 60 KB', async () => {
    const pending = `${office.busy}/bookings/${office.bookings.at(-1)}`;
    const places = {
      today: `${office.busy}/today`,
      booking: pending,
      new: `${office.busy}/bookings/new?rego=AB31CD`,
      move: `${pending}/move`,
      cancel: `${pending}/cancel`,
      customers: `${office.busy}/customers`,
      customer: `${office.busy}/customers/${office.customerId}`,
      'opt-in': `${office.busy}/customers/${office.optedOutId}/opt-in`,
      erase: `${office.busy}/customers/${office.customerId}/erase`,
      export: `${office.busy}/customers/${office.customerId}/export`,
      merge: `${office.busy}/customers/${office.customerId}/merge?with=${office.otherCustomerId}`,
      find: `${office.busy}/find?q=AB`,
      inbox: `${office.busy}/inbox`,
      me: '/console/me',
      people: `${office.busy}/settings/people`,
      import: `${office.busy}/import`,
      'sign-in': '/console/sign-in',
    };
    const found: string[] = [];
    for (const [name, path] of Object.entries(places)) {
      const { page, close } = await open(path, desk, name === 'sign-in' ? null : office.owner);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, name);
      found.push(...(await faultsOfLooks(page, `console-${name}`)));
      await close();
    }
    assert.deepEqual(found, [], found.join('\n'));
  });

  test('text at twice its size: no page of the day scrolls sideways', async () => {
    for (const path of [`${office.busy}/today`, `${office.busy}/bookings/${office.bookings.at(-1)}`]) {
      const { page, close } = await open(path, { viewport: { width: 640, height: 900 } });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      await picture(page, `console-text-200-${path.split('/')[4]}`);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(tooWide) <= 0, `${path} is ${tooWide} pixels too wide`);
      await close();
    }
  });

  test('in forced colours, what is chosen differs from the rest', async () => {
    const { page, close } = await open(`${office.busy}/bookings/${office.bookings.at(-1)}`, {
      forcedColors: 'active',
    });
    const styleOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    for (const [chosen, rest, property] of [
      ['[aria-pressed=true]', '[aria-pressed=false]', 'backgroundColor'],
      ['nav [aria-current]', 'nav a:not([aria-current])', 'borderBottomColor'],
    ] as const)
      assert.notEqual(await styleOf(chosen, property), await styleOf(rest, property), chosen);
    await close();
  });

  test('by keyboard alone: found, booked, confirmed, taken back, and marked as here', async () => {
    const { page, close } = await open(`${office.strict}/today`);
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), 'find');
    await press(page, /^New booking$/);
    await page.getByRole('heading', { name: 'New booking' }).waitFor();
    await tabTo(page, /^Registration$/);
    await page.keyboard.type('key 001');
    await tabTo(page, /^Name$/);
    await page.keyboard.type('Kay/Board');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Kay/Board', '/ is typed where typing is');
    await tabTo(page, /^Service$/);
    await page.keyboard.type('Logbook service');
    await tabTo(page, /^Time$/);
    await page.keyboard.type('0100PM');
    await tabTo(page, /^Confirmed$/);
    await page.keyboard.press('Space');
    await press(page, /^Book$/);
    await says(page, 'Booked.');
    const id = idOf(page);
    assert.deepEqual(await statusOf(id), { status: 'pending', date: new Date('2030-03-04T02:00:00Z') });

    await press(page, /^Confirm$/);
    await says(page, 'Confirmed.');
    assert.equal((await statusOf(id))?.status, 'confirmed');
    await press(page, /^Undo$/);
    await says(page, 'Undone.');
    assert.equal((await statusOf(id))?.status, 'pending');

    await press(page, /^Here$/);
    await says(page, 'Marked.');
    const pressed = page.getByRole('group', { name: 'Attendance' }).locator('[aria-pressed=true]');
    assert.deepEqual(await pressed.allTextContents(), ['Here']);

    // What is found shows while somebody types; arrow keys lead to it.
    await office.app.drain();
    await page.keyboard.press('/');
    await page.keyboard.type('KEY001');
    await page.locator('#found [data-result]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { name: /KEY001|Kay/ })
      .first()
      .waitFor();
    await close();
  });

  test('/ does nothing for whoever turned single keys off', async () => {
    const person = await signedInPerson(office.app, [office.strictId], 'adviser');
    await office.app.context.db.query('UPDATE person SET single_keys = false WHERE id = $1', [
      person.personId,
    ]);
    const { page, close } = await open(`${office.strict}/today`, desk, person);
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), '');
    await close();
  });

  test('on a phone without JavaScript: booked, moved, moved back, cancelled, and booked alike (specification: The console 5)', async () => {
    const { page, close } = await open(`${office.strict}/today`, scriptless);
    await page.getByRole('link', { name: 'New booking' }).click();
    await page.getByLabel('Registration').fill('PHN 001');
    await page.getByLabel('Name', { exact: true }).fill('Phil Phone');
    await page.getByLabel('Date').first().fill('2030-03-05');
    await page.getByLabel('Time').first().fill('10:00');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await says(page, 'Booked.');
    const id = idOf(page);
    const path = `${office.app.url}${office.strict}/bookings/${id}`;

    await page.getByRole('link', { name: 'Move', exact: true }).click();
    await page.getByLabel('Date').first().fill('2030-03-06');
    await page.getByLabel('Time').first().fill('11:00');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await says(page, 'Moved.');
    assert.equal((await statusOf(id))?.date.toISOString(), '2030-03-06T00:00:00.000Z');
    await later();
    await page.goto(path);
    await page.getByRole('link', { name: 'Put it back' }).click();
    assert.equal(await page.getByLabel('Date').first().inputValue(), '2030-03-05');
    assert.equal(await page.getByLabel('Time').first().inputValue(), '10:00');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await says(page, 'Moved.');

    await page.getByRole('link', { name: 'Cancel booking' }).click();
    await page.getByRole('button', { name: 'Cancel booking' }).click();
    await says(page, 'Cancelled.');
    assert.equal((await statusOf(id))?.status, 'cancelled');
    await later();
    await page.goto(path);
    await page.getByRole('link', { name: 'Put it back' }).click();
    await page.getByRole('heading', { name: 'New booking' }).waitFor();
    assert.equal(await page.getByLabel('Registration').inputValue(), 'PHN001');
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Phil Phone');
    assert.equal(await page.getByLabel('Date').first().inputValue(), '2030-03-05');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await says(page, 'Booked.');
    assert.notEqual(idOf(page), id);
    await close();
  });

  test('a time that is taken: other times as buttons, which keep what was typed, and Book anyway with its reason', async () => {
    const { page, close } = await open(`${office.strict}/bookings/new`);
    const book = async (rego: string) => {
      await page.goto(`${office.app.url}${office.strict}/bookings/new`);
      await page.getByLabel('Registration').fill(rego);
      await page.getByLabel('Date').first().fill('2030-03-07');
      await page.getByLabel('Time').first().fill('10:00');
      await page.getByRole('button', { name: 'Book', exact: true }).click();
    };
    await book('TAKEN1');
    await says(page, 'Booked.');
    await book('TAKEN2');
    const free = page.locator('.conflict').getByRole('button');
    await free.first().waitFor();
    await assertAccessible(page);
    assert.match(await page.title(), /^Error: New booking/);
    await free.first().click();
    await says(page, 'Booked.');
    const moved = await statusOf(idOf(page));
    assert.notEqual(moved?.date.toISOString(), '2030-03-06T23:00:00.000Z');
    await page.getByText('TAKEN2').first().waitFor();

    await book('TAKEN3');
    await page.getByLabel('Reason').fill('x');
    await page.getByRole('button', { name: 'Book anyway' }).click();
    await page.locator('#reason-error').waitFor();
    assert.equal(
      await page.locator('.notice a').getAttribute('href'),
      '#reason',
      'the fault leads to its field',
    );
    assert.equal(await page.getByLabel('Registration').inputValue(), 'TAKEN3');
    await page.getByLabel('Reason').fill('Waits for it');
    await page.getByRole('button', { name: 'Book anyway' }).click();
    await says(page, 'Booked.');
    await page.getByText('Booked anyway: Waits for it').waitFor();
    assert.equal((await statusOf(idOf(page)))?.date.toISOString(), '2030-03-06T23:00:00.000Z');
    await close();
  });
});
