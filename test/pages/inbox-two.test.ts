/** Two people at one conversation, each in a browser of their own. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Talked, talksAt } from '../fixtures/conversations.ts';
import { type Person, signedInPerson } from '../fixtures/office.ts';
import { secondApp } from '../fixtures/second-app.ts';
import { launchWholeBrowser, noBrowser } from '../harness/browser.ts';
import { until } from '../harness/wait.ts';
import { assertAccessible, desk } from './customer.ts';
import { type Office, openConsole, says, startOffice } from './office.ts';

let office: Office;
let browser: Browser;
let talks: ReturnType<typeof talksAt>;
let sam: Talked;
let jo: Person;
let path = '';

before(async () => {
  if (noBrowser) return;
  office = await startOffice();
  browser = await launchWholeBrowser();
  const { app, partner, strict, strictId } = office;
  talks = talksAt(app, partner, strictId);
  for (const n of [1, 2, 3]) {
    const talk = await talks.known(`+6149157011${n}`, {
      ...{ customerName: `Customer ${n}`, bookingTime: `2030-03-07T0${n}:00:00Z` },
    });
    await talks.heard(talk, `Question ${n}?`);
    sam = talk;
  }
  jo = await signedInPerson(app, [strictId], 'adviser');
  path = `${strict}/inbox/${sam.conversationId}`;
});
after(() => browser?.close());

const open = (where: string, person: Person, url = office.app.url) =>
  openConsole(browser, { ...office, app: { ...office.app, url } }, where, desk, person);
const others = (page: Page) => page.locator('#present .others').textContent();
const showsOthers = (page: Page, words: string) =>
  until(`it shows ${words || 'nobody'}`, async () => (await others(page)) === words);
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const answer = (page: Page) => page.getByLabel('Answer', { exact: true });
/** Types until the other page says so: on a slow machine that takes longer than typing holds. */
const typesUntil = (page: Page, other: Page, words: string) =>
  until(`it shows ${words}`, async () => {
    if ((await others(other)) === words) return true;
    await answer(page).pressSequentially('x');
    return false;
  });

describe('two people at one conversation', { skip: noBrowser }, () => {
  test('each sees that the other looks and types, whichever process serves them, and what one sends is on the page of the other, who loses nothing typed', async () => {
    const { owner } = office;
    const other = await secondApp(office.app);
    const { page: first, close: closeFirst } = await open(path, owner);
    const { page: second, close: closeSecond } = await open(path, jo, other.url);
    await second.evaluate(
      `globalThis.announced = []; new MutationObserver(() => announced.push(document.querySelector('#present [aria-live]').textContent))
        .observe(document.getElementById('present'), { childList: true, subtree: true })`,
    );
    await showsOthers(first, `${jo.name} is looking`);
    await showsOthers(second, `${owner.name} is looking`);
    await typesUntil(second, first, `${jo.name} is typing`);
    await typesUntil(first, second, `${owner.name} is typing`);
    await answer(second).fill('');
    await answer(second).pressSequentially('Half an ans');
    // The focus stays where it was.
    assert.equal(await second.evaluate('document.activeElement.labels[0].textContent'), 'Answer');
    await answer(first).fill('It is ready at four.');
    await send(first);
    await says(first, 'On its way.');
    await second.locator('.thread').getByText('It is ready at four.').waitFor();
    assert.equal(await answer(second).inputValue(), 'Half an ans');
    await second.keyboard.type('wer');
    assert.equal(await answer(second).inputValue(), 'Half an answer');
    await assertAccessible(second);
    // An update of the page takes nobody away, and nobody is announced twice.
    await until('the first is there again', async () =>
      ((await others(second)) ?? '').startsWith(`${owner.name} is`),
    );
    assert.equal(await second.getByRole('status').count(), 1);
    await closeFirst();
    await showsOthers(second, '');
    const said = await second.evaluate<string[]>(`announced.filter((text) => text.includes(' is '))`);
    assert.ok(new Set(said).size <= 1, said.join());
    const { page: back, close: closeBack } = await open(path, owner);
    await showsOthers(second, `${owner.name} is looking`);
    await showsOthers(back, `${jo.name} is looking`);
    // A page that is no longer seen is nobody's.
    await back.evaluate(
      `Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
    await showsOthers(second, '');
    // What was typed before the other's answer came goes once its sender has read that.
    await send(second);
    await second.getByText('The customer was answered meanwhile').waitFor();
    assert.equal(await answer(second).inputValue(), 'Half an answer');
    await send(second);
    await says(second, 'On its way.');
    await second.locator('.thread').getByText('Half an answer').waitFor();
    await closeBack();
    await closeSecond();
    await other.close();
  });

  test('j and k go through the conversations, e is Done unless something typed would be lost, as by the buttons beside (specification: The console 30)', async () => {
    const { page, close } = await open(`${office.strict}/inbox?filter=all`, jo);
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    for (const [key, name] of [
      ['j', 'Customer 3'],
      ['j', 'Customer 2'],
      ['k', 'Customer 3'],
      ['k', 'Customer 3'],
      ['j', 'Customer 2'],
    ] as const) {
      await page.keyboard.press(key);
      assert.match(await focused(), new RegExp(name), key);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Customer 2' }).waitFor();
    await page.keyboard.press('j');
    assert.match(await focused(), /Customer 1/);
    await answer(page).pressSequentially('jek?');
    assert.equal(await answer(page).inputValue(), 'jek?');
    // The buttons of other forms do not lose it, but for whoever insists.
    const assign = page.getByRole('button', { name: 'Assign to me', exact: true });
    await assign.click();
    await page.getByRole('status').getByText('would be lost: press again').waitFor();
    assert.equal(await answer(page).inputValue(), 'jek?');
    await page.getByRole('link', { name: 'Skip the list of conversations' }).focus();
    await page.keyboard.press('e');
    await page.getByRole('status').getByText('What you typed is not sent yet: send it').waitFor();
    await answer(page).focus();
    await assign.click();
    await page.getByRole('status').getByText('Assigned.').waitFor();
    await page.getByRole('link', { name: 'Skip the list of conversations' }).focus();
    await page.keyboard.press('Control+e');
    await page.keyboard.press('e');
    await page.getByRole('status').getByText('Done.').waitFor();
    await close();
  });
});
