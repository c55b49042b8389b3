/** Answering in a browser: the count as one types, a text for later, two people in one conversation, and without JavaScript. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type Talk, talkWorld } from '../fixtures/answering.ts';
import type { Person } from '../fixtures/office.ts';
import { launchBrowser, noBrowser } from '../harness/browser.ts';
import { assertAccessible, desk, phone, picture, scriptless, weight } from './customer.ts';
import { openConsole, says } from './office.ts';

let world: Awaited<ReturnType<typeof talkWorld>>;
let browser: Browser;

before(async () => {
  if (noBrowser) return;
  world = await talkWorld();
  await world.template('Hi {{ customer.firstName }}, we open at eight.', { name: 'Opening hours' });
  browser = await launchBrowser();
});
after(() => browser?.close());

const open = ({ path }: Talk, person: Person, options: BrowserContextOptions = desk) =>
  openConsole(browser, { app: world.app, owner: person }, path, options);

describe('answering', { skip: noBrowser }, () => {
  test('segments and cost are counted as one types; axe finds nothing; CSS and scripts stay light', async () => {
    const of = await world.talk();
    const { page, close } = await open(of, world.kim);
    const answer = page.getByRole('textbox', { name: 'Answer' });
    const count = page.locator('#answering [data-segments]');
    await answer.fill('x'.repeat(161));
    await page.waitForFunction(
      `document.querySelector('#answering [data-segments]').textContent.startsWith('2 segments, 0.158 AUD')`,
    );
    await answer.press('End');
    await answer.pressSequentially('ї');
    assert.equal(await count.textContent(), '3 segments (special characters), 0.237 AUD; 39 left');
    await page.getByText('Send later', { exact: true }).first().click();
    await assertAccessible(page);
    await picture(page, 'answering');
    await page.setViewportSize(phone.viewport ?? { width: 375, height: 740 });
    await assertAccessible(page);
    assert.ok(Number(await page.evaluate(weight)) <= 60 * 1024);
    await close();
  });

  test('two people in one conversation: the second reads what the first sent, and what was typed is kept', async () => {
    const of = await world.talk();
    const [one, other] = [await open(of, world.kim), await open(of, world.lee)];
    await other.page.getByRole('textbox', { name: 'Answer' }).fill('We open at nine');
    await one.page.getByRole('textbox', { name: 'Answer' }).fill('We open at eight');
    await one.page.getByRole('button', { name: 'Send', exact: true }).click();
    await says(one.page, 'On its way.');
    await other.page.getByRole('button', { name: 'Send', exact: true }).click();
    await other.page.getByText('The customer was answered meanwhile').waitFor();
    await other.page.getByRole('alert').getByText('We open at eight').waitFor();
    await assertAccessible(other.page);
    assert.equal(await other.page.getByRole('textbox', { name: 'Answer' }).inputValue(), 'We open at nine');
    assert.deepEqual(await world.bodies(of), ['We open at eight']);
    await Promise.all([one.close(), other.close()]);
  });

  test('a page with a text that waits to be sent stays live, and shows that it is held back', async () => {
    const of = await world.talk();
    await world.kim.post(`${of.path}/later`, {
      ...(await world.opened(world.kim, of)),
      ...world.inDays(2),
      answer: 'Ready at five',
    });
    const { page, close } = await open(of, world.kim);
    await page.getByRole('heading', { name: 'To be sent later' }).waitFor();
    await world.answer(of.phone, 'Never mind');
    await page.locator('p.message').getByText('Never mind').waitFor();
    await page.getByText('The customer wrote since').waitFor();
    await page.setViewportSize(phone.viewport ?? { width: 375, height: 740 });
    await assertAccessible(page);
    await picture(page, 'held-back-375');
    await close();
  });

  test('without JavaScript: a template, its count, and sending it later', async () => {
    const of = await world.talk({ firstName: 'Mia' });
    const { page, close } = await open(of, world.kim, scriptless);
    await page.locator('summary').getByText('Template').click();
    await page.getByLabel('Template').selectOption('Opening hours');
    await page.getByRole('button', { name: 'Fill in' }).click();
    const answer = page.getByRole('textbox', { name: 'Answer' });
    assert.equal(await answer.inputValue(), 'Hi Mia, we open at eight.');
    await answer.fill('Hi Mia, we open at nine.');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('1 segment, 0.079 AUD; 136 left').waitFor();
    await page.locator('summary').getByText('Send later').click();
    const { date, time } = world.inDays(2);
    await page.getByLabel('Date', { exact: true }).first().fill(date);
    await page.getByLabel('Time', { exact: true }).first().fill(time);
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('heading', { name: 'To be sent later' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await says(page, 'It does not go any more.');
    assert.equal(await page.getByRole('heading', { name: 'To be sent later' }).count(), 0);
    assert.deepEqual(await world.bodies(of), []);
    await close();
  });
});
