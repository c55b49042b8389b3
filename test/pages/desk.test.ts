/** The shared desk in a browser: by keyboard alone, and checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { readConfig } from '#base/config.ts';
import { desksOf, pinOf } from '../fixtures/desk.ts';
import { visit as signInVisit } from '../fixtures/visit.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { linkedWorkshop } from '../harness/world.ts';
import { assertAccessible, colourRules, picture } from './customer.ts';
import { press, tabTo } from './keyboard.ts';
import { visit } from './visit.ts';

/** What the browser says of a refusal, and of what a sign-out clears. */
const expected = /the server responded with a status of 4\d\d|^Clear-Site-Data header/;

const { smtp } = readConfig({ SMTP_URL: 'smtp://127.0.0.1:25', PITLANE_MAIL_FROM: 'a@b.example' });
let app: TestApp;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  [app, browser] = await Promise.all([startTestApp({ config: { smtp } }), launchBrowser()]);
});
after(() => browser?.close());

describe('a shared desk', { skip: noBrowser }, () => {
  test('by keyboard alone: Switch person, a wrong PIN, the right one; signed out, who is left comes back', async () => {
    const { atDesk, sessionsOf } = desksOf(app, await linkedWorkshop(app, []));
    const at = signInVisit(app);
    const kim = await atDesk(at, pinOf(1));
    const jo = await atDesk(at, pinOf(2));
    const cookies = Object.entries(at.cookies).map(([name, value]) => ({
      ...{ name, value, domain: new URL(app.url).hostname, path: '/', expires: -1 },
      ...{ httpOnly: true, secure: false, sameSite: 'Lax' as const },
    }));
    const options = { storageState: { cookies, origins: [] } };
    const { page, close } = await visit(browser, `${app.url}/console/me`, options, expected);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const whoIsIt = (name: string) => page.locator('.menu.person > summary', { hasText: name }).waitFor();
    await picture(page, 'desk-me');

    await tabTo(page, /E-mail$/);
    await page.keyboard.type('jo.new@desk.example');
    await press(page, /^Change e-mail$/);
    await heading('Type both codes');
    await picture(page, 'desk-codes');
    await assertAccessible(page);

    await press(page, new RegExp(`^${jo.name}$`));
    await press(page, /^Switch person$/);
    await heading('Switch person');
    await picture(page, 'desk-switch');
    await assertAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await assertAccessible(page, colourRules);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 320, height: 740 });
    await assertAccessible(page);

    await tabTo(page, /^PIN$/);
    await page.keyboard.type('222221');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'PIN is not right: 4 tries are left' }).waitFor();
    await picture(page, 'desk-wrong');
    await assertAccessible(page);
    await tabTo(page, /^PIN$/);
    await page.keyboard.type(pinOf(1));
    await press(page, new RegExp(`^Go on as ${kim.name}$`));
    await whoIsIt(kim.name);
    assert.deepEqual(
      (await sessionsOf(jo)).map(({ aside }) => aside),
      [true],
    );

    await press(page, new RegExp(`^${kim.name}$`));
    await press(page, /^Sign out$/);
    await heading('Sign in');
    await page.setViewportSize({ width: 1280, height: 900 });
    await picture(page, 'desk-sign-in');
    await assertAccessible(page);
    await tabTo(page, /^PIN$/);
    await page.keyboard.type(pinOf(2));
    await page.keyboard.press('Enter');
    await whoIsIt(jo.name);
    await close();
  });
});
