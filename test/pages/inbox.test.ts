/** The inbox in a browser: conversations and their messages, on a desk and on a phone, by keyboard alone, without JavaScript, checked by axe. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Talked, talksAt } from '../fixtures/conversations.ts';
import { browserPictures } from '../fixtures/logos.ts';
import { type Person, signedInPerson } from '../fixtures/office.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { expectErrors } from '../harness/log.ts';
import { phone, picture, scriptless } from './customer.ts';
import { press, tabTo } from './keyboard.ts';
import { faultsOfLooks } from './looks.ts';
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
  expectErrors(/a message is given up/);
  app.sms.next(() => ({ state: 'refused', permanent: true, reason: 'refused', detail: 'no' }));
  await talks.answered(owner, mara, 'We will. Bring it on Thursday at half past ten.');
  clock.setAdvance(now - hours);
  await talks.heard(mara, 'Thanks, see you then!');
  clock.setAdvance(now);
  talk = `${strict}/inbox/${mara.conversationId}`;
  await owner.submit(talk, `${talk}/note`, { note: 'She prefers texts. Loyal since 2019.' });
  await owner.submit(talk, `${talk}/assign`, { to: owner.personId });
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
      found.push(...(await faultsOfLooks(page, `inbox-${name}`, [1_024, 375, 320])));
      await close();
    }
    assert.deepEqual(found, []);
  });

  test('on a desk list and conversation stand side by side, and it opens at the last message, above the answer', async () => {
    const { page, close } = await open(`${office.strict}/inbox`);
    await rows(page).filter({ hasText: 'Mara Chen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mara Chen' }).waitFor();
    const [list, last, answer] = await Promise.all(
      [
        rows(page).filter({ hasText: 'Mara Chen' }),
        page.getByText('Thanks, see you then!').last(),
        page.getByLabel('Answer'),
      ].map((each) => each.boundingBox()),
    );
    assert.ok(list && last && answer);
    assert.ok(list.x + list.width <= last.x, 'the list is at the left');
    assert.ok(last.y + last.height <= answer.y && answer.y + answer.height <= 900, 'all of it is seen');
    assert.equal(await rows(page).filter({ hasText: 'Mara Chen' }).getAttribute('aria-current'), 'page');
    const picture = page.getByRole('img', { name: /^Picture 1 from the customer/ });
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate(`(img) => img.decode()`);
    await close();
  });

  test('what was said has two thirds of a laptop’s window, and the form that answers is in sight', async () => {
    const person = await signedInPerson(office.app, [office.strictId]);
    const laptop = { viewport: { width: 1_366, height: 768 } };
    const { page, close } = await open(talk, laptop, person);
    const heightOf = async (of: ReturnType<Page['locator']>) => (await of.boundingBox())?.height ?? 0;
    await picture(page, 'inbox-talk-1366');
    // The line that says that the clock was moved is the sandbox's alone.
    const window = 768 - (await heightOf(page.locator('.moved')));
    const said = await heightOf(page.getByRole('region', { name: 'What was said' }));
    assert.ok(said >= (window * 2) / 3, `${said} of ${window} px`);
    const send = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
    const later = await page.locator('summary').getByText('Send later').boundingBox();
    assert.ok(send && later && send.y + send.height <= 768, 'Send is in sight');
    assert.ok(later.y < send.y + send.height && send.y < later.y + later.height, 'Send later is beside it');
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    await picture(page, 'inbox-talk-1920');
    await close();
  });

  test('on a phone the head is small: places in one row, Find and New booking as signs that keep their names', async () => {
    const { page, close } = await open(`${office.strict}/inbox`, phone);
    const top = await page.locator('header.top').boundingBox();
    const moved = await page.locator('.moved').boundingBox();
    assert.ok(top && moved && top.height - moved.height <= 135, JSON.stringify({ top, moved }));
    const book = await page.getByRole('banner').getByRole('link', { name: 'New booking' }).boundingBox();
    assert.ok(book && book.width <= 44 && book.height >= 24, JSON.stringify(book));
    const find = page.getByRole('searchbox', { name: 'Find' });
    assert.ok(((await find.boundingBox())?.width ?? 99) <= 44);
    await find.tap();
    await picture(page, 'inbox-find-375');
    await find.fill('Mara');
    await page.locator('#found').getByRole('link', { name: 'Mara Chen' }).waitFor();
    assert.ok(((await find.boundingBox())?.width ?? 0) > 300);
    await find.press('Enter');
    await page.waitForURL(/\/find\?q=Mara/);
    await page.getByRole('link', { name: 'More', exact: true }).tap();
    await page.waitForURL(/\/more$/);
    await close();
  });

  test('by keyboard alone: to a conversation, a note, and done', async () => {
    const { page, close } = await open(`${office.strict}/inbox`);
    await press(page, /Jo Baker/);
    await page.getByRole('heading', { level: 1, name: 'Jo Baker' }).waitFor();
    await press(page, /Skip the list/);
    await tabTo(page, /Note, inside only/);
    await page.keyboard.type('Wants the small one');
    await press(page, /^Note$/);
    await says(page, 'Noted, inside only.');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Note, inside only' })
      .getByText('Wants the small one')
      .waitFor();
    await press(page, /Skip the list/);
    await press(page, /^Done$/);
    await says(page, 'Done.');
    await page.getByText('✓ Done').first().waitFor();
    assert.equal(await rows(page).filter({ hasText: 'Jo Baker' }).count(), 0);
    await close();
  });

  test('on a phone without JavaScript: list, conversation and back; a note; assigned; waiting again', async () => {
    const { page, close } = await open(`${office.strict}/inbox?filter=all`, scriptless);
    await rows(page).filter({ hasText: 'Priya Nair' }).click();
    await page.getByRole('heading', { level: 1, name: 'Priya Nair' }).waitFor();
    assert.equal(await rows(page).first().isVisible(), false);
    await page.getByLabel('Note, inside only').fill('Parts are on shelf 3');
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await says(page, 'Noted, inside only.');
    await page.getByRole('button', { name: 'Mark as waiting', exact: true }).click();
    await says(page, 'It waits for us again.');
    await page.getByRole('button', { name: 'Assign to me', exact: true }).click();
    await says(page, 'Assigned.');
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('link', { name: 'Assigned to me', exact: true }).click();
    assert.match((await rows(page).allTextContents()).join(), /Priya Nair.*Waits for us.*Mine/);
    await close();
  });

  test('what is written meanwhile is there, and nothing that is typed is lost, in Note or in Answer', async () => {
    const { page, close } = await open(talk);
    await page.getByLabel('Note, inside only').fill('Not for the cust');
    await page.getByLabel('Answer').fill('We have looked at');
    const before = await page.getByLabel('Answer').boundingBox();
    await talks.heard(mara, 'One more thing: the left mirror');
    const said = page.getByRole('region', { name: 'What was said' });
    await said.getByText('One more thing: the left mirror').waitFor();
    await rows(page).filter({ hasText: 'the left mirror' }).waitFor();
    assert.equal(await page.getByLabel('Note, inside only').inputValue(), 'Not for the cust');
    assert.equal(await page.getByLabel('Answer').inputValue(), 'We have looked at');
    assert.deepEqual(await page.getByLabel('Answer').boundingBox(), before);
    // It is at the end of what is seen.
    const pane = await said.boundingBox();
    const last = await said.getByText('One more thing: the left mirror').boundingBox();
    assert.ok(pane && last && last.y + last.height <= pane.y + pane.height);

    // Somebody who points at an older text goes on seeing it where it is.
    const older = said.getByText('And the door has a dent');
    await older.scrollIntoViewIfNeeded();
    await older.hover();
    const at = await older.boundingBox();
    await talks.heard(mara, 'And the horn');
    await said.getByText('And the horn').waitFor();
    const now = await older.boundingBox();
    assert.ok(at && now && Math.abs(at.y - now.y) < 1, JSON.stringify({ at, now }));
    assert.equal(await page.getByLabel('Answer').inputValue(), 'We have looked at');
    await picture(page, 'inbox-live');
    await close();
  });
});
