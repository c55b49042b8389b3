/** The inbox in a browser: conversations and what was said, on a desk and on a phone, by keyboard alone, without JavaScript, checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { browserPictures } from '../fixtures/logos.ts';
import type { Person } from '../fixtures/office.ts';
import { type Talked, talksAt } from '../fixtures/talks.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, colourRules, desk, phone, picture, scriptless, weight } from './customer.ts';
import { press, tabTo } from './keyboard.ts';
import { type Office, openConsole, says, startOffice } from './office.ts';

let office: Office;
let browser: Browser;
let talks: ReturnType<typeof talksAt>;
let mara: Talked;
let talk = '';

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  browser = await launchBrowser();
  const { app, partner, owner, strict, strictId } = office;
  talks = talksAt(app, partner, strictId);
  const { clock } = app;
  const hours = 3_600;
  const now = clock.advanceSeconds();
  clock.setAdvance(now - 50 * hours);
  mara = await talks.known('+61491570156', {
    customerName: 'Mara Chen',
    bookingTime: '2030-03-06T23:30:00Z',
  });
  for (const n of [1, 2, 3]) {
    clock.setAdvance(now - 50 * hours + n * 600);
    const other = await talks.known(`+6149157011${n}`, {
      customerName: ['Jo Baker', 'Ali Hassan', 'Priya Nair'][n - 1],
      bookingTime: `2030-03-07T0${n}:00:00Z`,
    });
    if (n === 1) await talks.heard(other, 'Is the courtesy car free on Thursday?');
    if (n === 2) await talks.texted(other, 'Your fleet car is due for a service.');
    if (n === 3) await talks.answered(owner, other, 'Yes, the parts have come.');
  }
  clock.setAdvance(now - 49 * hours);
  await talks.texted(mara, 'Your fleet car is due. Shall we book it?');
  clock.setAdvance(now - 25 * hours);
  await talks.heard(mara, 'Yes please. And the door has a dent, can you look at it?', [
    { contentType: 'image/png', base64: browserPictures.png.toString('base64') },
    { contentType: 'application/pdf', base64: Buffer.from('%PDF-1.7').toString('base64') },
  ]);
  clock.setAdvance(now - 24 * hours);
  app.sms.next(() => ({ state: 'refused', permanent: true, reason: 'refused', detail: 'no' }));
  await talks.answered(owner, mara, 'We will. Bring it on Thursday at half past ten.');
  clock.setAdvance(now - hours);
  await talks.heard(mara, 'Thanks, see you then!');
  clock.setAdvance(now);
  talk = `${strict}/inbox/${mara.conversationId}`;
});
after(() => browser?.close());

const open = (path: string, options?: BrowserContextOptions, person?: Person) =>
  openConsole(browser, office, path, options, person);
const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('link');

describe('the inbox', { skip: noBrowser }, () => {
  test('axe finds nothing at any size and in any colours, and a first visit stays small', async () => {
    const found: string[] = [];
    for (const [name, path] of Object.entries({ list: `${office.strict}/inbox?filter=all`, talk })) {
      const { page, close } = await open(path);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, name);
      const check = async (how: string, rules?: readonly string[]) => {
        await picture(page, `inbox-${name}-${how}`);
        await assertAccessible(page, rules).catch(({ message }: Error) =>
          found.push(`${name}, ${how}: ${message.split('\n+ actual')[0]}`),
        );
      };
      await check('1280');
      await page.emulateMedia({ colorScheme: 'dark' });
      await check('dark', colourRules);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
      await check('forced', colourRules);
      await page.emulateMedia({ forcedColors: 'none' });
      for (const width of [1_024, 375, 320]) {
        await page.setViewportSize({ width, height: 740 });
        await check(`${width}`);
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(wider) <= 0, `${name} scrolls sideways at ${width}`);
      }
      assert.ok((await page.evaluate<number>(weight)) <= 60 * 1_024);
      await close();
    }
    assert.deepEqual(found, []);
  });
});
