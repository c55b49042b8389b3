/** Single keys, and notifications of what customers write, in a browser. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { inboundWorld } from '../fixtures/inbound.ts';
import { launchWholeBrowser, noBrowser } from '../harness/browser.ts';
import { until } from '../harness/wait.ts';
import { assertAccessible, desk } from './customer.ts';
import { type Office, openConsole, says, startOffice } from './office.ts';

let office: Office;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  browser = await launchWholeBrowser();
});

const open = (path: string) => openConsole(browser, office, path, desk);
const go = (page: Page, path: string) => page.goto(`${office.app.url}${path}`);

describe('keys', { skip: noBrowser }, () => {
  test('? shows all of them on every page, by its own dialog; none acts while somebody types, with a modifier, or once they are off (specification: The console 19)', async () => {
    const { page, close } = await open(`${office.busy}/today`);
    const dialog = page.getByRole('dialog', { name: 'Keys', exact: true });
    const link = page.getByRole('link', { name: 'Quotes', exact: true });
    await link.focus();
    await page.keyboard.press('?');
    await dialog.waitFor();
    assert.match((await dialog.textContent()) ?? '', /Next conversation[\s\S]*Done/);
    await assertAccessible(page);
    // Under the dialog no other key acts.
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Quotes');
    await page.keyboard.press('Control+/');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Quotes');
    const note = page.getByLabel('Note of the day');
    await note.focus();
    await page.keyboard.type('/ ? j k e');
    assert.equal(await note.inputValue(), '/ ? j k e');
    assert.equal(await dialog.count(), 0);
    await note.fill('');

    await go(page, '/console/me');
    await page.getByRole('heading', { name: 'Your settings' }).focus();
    await page.keyboard.press('?');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Single keys').uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await says(page, 'Saved.');
    await go(page, `${office.busy}/today`);
    await page.keyboard.press('?');
    await page.keyboard.press('/');
    assert.equal(await dialog.count(), 0);
    assert.equal(await page.evaluate('document.activeElement.id'), '');
    await go(page, '/console/me');
    await page.getByLabel('Single keys').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await says(page, 'Saved.');
    await close();
  });
});

/** Keeps what the browser is asked to show. */
const recording = `globalThis.told = [];
globalThis.Notification = class extends Notification {
  constructor(title, options) {
    super(title, options);
    told.push([title, options.body]);
  }
};`;
const toldIn = (page: Page) => page.evaluate<[string, string][]>('told');

describe('notifications', { skip: noBrowser }, () => {
  test('are shown by one page of the browser, also one that is not seen, once somebody has asked for them: without phone, and without the text unless it was asked for (specification: The console 31)', async () => {
    const { app } = office;
    const { answer } = inboundWorld(app);
    const { page, close } = await open('/console/me');
    const context = page.context();
    await context.addInitScript(recording);
    await page.reload();
    const wanted = page.getByRole('switch', { name: 'Tell me when a customer writes' });
    const texts = page.getByRole('switch', { name: /^Show the text/ });
    assert.equal(await texts.isDisabled(), true);
    await wanted.click();
    await page.getByRole('status').getByText('does not allow it').waitFor();
    assert.equal(await wanted.isChecked(), false);
    await context.grantPermissions(['notifications']);
    await wanted.check();
    await page.waitForFunction('localStorage.getItem("console-news") === "names"');

    // Of texts from before nobody is notified.
    await answer('+61491570011', 'From before');
    await go(page, `${office.busy}/week`);
    const other = await context.newPage();
    await go(other, `${office.busy}/today`);
    const looked = (its: Page) =>
      its.evaluate<boolean>(`localStorage.getItem('console-news ${office.busy}') !== null`);
    await until('it has looked', () => looked(page));
    await answer('+61491570011', 'Is my car ready? Ring 0491 570 011');
    const all = async () => [...(await toldIn(page)), ...(await toldIn(other))];
    await until('it was shown', async () => (await all()).length > 0);
    const [title = '', body] = (await all())[0] ?? [];
    assert.match(title, /has written$/);
    assert.doesNotMatch(title, /\d{4}/);
    assert.equal(body, '');

    await go(other, '/console/me');
    await other.getByRole('switch', { name: /^Show the text/ }).check();
    await go(other, `${office.busy}/today`);
    await answer('+61491570011', 'Second');
    await until('the second was shown', async () => (await all()).some(([, text]) => text === 'Second'));
    assert.equal((await all()).filter(([, text]) => text !== '').length, 1);

    // The page that shows them goes, and the other goes on.
    await page.close();
    await answer('+61491570011', 'Third');
    await until('the third was shown', async () =>
      (await toldIn(other)).some(([, text]) => text === 'Third'),
    );
    assert.equal((await toldIn(other)).length, 1);
    await close().catch(() => undefined);
  });
});
